import { type GraphView, NO_VALUE } from '../../shared/model/graph';
import type { NodeAddress } from '../../shared/model/graphEdit';

/** A module or a node of a model that can be taken into another one. */
export interface Piece {
  /** As a person would type it: `encoder/conv`, `/encoder/conv/Conv`, `Conv number 12`. */
  readonly name: string;
  readonly words: string;
  /** In the main graph. */
  readonly nodes: readonly number[];
}

/** What goes into a piece and comes out of it: values of the model that it is from. Initializers and constants come along with it. */
export interface PieceEnds {
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/** The model's main graph alone can be taken from. */
const MAIN = 0;

/** Modules first, then nodes; of several with one name the first. */
export function piecesOf(view: GraphView): ReadonlyMap<string, Piece> {
  const pieces = new Map<string, Piece>();
  const inGroup = new Map<number, number[]>();
  for (let node = 0; node < view.nodes.names.length; node++) {
    if (view.nodes.scope[node] !== MAIN) continue;
    for (let group = view.nodes.group[node] ?? 0; group > 0; group = view.groups[group]?.parent ?? -1) {
      const nodes = inGroup.get(group);
      if (nodes === undefined) inGroup.set(group, [node]);
      else nodes.push(node);
    }
  }
  for (const [group, { kind, path, scope }] of view.groups.entries()) {
    const nodes = inGroup.get(group);
    if (nodes === undefined || scope !== MAIN || (kind !== 'module' && kind !== 'values') || pieces.has(path)) continue;
    pieces.set(path, { name: path, words: `module with ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}`, nodes });
  }
  for (let node = 0; node < view.nodes.names.length; node++) {
    if (view.nodes.scope[node] !== MAIN) continue;
    const operator = view.operators[view.nodes.operator[node] ?? -1] ?? 'node';
    const given = view.nodes.names[node] ?? '';
    const name = given === '' ? `${operator} number ${view.nodes.index[node] ?? 0}` : given;
    if (!pieces.has(name)) pieces.set(name, { name, words: operator, nodes: [node] });
  }
  return pieces;
}

export function addressesOf(view: GraphView, nodes: readonly number[]): readonly NodeAddress[] {
  return nodes.map((node) => ({ graph: view.scopes[view.nodes.scope[node] ?? MAIN]?.path ?? '', index: view.nodes.index[node] ?? 0 }));
}

export function endsOf(view: GraphView, nodes: readonly number[]): PieceEnds {
  const { values } = view;
  const inside = new Set(nodes);
  // Bodies go with the node that holds them; a graph stands before those inside it.
  const inner = new Set<number>();
  for (const [scope, { parent }] of view.scopes.entries()) {
    if (parent === null || (!inner.has(parent.scope) && !inside.has(parent.node))) continue;
    inner.add(scope);
  }
  for (let node = 0; node < view.nodes.scope.length; node++) if (inner.has(view.nodes.scope[node] ?? MAIN)) inside.add(node);
  const inputs = new Set<number>();
  const outputs = new Set<number>();
  for (let node = 0; node < view.nodes.names.length; node++) {
    for (let i = view.nodes.inputStarts[node] ?? 0; i < (view.nodes.inputStarts[node + 1] ?? 0); i++) {
      const value = view.nodes.inputs[i] ?? NO_VALUE;
      if (value === NO_VALUE || inner.has(values.scope[value] ?? MAIN)) continue;
      const isMadeInside = inside.has(values.producer[value] ?? NO_VALUE);
      if (inside.has(node)) {
        if (!isMadeInside && values.initializer[value] === NO_VALUE) inputs.add(value);
      } else if (isMadeInside) outputs.add(value);
    }
  }
  for (const node of nodes) {
    for (let i = view.nodes.outputStarts[node] ?? 0; i < (view.nodes.outputStarts[node + 1] ?? 0); i++) {
      const value = view.nodes.outputs[i] ?? NO_VALUE;
      if (value !== NO_VALUE && ((values.role[value] ?? 0) & 2) !== 0) outputs.add(value);
    }
  }
  return { inputs: [...inputs].sort((a, b) => a - b), outputs: [...outputs].sort((a, b) => a - b) };
}

/** Values of the main graph by name. */
export function valuesByName({ values }: GraphView): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [value, name] of values.names.entries()) if (name !== '' && values.scope[value] === MAIN && !found.has(name)) found.set(name, value);
  return found;
}

/**
 * A value of this model that a value of the other one most likely stands for: that of the same name, or else the only one that has its type and is no initializer;
 * `''` when there is none, or several.
 * @param names `valuesByName(here)`
 */
export function likelyValue(here: GraphView, names: ReadonlyMap<string, number>, there: { readonly view: GraphView; readonly value: number }): string {
  const { values } = there.view;
  const name = values.names[there.value] ?? '';
  if (names.has(name)) return name;
  const type = values.types[there.value] ?? '';
  if (type === '') return '';
  let found = '';
  for (const [candidate, value] of names) {
    if (here.values.types[value] !== type || here.values.initializer[value] !== NO_VALUE) continue;
    if (found !== '') return '';
    found = candidate;
  }
  return found;
}
