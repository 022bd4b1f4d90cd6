import { memorySource } from '../../bytes/memorySource';
import { type Piece, piecesSource } from '../../bytes/pieces';
import { applyPlan } from '../edits/applyPlan';
import type { EditPlan } from '../edits/editPlan';
import type { OnnxModel } from '../model/onnxModel';
import { readModel } from '../model/readModel';

/** The model of a file in memory. */
export function modelOf(bytes: Uint8Array): Promise<OnnxModel> {
  return readModel(memorySource(bytes), { file: 'model.onnx' });
}

/** The bytes that pieces of a file in memory make. */
export async function joined(bytes: Uint8Array, pieces: readonly Piece[]): Promise<Uint8Array<ArrayBuffer>> {
  const source = piecesSource(memorySource(bytes), pieces, 'model.onnx');
  return new Uint8Array(await source.read(0, source.length));
}

/** The file after an edit. @throws CheckpointError conflict when it was refused */
export async function patched(bytes: Uint8Array, plan: EditPlan): Promise<Uint8Array<ArrayBuffer>> {
  return joined(bytes, applyPlan(await modelOf(bytes), plan));
}
