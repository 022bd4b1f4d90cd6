import { type GraphFinding, type GraphInitializer, type GraphView, NO_VALUE } from '../../../shared/model/graph';
import type { Finding } from '../check/finding';
import { buildHierarchy, type Hierarchy } from '../hierarchy/buildHierarchy';
import { countFlops } from '../infer/countFlops';
import { type InferredTypes, inferTypes, type SmallTensors } from '../infer/inferTypes';
import { formatType, refine, typeFormatter } from '../infer/tensorType';
import type { OnnxModel } from '../model/onnxModel';
import { countOf } from '../values/elementTypes';
import { collectScopes, isFunction, type ViewScope } from './collectScopes';
import { collectValues, type StoredValue, type Wiring } from './collectValues';
import { describeStored } from './describeInitializer';

export interface ViewOptions {
  /** Names of the parameter groups that a checkpoint has for the model: see formats/onnx. */
  readonly groups: ReadonlySet<string>;
  readonly findings: readonly Pick<Finding, 'severity' | 'text' | 'owner' | 'node'>[];
  /** Elements of small tensors (`readSmallTensors`); with them shapes are known behind a Reshape, Resize and the like. */
  readonly small?: SmallTensors | undefined;
}

/** The graph of a model as the window sees it. Pure and linear in the size of the model; nothing that a broken model holds makes it fail. */
export function buildView(model: OnnxModel, options: ViewOptions): GraphView {
  const scopes = collectScopes(model);
  const wiring = collectValues(scopes);
  const inferred = inferTypes(model, scopes, { wiring, small: options.small ?? new Map() });
  const hierarchy = buildHierarchy(scopes, wiring);
  const initializers = describeInitializers(scopes, wiring, { inferred, groups: options.groups });
  const nodes = nodeColumns(scopes, wiring, { hierarchy, inferred });
  return {
    model: {
      name: model.graph.name,
      irVersion: model.irVersion,
      producer: [model.producer, model.producerVersion].filter((text) => text !== '').join(' '),
      opsets: model.opsets.map(({ domain, version }) => ({ domain, version })),
      metadata: model.metadata,
      doc: model.doc || model.graph.doc,
    },
    scopes: scopes.map(({ scope }) => scope),
    groups: withTotals(hierarchy, { nodes, wiring, initializers }),
    initializers,
    operators: nodes.operators,
    nodes: nodes.columns,
    values: {
      names: wiring.names,
      scope: new Uint32Array(wiring.scope),
      producer: new Uint32Array(wiring.producer),
      initializer: new Uint32Array(wiring.initializer),
      role: new Uint8Array(wiring.role),
      types: inferred.types.map(typeFormatter()),
    },
    findings: placeFindings(scopes, options.findings),
  };
}

interface NodeColumns {
  readonly operators: readonly string[];
  readonly columns: GraphView['nodes'];
}

function nodeColumns(scopes: readonly ViewScope[], wiring: Wiring, { hierarchy, inferred }: { hierarchy: Hierarchy; inferred: InferredTypes }): NodeColumns {
  const count = hierarchy.groupOf.length;
  const operators: string[] = [];
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const columns = { operator: new Uint32Array(count), scope: new Uint32Array(count), index: new Uint32Array(count), flops: new Float64Array(count) };
  const parameters = new Float64Array(count);
  const elements = Float64Array.from(wiring.stored, elementsOf);
  for (const [scope, { owner, firstNode }] of scopes.entries()) {
    for (let index = 0; index < owner.nodes.length; index++) {
      const { name, op, domain } = owner.nodes[index] ?? { name: '', op: '', domain: '' };
      const label = domain === '' ? op : `${domain}.${op}`;
      let number = numbers.get(label);
      if (number === undefined) {
        number = operators.push(label) - 1;
        numbers.set(label, number);
      }
      const node = firstNode + index;
      names.push(name);
      columns.operator[node] = number;
      columns.scope[node] = scope;
      columns.index[node] = index;
      parameters[node] = parametersOf(node, wiring, elements);
    }
  }
  inferred.visit((node, at) => {
    columns.flops[node] = countFlops(at.node, at.inputs, at.outputs);
  });
  const { inputStarts, inputs, outputStarts, outputs } = wiring;
  return { operators, columns: { names, ...columns, group: hierarchy.groupOf, inputStarts, inputs, outputStarts, outputs, parameters } };
}

