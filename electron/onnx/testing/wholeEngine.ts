import * as v from 'valibot';
import { graphLayout, graphView } from '../../../shared/contract/graphRequests';
import type { GraphView } from '../../../shared/model/graph';
import { memorySource } from '../../bytes/memorySource';
import { piecesSource } from '../../bytes/pieces';
import { checkModel } from '../check/checkModel';
import { diffModels } from '../diff/diffModels';
import { applyPlan } from '../edits/applyPlan';
import type { EditPlan } from '../edits/editPlan';
import { planExternalise } from '../edits/planExternalise';
import { planRemoveNodes } from '../edits/planRemoveNodes';
import { planRename } from '../edits/planRename';
import { readSmallTensors } from '../infer/readSmallTensors';
import { layoutGraph } from '../layout/layoutGraph';
import type { OnnxModel } from '../model/onnxModel';
import { readModel } from '../model/readModel';
import { proposeNames } from '../names/proposeNames';
import { indexScopes } from '../scopes/indexScopes';
import { searchGraph } from '../search/searchGraph';
import { buildView } from '../view/buildView';
import { describeNode } from '../view/describeNode';

/** What a hostile model may cost: more nodes are described, and more groups opened, in no test. */
const DESCRIBED = 20;

/**
 * For tests: everything that the program does with a model's graph, from reading to edits. What a window would get is held against the contract.
 * @throws what the engine throws
 */
export async function wholeEngine(bytes: Uint8Array): Promise<{ readonly model: OnnxModel; readonly view: GraphView }> {
  const source = memorySource(bytes);
  const model = await readModel(source, { file: 'model.onnx' });
  const findings = checkModel(model);
  const view = buildView(model, { groups: new Set(), findings, small: await readSmallTensors(model, source) });
  v.parse(graphView, view);
  const open = new Set(view.groups.keys());
  v.parse(graphLayout, await layoutGraph(view, { root: 0, open: new Set() }));
  v.parse(graphLayout, await layoutGraph(view, { root: 0, open }));
  for (let node = 0; node < Math.min(DESCRIBED, view.nodes.names.length); node++) describeNode(model, view, node);
  await searchGraph(model, view, { text: 'a', mode: 'text', limit: 10 });
  await searchGraph(model, view, { text: '* -> Relu', mode: 'path', limit: 10 });
  const home = { source, file: 'model.onnx', pathOf: () => null };
  await proposeNames(model, { from: { kind: 'nodes' }, onlyNumbered: false, home });
  await diffModels({ model, view, source, pathOf: () => null }, { model, view, source, pathOf: () => null }, {});
  await edited(bytes, model, planRename(model, renames(model)));
  await edited(bytes, model, planExternalise(model, { file: 'w.bin', atLeast: 1 }));
  if (model.graph.nodes.length > 0) await edited(bytes, model, planRemoveNodes(model, { nodes: [{ graph: '', index: 0 }], bypass: false }));
  return { model, view };
}

/** An edit that is not refused leaves a file that can be read. */
async function edited(bytes: Uint8Array, model: OnnxModel, plan: EditPlan): Promise<void> {
  if (plan.refusals.length > 0) return;
  const after = piecesSource(memorySource(bytes), applyPlan(model, plan), 'edited.onnx');
  const read = await readModel(after, { file: 'edited.onnx' }).catch((error: unknown) => {
    throw new Error(`${plan.title}: the edited model cannot be read: ${String(error)}`, { cause: error });
  });
  checkModel(read);
}

/** Every value of the main graph has another name. */
function renames(model: OnnxModel) {
  return indexScopes(model)
    .definitions('')
    .filter(({ name }) => name !== '')
    .slice(0, 200)
    .map(({ name }) => ({ graph: '', name, to: `${name}_new` }));
}
