import type { CheckpointFormat } from '../format';
import { layoutNpz } from './layoutNpz';
import { looksLikeNpz, readNpz } from './readNpz';

/** NumPy's archive: a zip of .npy arrays (numpy.savez). */
export const npzFormat: CheckpointFormat = {
  id: 'npz',
  label: 'NumPy',
  extensions: ['.npz'],
  matches: looksLikeNpz,
  read: readNpz,
  layout: layoutNpz,
};
