import { readFile } from 'node:fs/promises';
import type { onnx } from 'onnx-proto';
import type { GraphView } from '../../../../shared/model/graph';
import { memorySource } from '../../../bytes/memorySource';
import { smallModel } from '../../edits/testing/smallModel';
import { readSmallTensors } from '../../infer/readSmallTensors';
import type { OnnxModel } from '../../model/onnxModel';
import { readModel } from '../../model/readModel';
import { buildView } from '../buildView';

/** The view of a model in memory, as the program makes it. */
export async function viewOf(bytes: Uint8Array, groups: readonly string[] = []): Promise<{ readonly model: OnnxModel; readonly view: GraphView }> {
  const source = memorySource(bytes);
  const model = await readModel(source, { file: 'model.onnx' });
  return { model, view: buildView(model, { groups: new Set(groups), findings: [], small: await readSmallTensors(model, source) }) };
}

export async function viewOfFile(path: string): Promise<{ readonly model: OnnxModel; readonly view: GraphView }> {
  return viewOf(await readFile(path));
}

/** A model of one graph with operators of version 17. */
export function encodeModel(graph: onnx.IGraphProto, more: onnx.IModelProto = {}): Uint8Array {
  return smallModel(graph, { opsetImport: [{ domain: '', version: 17 }], ...more });
}

/** `op name: a, b -> c`, for graphs in which attributes do not matter; an empty name is left out. */
export function nodesOf(lines: readonly string[]): onnx.INodeProto[] {
  return lines.map((line) => {
    const [, opType = '', name = '', input = '', output = ''] = /^(\S+) ?([^:]*): ?(.*) -> (.*)$/.exec(line) ?? [];
    const names = (text: string) => (text === '' ? [] : text.split(', '));
    return { opType, name, input: names(input), output: names(output) };
  });
}