/** A value that a node takes twice counts once. */
function parametersOf(node: number, wiring: Wiring, elements: Float64Array): number {
  let sum = 0;
  const begin = wiring.inputStarts[node] ?? 0;
  const end = wiring.inputStarts[node + 1] ?? 0;
  for (let i = begin; i < end; i++) {
    const value = wiring.inputs[i] ?? NO_VALUE;
    const stored = value === NO_VALUE ? NO_VALUE : (wiring.initializer[value] ?? NO_VALUE);
    if (stored !== NO_VALUE && wiring.inputs.indexOf(value, begin) === i) sum += elements[stored] ?? 0;
  }
  return sum;
}

function elementsOf(stored: StoredValue): number {
  return countOf(stored.sparse?.dims ?? stored.tensor?.dims ?? describeStored(stored).shape) ?? 0;
}

function describeInitializers(
  scopes: readonly ViewScope[],
  wiring: Wiring,
  { inferred, groups }: { inferred: InferredTypes; groups: ReadonlySet<string> },
): GraphInitializer[] {
  const { uses, graphs } = countUses(scopes, wiring);
  return wiring.stored.map((stored, index) => {
    const { scope, value, constant, sparse } = stored;
    const { code, type, shape, bytes, place, problem } = describeStored(stored);
    const name = wiring.names[value] ?? '';
    const path = scopes[scope]?.scope.path ?? '';
    const full = path === '' ? name : `${path}/${name}`;
    const group = groups.has(full) ? full : sparse !== null && groups.has(`${full}/#values`) ? `${full}/#values` : null;
    const isInput = constant === null && ((wiring.role[value] ?? 0) & 1) === 1;
    return {
      name,
      scope,
      value,
      type,
      shape,
      bytes,
      place,
      group,
      isInput,
      uses: uses[index] ?? 0,
      usedInGraphs: graphs[index] ?? 1,
      problem: problem ?? (isInput ? inputProblem(scopes[scope], { name, code, shape, inferred: inferred.types[value] ?? null }) : null),
    };
  });
}

/** The initializer and the input of one name must agree (https://github.com/onnx/onnx/blob/main/docs/IR.md). */
function inputProblem(
  entry: ViewScope | undefined,
  own: { readonly name: string; readonly code: number; readonly shape: readonly number[]; readonly inferred: InferredTypes['types'][number] },
): string | null {
  if (entry === undefined || isFunction(entry.owner)) return null;
  const type = entry.owner.inputs.find(({ name }) => name === own.name)?.type;
  if (type?.kind !== 'tensor') return null;
  const dims = type.dims;
  const agrees = dims === null || (dims.length === own.shape.length && dims.every((dim, axis) => typeof dim !== 'number' || dim === own.shape[axis]));
  if (agrees && (type.elementType === own.code || type.elementType === 0)) return null;
  return `The graph's input of this name is ${formatType(refine({ element: type.elementType, dims }, null) ?? { element: 0, dims: null })}, the initializer ${formatType({ element: own.code, dims: own.shape })}.`;
}

function countUses(scopes: readonly ViewScope[], wiring: Wiring): { readonly uses: Uint32Array; readonly graphs: Uint32Array } {
  const uses = new Uint32Array(wiring.stored.length);
  const graphs = new Uint32Array(wiring.stored.length).fill(1);
  /** Graphs that use one, where they are others than its own, which counts from the start. */
  const others = new Map<number, Set<number>>();
  const count = (value: number, scope: number) => {
    const index = value === NO_VALUE ? NO_VALUE : (wiring.initializer[value] ?? NO_VALUE);
    if (index === NO_VALUE) return;
    uses[index] = (uses[index] ?? 0) + 1;
    if (scope === wiring.stored[index]?.scope) return;
    const seen = others.get(index) ?? new Set();
    others.set(index, seen.add(scope));
    graphs[index] = 1 + seen.size;
  };
  for (const [scope, { owner, firstNode }] of scopes.entries()) {
    const end = wiring.inputStarts[firstNode + owner.nodes.length] ?? 0;
    for (let i = wiring.inputStarts[firstNode] ?? 0; i < end; i++) count(wiring.inputs[i] ?? NO_VALUE, scope);
  }
  for (const { scope, value } of wiring.results) count(value, scope);
  return { uses, graphs };
}

