import { stat } from 'node:fs/promises';
import { fileError } from '../../bytes/fileError';
import type { Piece } from '../../bytes/pieces';
import type { OnnxModel, OnnxTensor } from '../model/onnxModel';
import { allTensors } from './allTensors';

/**
 * Where the values of tensors in other files lie, or in a sentence why they cannot be had. Without a length they go to the end of the file
 * (onnx.proto, TensorProto.external_data).
 * @throws CheckpointError permission, not-found
 */
export async function externalPieces(model: OnnxModel, pathOf: (location: string) => string | null): Promise<Map<OnnxTensor, Piece | string>> {
  const sizes = new Map<string, number>();
  const sizeOf = async (path: string): Promise<number> => {
    const known = sizes.get(path);
    if (known !== undefined) return known;
    const { size } = await stat(path).catch((error: unknown) => {
      throw fileError(error, path);
    });
    sizes.set(path, size);
    return size;
  };
  const pieces = new Map<OnnxTensor, Piece | string>();
  for (const { tensor } of allTensors(model)) {
    const { external } = tensor;
    if (external === null) continue;
    const path = pathOf(external.location);
    if (path === null) {
      pieces.set(tensor, `the file ${JSON.stringify(external.location)} cannot be read.`);
      continue;
    }
    const size = await sizeOf(path);
    const offset = external.offset ?? 0;
    const length = external.length ?? size - offset;
    const fits = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0 && offset + length <= size;
    pieces.set(
      tensor,
      fits ? { kind: 'file', path, offset, length } : `bytes ${offset} to ${offset + length} are not in ${external.location}, which has ${size}.`,
    );
  }
  return pieces;
}
