import { rm, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { openFileSource } from '../electron/bytes/fileSource';
import { piecesSource } from '../electron/bytes/pieces';
import { applyPlan } from '../electron/onnx/edits/applyPlan';
import { planRename } from '../electron/onnx/edits/planRename';
import { readSmallTensors } from '../electron/onnx/infer/readSmallTensors';
import { layoutGraph } from '../electron/onnx/layout/layoutGraph';
import { readModel } from '../electron/onnx/model/readModel';
import { buildView } from '../electron/onnx/view/buildView';
import { CheckpointError } from '../shared/contract/errors';

const fileInput = v.object({ file: v.string() });

/** From the file to the picture; then the groups around a node in the middle of the model are opened, one inside the other, down to the last. */
export async function graph(input: unknown): Promise<Record<string, number>> {
  const { file } = v.parse(fileInput, input);
  const begun = performance.now();
  const source = await openFileSource(file);
  const model = await readModel(source, { file });
  const small = await readSmallTensors(model, source);
  const read = performance.now();
  const view = buildView(model, { groups: new Set(), findings: [], small });
  const viewed = performance.now();
  const top = await layoutGraph(view, { root: 0, open: new Set() });
  const seconds = (performance.now() - begun) / 1000;
  if (top.boxes.kind.length > 2000) throw new CheckpointError('internal', 'The top level has too many boxes.');
  const around: number[] = [];
  for (let group = view.nodes.group[Math.floor(view.nodes.names.length / 2)] ?? 0; group > 0; group = view.groups[group]?.parent ?? -1) around.unshift(group);
  let slowest = 0;
  for (const [depth] of around.entries()) {
    const opening = performance.now();
    await layoutGraph(view, { root: 0, open: new Set(around.slice(0, depth + 1)) });
    slowest = Math.max(slowest, (performance.now() - opening) / 1000);
  }
  await source.close();
  return { seconds, read: (read - begun) / 1000, view: (viewed - read) / 1000, slowest, nodes: view.nodes.names.length };
}

/** Reads a model, renames all its initializers, and writes it; its external data stays where it is. */
export async function renameAll(input: unknown): Promise<Record<string, number>> {
  const { file } = v.parse(fileInput, input);
  const target = `${file}.${process.pid}`;
  const begun = performance.now();
  const source = await openFileSource(file);
  const model = await readModel(source, { file });
  const renames = model.graph.initializers.map(({ name }) => ({ graph: '', name, to: `renamed.${name}` }));
  const edited = piecesSource(source, applyPlan(model, planRename(model, renames)), file);
  await writeFile(target, await edited.read(0, edited.length));
  const seconds = (performance.now() - begun) / 1000;
  await edited.close();
  await rm(target);
  return { seconds, renamed: renames.length };
}