/** Sums for every group: each initializer once, however many nodes inside use it. */
function withTotals(
  hierarchy: Hierarchy,
  at: { readonly nodes: NodeColumns; readonly wiring: Wiring; readonly initializers: readonly GraphInitializer[] },
): GraphView['groups'] {
  const { groups, groupOf } = hierarchy;
  const { wiring } = at;
  const nodes = new Float64Array(groups.length);
  const flops = new Float64Array(groups.length);
  for (const [node, group] of groupOf.entries()) {
    nodes[group] = (nodes[group] ?? 0) + 1;
    flops[group] = (flops[group] ?? 0) + (at.nodes.columns.flops[node] ?? Number.NaN);
  }
  for (let group = groups.length - 1; group > 0; group--) {
    const parent = groups[group]?.parent ?? -1;
    if (parent < 0) continue;
    nodes[parent] = (nodes[parent] ?? 0) + (nodes[group] ?? 0);
    flops[parent] = (flops[parent] ?? 0) + (flops[group] ?? 0);
  }
  /** Uses of each initializer, the last one first: `next` of a use is the one before it. */
  const last = new Int32Array(at.initializers.length).fill(-1);
  const next = new Int32Array(wiring.inputs.length);
  const user = new Uint32Array(wiring.inputs.length);
  for (let node = 0; node < groupOf.length; node++) {
    for (let i = wiring.inputStarts[node] ?? 0; i < (wiring.inputStarts[node + 1] ?? 0); i++) {
      const value = wiring.inputs[i] ?? NO_VALUE;
      const index = value === NO_VALUE ? NO_VALUE : (wiring.initializer[value] ?? NO_VALUE);
      if (index === NO_VALUE) continue;
      next[i] = last[index] ?? -1;
      last[index] = i;
      user[i] = groupOf[node] ?? 0;
    }
  }
  const parameters = new Float64Array(groups.length);
  const seen = new Int32Array(groups.length).fill(-1);
  for (let index = 0; index < last.length; index++) {
    const elements = countOf(at.initializers[index]?.shape ?? []) ?? 0;
    for (let use = last[index] ?? -1; use >= 0; use = next[use] ?? -1) {
      for (let group = user[use] ?? 0; group >= 0 && seen[group] !== index; group = groups[group]?.parent ?? -1) {
        seen[group] = index;
        parameters[group] = (parameters[group] ?? 0) + elements;
      }
    }
  }
  return groups.map((group, index) => {
    const sum = flops[index] ?? Number.NaN;
    const { kind, label, path, parent, scope } = group;
    return { kind, label, path, parent, scope, nodes: nodes[index] ?? 0, parameters: parameters[index] ?? 0, flops: Number.isNaN(sum) ? null : sum };
  });
}

function placeFindings(scopes: readonly ViewScope[], findings: ViewOptions['findings']): GraphFinding[] {
  const byPath = new Map(scopes.map(({ scope }, index) => [scope.path, index]));
  const placed = findings.map(({ severity, text, owner, node }): GraphFinding => {
    const scope = byPath.get(owner) ?? 0;
    // What is found in the graphs of training belongs to no node that is shown.
    const inside = node !== null && byPath.has(owner) && node < (scopes[scope]?.owner.nodes.length ?? 0);
    return { severity, text, scope, node: inside ? (scopes[scope]?.firstNode ?? 0) + node : null };
  });
  return [...placed.filter(({ severity }) => severity === 'error'), ...placed.filter(({ severity }) => severity === 'warning')];
}
