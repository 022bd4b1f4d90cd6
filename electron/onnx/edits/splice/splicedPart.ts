import type { OnnxFunction, OnnxModel, OnnxNode } from '../../model/onnxModel';
import type { Definition } from '../../scopes/scopeIndex';
import { isConstant } from '../constantNode';
import { listed } from '../listed';
import { definedTwice, locateValue } from '../locateValue';
import { bodiesOf, type NodeSet, nodeSet, outputsOf, readsOf } from '../nodeSet';
import { shownName } from '../places';
import type { PlanDraft } from '../planDraft';
import type { Side, SplicedPart, SpliceOptions } from './spliceTypes';

/** Finds all that must come along with some nodes of another model; what is missing or has no single meaning is refused. */
export function splicedPart(draft: PlanDraft, { here, other }: { readonly here: Side; readonly other: Side }, options: SpliceOptions): SplicedPart {
  const chosen = nodeSet(draft, other.index, options.nodes);
  if (chosen.nodes.some(({ owner }) => owner !== other.model.graph))
    draft.refusals.push('Only nodes of the main graph of the other model can be taken; a body comes with the node that holds it.');
  if (options.nodes.length === 0) draft.refusals.push('No node is named.');
  const wanted = new Map(options.connect.map(({ from, to }) => [from, to]));
  if (wanted.size < options.connect.length) draft.refusals.push('A value that goes in is connected twice.');
  const reads = readsOf(other.index, chosen);
  if (reads.undefined.length > 0) draft.refusals.push(`Nothing in the other model defines ${listed(reads.undefined.map(shownName))}.`);
  const connected = new Map<Definition, Definition>();
  const stored: Definition[] = [];
  const constants: OnnxNode[] = [];
  for (const value of reads.values) {
    const to = wanted.get(value.name);
    const problem = definedTwice(value);
    if (problem !== null) draft.refusals.push(`In the other model: ${problem}`);
    if (to !== undefined) connect(draft, { here, connected }, { value, to });
    else if (value.tensor !== null) stored.push(value);
    else if (value.node !== null && isConstant(value.node)) constants.push(value.node);
    else draft.refusals.push(`${shownName(value.name)} goes into the nodes: connect it to a value of this model.`);
    wanted.delete(value.name);
  }
  for (const from of wanted.keys()) draft.refusals.push(`${shownName(from)} does not go into the nodes from outside, so it cannot be connected.`);
  const set = constants.length === 0 ? chosen : nodeSet(draft, other.index, [...options.nodes, ...constants.map(({ index }) => ({ graph: '', index }))]);
  stored.push(...annotationTensors(other, set, stored));
  const replaced = replacedValues(draft, { here, other, set }, options);
  return { set, stored, functions: functionsOf(other.model, set), connected, replaced };
}

function connect(
  draft: PlanDraft,
  { here, connected }: { readonly here: Side; readonly connected: Map<Definition, Definition> },
  { value, to }: { readonly value: Definition; readonly to: string },
): void {
  const target = locateValue(here.index, { graph: '', name: to });
  const problem = typeof target === 'string' ? target : definedTwice(target);
  if (problem !== null) draft.refusals.push(`${shownName(value.name)} cannot be connected: ${problem}`);
  if (typeof target !== 'string') connected.set(value, target);
}

function replacedValues(
  draft: PlanDraft,
  { here, other, set }: { readonly here: Side; readonly other: Side; readonly set: NodeSet },
  { replace }: SpliceOptions,
): Map<Definition, Definition> {
  const outputs = new Set(outputsOf(other.index, set));
  const replaced = new Map<Definition, Definition>();
  const seen = new Set<Definition>();
  for (const { output, value } of replace) {
    const from = other.index.definition('', output);
    const to = locateValue(here.index, { graph: '', name: value });
    const problem = typeof to === 'string' ? to : definedTwice(to);
    if (problem !== null) draft.refusals.push(problem);
    if (from === null || !outputs.has(from)) draft.refusals.push(`${shownName(output)} is no output of the nodes.`);
    else if (typeof to !== 'string') {
      if (seen.has(to)) draft.refusals.push(`${shownName(value)} can be replaced by one output only.`);
      if (replaced.has(from)) draft.refusals.push(`${shownName(output)} can take the place of one value only.`);
      seen.add(to);
      replaced.set(from, to);
    }
  }
  return replaced;
}

/** Scales and zero points that only the annotations of what is taken name. */
function annotationTensors({ index, model }: Side, set: NodeSet, stored: readonly Definition[]): Definition[] {
  const about = new Set([...stored, ...outputsOf(index, set)]);
  const more = new Set<Definition>();
  for (const { tensor, parameters } of model.graph.annotations) {
    const definition = tensor === null ? null : index.definition(model.graph, tensor.text);
    if (definition === null || !about.has(definition)) continue;
    for (const { name } of parameters) {
      const parameter = name === null ? null : index.definition(model.graph, name.text);
      if (parameter?.tensor !== null && parameter !== null && !about.has(parameter)) more.add(parameter);
    }
  }
  return [...more];
}

/** The functions that nodes call, and those that these call. A function is domain, name and overload together. */
function functionsOf(model: OnnxModel, set: NodeSet): OnnxFunction[] {
  const found = new Set<OnnxFunction>();
  const visit = (node: OnnxNode) => {
    const func = calledFunction(model, node);
    if (func !== null && !found.has(func)) {
      found.add(func);
      func.nodes.forEach(visit);
    }
    for (const body of bodiesOf(node)) body.nodes.forEach(visit);
  };
  for (const { node } of set.nodes) visit(node);
  return model.functions.filter((func) => found.has(func));
}

export function calledFunction({ functions }: OnnxModel, { op, domain, overload }: OnnxNode): OnnxFunction | null {
  return functions.find((func) => func.name === op && func.domain === domain && func.overload === overload) ?? null;
}
