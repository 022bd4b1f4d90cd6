import type { CheckpointFormat } from '../format';
import { layoutSafetensors } from './layoutSafetensors';
import { readSafetensors } from './readSafetensors';
import { looksLikeSafetensors } from './safetensorsHeader';

/** https://huggingface.co/docs/safetensors: 8 bytes length, JSON header, tensors one after another. */
export const safetensorsFormat: CheckpointFormat = {
  id: 'safetensors',
  label: 'safetensors',
  extensions: ['.safetensors'],
  matches: looksLikeSafetensors,
  read: readSafetensors,
  layout: layoutSafetensors,
};
