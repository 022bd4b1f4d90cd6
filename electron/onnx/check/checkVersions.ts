import { allTensors } from '../edits/allTensors';
import { shownName } from '../edits/places';
import { elementType, elementTypeName } from '../values/elementTypes';
import type { CheckContext } from './checkContext';

/** The latest version of the IR whose changes this program knows. */
const LATEST = 14;

/** ir_version is there, and not older than what the model holds (the list of versions at the head of onnx.proto). */
export function checkVersions(context: CheckContext): void {
  const { model, error, warn } = context;
  const owner = model.graph;
  const { irVersion } = model;
  if (irVersion <= 0) {
    error('ir-version', 'The model has no ir_version.', { owner });
    return;
  }
  if (irVersion > LATEST) warn('ir-version', `The model has ir_version ${irVersion}; what came after ${LATEST} is kept, but not understood.`, { owner });
  if (irVersion < 3 && model.opsets.length > 0)
    error('ir-version', `A model of ir_version ${irVersion} cannot import operator sets; that came with 3.`, { owner });
  for (const [since, what] of newestFields(context)) {
    if (since > irVersion)
      warn('ir-version', `The model has ir_version ${irVersion}, but ${what}, which came with ${since}: a reader may refuse or ignore it.`, { owner });
  }
  const keys = new Set<string>();
  for (const { key } of model.metadata) {
    if (keys.has(key)) warn('names', `metadata_props of the model has ${shownName(key)} twice.`, { owner });
    keys.add(key);
  }
}

/** What is in the model that did not exist from the beginning, and since when. */
function* newestFields({ model, index }: CheckContext): Generator<readonly [number, string]> {
  const { graphs, functions } = model;
  const anyNode = (test: (node: (typeof model.graph.nodes)[number]) => boolean) => index.owners.some(({ nodes }) => nodes.some(test));
  if (graphs.some(({ annotations }) => annotations.length > 0)) yield [5, 'quantization_annotation'];
  if (graphs.some(({ sparse }) => sparse.length > 0)) yield [6, 'sparse initializers'];
  if (model.training.length > 0) yield [7, 'training_info'];
  if (functions.length > 0) yield [8, 'functions'];
  if (functions.some(({ valueInfos }) => valueInfos.length > 0)) yield [10, 'value_info in a function'];
  if (functions.some(({ overload }) => overload !== '') || anyNode(({ overload }) => overload !== '')) yield [10, 'overloads of functions'];
  if (graphs.some(({ metadata }) => metadata.length > 0) || anyNode(({ metadata }) => metadata.length > 0)) yield [10, 'metadata_props in graphs or nodes'];
  if (anyNode(({ sharding }) => sharding.length > 0)) yield [11, 'device_configurations'];
  const types = new Set<number>();
  for (const { tensor } of allTensors(model)) types.add(tensor.type);
  for (const type of types) yield [elementType(type)?.since ?? 0, `values of ${elementTypeName(type)}`];
}
