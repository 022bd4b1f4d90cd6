import type { FormatId } from '../../shared/model/checkpoint';
import { flaxFormat } from './flax/flaxFormat';
import type { CheckpointFormat } from './format';
import { npzFormat } from './npz/npzFormat';
import { onnxFormat } from './onnx/onnxFormat';
import { pytorchFormat } from './pytorch/pytorchFormat';
import { safetensorsFormat } from './safetensors/safetensorsFormat';

/** First bytes that are enough to tell a format. */
export const HEAD_BYTES = 4096;

/**
 * All formats, in the order in which they are asked. safetensors comes before PyTorch, because the length that it begins with can have
 * the bytes of a pickle, while no pickle has its brace and zeros; npz after it, both being zips with other first entries.
 */
export const FORMATS: readonly CheckpointFormat[] = [safetensorsFormat, pytorchFormat, npzFormat, onnxFormat, flaxFormat];

export function formatById(id: FormatId): CheckpointFormat | null {
  return FORMATS.find((format) => format.id === id) ?? null;
}

/** The format that a file of `size` bytes is in, by its first HEAD_BYTES (or all it has), never by a name; `null` when it is none. */
export function formatOfContent(head: Uint8Array, size: number): CheckpointFormat | null {
  return FORMATS.find((format) => format.matches(head, size)) ?? null;
}
