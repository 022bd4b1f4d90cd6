import { type GraphView, NO_VALUE } from '../../shared/model/graph';
import { inputsOf } from './graphScene';

/** A number for every node and every group; NaN where there is none. */
export interface OverlayNumbers {
  readonly ofNode: Float64Array;
  readonly ofGroup: Float64Array;
}

/** What is known of one tensor. */
export interface TensorNumber {
  readonly value: number;
  /** How much it counts in a mean: its elements. */
  readonly weight: number;
}

/** How the numbers of several tensors become one: as if they were one tensor (`norm`), by their mean (`mean`), or the one furthest from zero (`extreme`). */
export type OverlayJoin = 'norm' | 'mean' | 'extreme';

export function parameterNumbers({ nodes, groups }: GraphView): OverlayNumbers {
  return {
    ofNode: nodes.parameters.map((count) => (count > 0 ? count : Number.NaN)),
    ofGroup: Float64Array.from(groups, ({ parameters }) => parameters || Number.NaN),
  };
}

export function flopNumbers({ nodes, groups }: GraphView): OverlayNumbers {
  return { ofNode: nodes.flops.slice(), ofGroup: Float64Array.from(groups, ({ flops }) => flops ?? Number.NaN) };
}

/** Numbers of tensors, carried to the nodes that use them and to the groups around these; each tensor counts once in a group. */
export function tensorNumbers(view: GraphView, numberOf: (initializer: number) => TensorNumber | null, join: OverlayJoin): OverlayNumbers {
  const used: Set<number>[] = view.groups.map(() => new Set());
  const ofNode = new Float64Array(view.nodes.names.length);
  for (let node = 0; node < ofNode.length; node++) {
    const own = initializersOf(view, node);
    ofNode[node] = joinNumbers(own.map(numberOf), join);
    if (own.length === 0) continue;
    for (let group = view.nodes.group[node] ?? -1, depth = 0; group >= 0 && depth <= view.groups.length; depth++) {
      for (const initializer of own) used[group]?.add(initializer);
      group = view.groups[group]?.parent ?? -1;
    }
  }
  return { ofNode, ofGroup: Float64Array.from(used, (set) => joinNumbers([...set].map(numberOf), join)) };
}

/** Numbers by name, as a user's table has them: names of operators, of tensors, of their parameter groups, or paths of groups. */
export function namedNumbers(view: GraphView, numbers: ReadonlyMap<string, number>): OverlayNumbers {
  const tensors = tensorNumbers(
    view,
    (initializer) => {
      const { name, group } = view.initializers[initializer] ?? { name: '', group: null };
      const value = numbers.get(name) ?? (group === null ? undefined : numbers.get(group));
      return value === undefined ? null : { value, weight: 1 };
    },
    'extreme',
  );
  const ofNode = tensors.ofNode.map((value, node) => numbers.get(view.nodes.names[node] ?? '') ?? value);
  const inside: number[][] = view.groups.map(() => []);
  ofNode.forEach((value, node) => {
    if (Number.isNaN(value)) return;
    for (let group = view.nodes.group[node] ?? -1, depth = 0; group >= 0 && depth <= view.groups.length; depth++) {
      inside[group]?.push(value);
      group = view.groups[group]?.parent ?? -1;
    }
  });
  const ofGroup = Float64Array.from(view.groups, ({ path }, group) => {
    const own = path === '' ? undefined : numbers.get(path);
    return (
      own ??
      joinNumbers(
        (inside[group] ?? []).map((value) => ({ value, weight: 1 })),
        'extreme',
      )
    );
  });
  return { ofNode, ofGroup };
}

export function initializersOf(view: GraphView, node: number): number[] {
  const found: number[] = [];
  for (const value of inputsOf(view, node)) {
    const initializer = value === NO_VALUE ? NO_VALUE : (view.values.initializer[value] ?? NO_VALUE);
    if (initializer !== NO_VALUE && !found.includes(initializer)) found.push(initializer);
  }
  return found;
}

function joinNumbers(numbers: readonly (TensorNumber | null)[], join: OverlayJoin): number {
  const known = numbers.filter((number) => number !== null);
  if (known.length === 0) return Number.NaN;
  switch (join) {
    case 'norm':
      return Math.sqrt(known.reduce((sum, { value }) => sum + value ** 2, 0));
    case 'mean': {
      const weight = known.reduce((sum, number) => sum + number.weight, 0);
      return weight === 0 ? Number.NaN : known.reduce((sum, number) => sum + number.value * number.weight, 0) / weight;
    }
    case 'extreme':
      return known.reduce((most, { value }) => (Math.abs(value) > Math.abs(most) ? value : most), known[0]?.value ?? Number.NaN);
  }
}

export interface NamedNumbers {
  readonly numbers: ReadonlyMap<string, number>;
  /** Lines that hold no number, the head left out. */
  readonly skipped: number;
}

/** Reads a table of two columns, name and number: separated by comma, semicolon or tab, names quoted where they hold one. */
export function parseNamedNumbers(text: string): NamedNumbers {
  const numbers = new Map<string, number>();
  let skipped = 0;
  text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .forEach((line, at) => {
      if (line.trim() === '') return;
      const parts = /^\s*(?:"((?:[^"]|"")*)"|(.*?))\s*[,;\t]\s*"?([^",;\t]*)"?\s*$/.exec(line);
      const name = parts?.[1]?.replaceAll('""', '"') ?? parts?.[2];
      const value = parseNumber(parts?.[3] ?? '');
      if (name === undefined || name === '' || value === null) {
        if (at > 0) skipped++;
        return;
      }
      numbers.set(name, value);
    });
  return { numbers, skipped };
}

function parseNumber(text: string): number | null {
  const word = text.trim().toLowerCase();
  if (word === '') return null;
  if (/^[+-]?inf(?:inity)?$/.test(word)) return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const value = Number(word);
  return Number.isNaN(value) ? null : value;
}
