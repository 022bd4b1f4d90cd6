import { throwIfCancelled } from '../../../../shared/contract/cancelled';
import { checkModel } from '../../../onnx/check/checkModel';
import { readSmallTensors } from '../../../onnx/infer/readSmallTensors';
import { type ModelRef, openModelRef } from '../../../onnx/model/modelRef';
import type { OnnxModel } from '../../../onnx/model/onnxModel';
import { readModel } from '../../../onnx/model/readModel';
import { buildView } from '../../../onnx/view/buildView';
import { groupName, groupNames, withGroupsOfBase } from './groupNames';
import type { ReadGraph } from './sharedModel';

/**
 * Models read lately by this thread: a window asks for one layout after the other of one graph. A key names content, so what is kept is
 * what would be read again. Two are shown side by side at most.
 */
const KEPT = 3;
const kept = new Map<string, { readonly reading: Promise<ReadGraph>; readonly signal: AbortSignal }>();

/**
 * A reading that failed or was given up is not kept. Who waited for one that somebody else gave up reads the model himself.
 * @throws CheckpointError malformed, truncated, too-large, cancelled; conflict when the file has been written since it was opened
 */
export async function readGraph(ref: ModelRef, signal: AbortSignal): Promise<ReadGraph> {
  for (;;) {
    throwIfCancelled(signal);
    const known = kept.get(ref.key);
    const entry = known ?? { reading: read(ref, signal), signal };
    kept.delete(ref.key);
    kept.set(ref.key, entry);
    for (const key of kept.keys()) if (kept.size > KEPT) kept.delete(key);
    try {
      return await entry.reading;
    } catch (error) {
      if (kept.get(ref.key) === entry) kept.delete(ref.key);
      if (known === undefined || !known.signal.aborted) throw error;
    }
  }
}

async function read(ref: ModelRef, signal: AbortSignal): Promise<ReadGraph> {
  const source = await openModelRef(ref);
  try {
    const model = await readModel(source, { file: ref.file, signal });
    const small = await readSmallTensors(model, source, { signal });
    const graph: ReadGraph = {
      model,
      small,
      pathOf: locations(model, ref),
      view: buildView(model, { groups: groupNames(model), findings: checkModel(model), small }),
    };
    if (ref.pieces === null) return graph;
    const base = await readGraph({ ...ref, key: ref.baseKey, pieces: null }, signal);
    return { ...graph, pathOf: base.pathOf, view: withGroupsOfBase(graph, base, ref.pieces) };
  } finally {
    await source.close();
  }
}

/** The checkpoint knows in which file each of its groups lies; the model says by which location it means that file. */
function locations(model: OnnxModel, { external }: ModelRef): ReadGraph['pathOf'] {
  const paths = new Map(external.map(({ group, path }) => [group, path]));
  const found = new Map<string, string>();
  for (const { path, initializers } of paths.size === 0 ? [] : model.graphs) {
    for (const tensor of initializers) {
      const file = tensor.external === null ? undefined : paths.get(groupName(path, tensor.name));
      if (tensor.external !== null && file !== undefined) found.set(tensor.external.location, file);
    }
  }
  return (location) => found.get(location) ?? null;
}
