import type { FormatId } from '../../shared/model/checkpoint';
import type { ByteSource } from '../bytes/byteSource';
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

/** The format that the content is in, never by a name; `null` when it is none. */
export async function sniffFormat(source: ByteSource): Promise<CheckpointFormat | null> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.length));
  return FORMATS.find((format) => format.matches(head, source.length)) ?? null;
}
