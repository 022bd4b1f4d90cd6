import type { CheckpointFormat } from '../format';
import { layoutFlax } from './layoutFlax';
import { looksLikeFlax } from './looksLikeFlax';
import { readFlax } from './readFlax';

/** MessagePack with NumPy arrays as extensions, as flax.serialization writes it. */
export const flaxFormat: CheckpointFormat = {
  id: 'flax',
  label: 'Flax',
  extensions: ['.msgpack', '.flax'],
  matches: looksLikeFlax,
  read: readFlax,
  layout: layoutFlax,
};
