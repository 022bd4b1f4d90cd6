import type { GraphView } from '../../../../shared/model/graph';
import { checkModel } from '../../../onnx/check/checkModel';
import { type ModelRef, openModelRef } from '../../../onnx/model/modelRef';
import type { OnnxModel } from '../../../onnx/model/onnxModel';
import { readModel } from '../../../onnx/model/readModel';
import { buildView } from '../../../onnx/view/buildView';
import { groupNames, withGroupsOfBase } from './groupNames';

/** A model as the tasks of one thread share it. */
export interface ReadGraph {
  readonly model: OnnxModel;
  readonly view: GraphView;
}

/**
 * Models read lately by this thread: a window asks for one layout after the other of one graph. A key names content, so what is kept is
 * what would be read again. Two are shown side by side at most.
 */
const KEPT = 3;
const kept = new Map<string, Promise<ReadGraph>>();

/** @throws CheckpointError malformed, truncated, too-large, cancelled */
export async function readGraph(ref: ModelRef, signal: AbortSignal): Promise<ReadGraph> {
  const known = kept.get(ref.key);
  if (known !== undefined) {
    kept.delete(ref.key);
    kept.set(ref.key, known);
    return known;
  }
  const reading = read(ref, signal);
  kept.set(ref.key, reading);
  reading.catch(() => kept.delete(ref.key));
  for (const key of kept.keys()) if (kept.size > KEPT) kept.delete(key);
  return reading;
}

async function read(ref: ModelRef, signal: AbortSignal): Promise<ReadGraph> {
  const source = await openModelRef(ref);
  try {
    const model = await readModel(source, { file: ref.file, signal });
    const graph = { model, view: buildView(model, { groups: groupNames(model), findings: checkModel(model) }) };
    if (ref.pieces === null) return graph;
    const base = await readGraph({ ...ref, key: ref.baseKey, pieces: null }, signal);
    return { model, view: withGroupsOfBase(graph, base, ref.pieces) };
  } finally {
    await source.close();
  }
}
