import { thousands } from '../base/thousands';
import { type GraphGroup, type GraphInitializer, type GraphView, NO_VALUE } from './graph';

/**
 * What stands in a box of the graph and how large the box is, in units of a pixel at zoom 1. The layout takes its sizes from here and the
 * window draws by the same numbers.
 */
export const BOX = {
  /** Between the border and the text. */
  paddingX: 10,
  paddingY: 7,
  /** Height of a line of text. */
  line: 16,
  /** Between the operator with its name and the initializers below. */
  gap: 4,
  /** Width of a character: the widest of the font in use at this size, on average. */
  character: 7,
  minWidth: 56,
  maxWidth: 260,
  /** Lines of initializers; where there are more, the last line says how many are left. */
  initializers: 4,
  /** Title bar of an open group. */
  header: 26,
  /** Between the frame of an open group and what is in it. */
  framePadding: 14,
} as const;

export interface BoxText {
  /** Operator, label of the group, name of the value. */
  readonly title: string;
  /** Second line; empty for none. */
  readonly subtitle: string;
  /** Further lines: initializers with their shapes. */
  readonly lines: readonly string[];
}

export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

const MAX_CHARACTERS = Math.floor((BOX.maxWidth - 2 * BOX.paddingX) / BOX.character);

/** At most `max` characters: the middle gives way, because names differ at their ends. */
export function shortenMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.ceil((max - 1) * 0.6);
  return `${text.slice(0, max - 1 - end)}…${text.slice(text.length - end)}`;
}

/** The text of an operator's box: operator, the part of the name that its group does not say already, initializers. */
export function nodeBoxText(view: GraphView, node: number): BoxText {
  const operator = view.operators[view.nodes.operator[node] ?? 0] ?? '';
  const shown: string[] = [];
  let count = 0;
  for (let i = view.nodes.inputStarts[node] ?? 0; i < (view.nodes.inputStarts[node + 1] ?? 0); i++) {
    const value = view.nodes.inputs[i] ?? NO_VALUE;
    const index = value === NO_VALUE ? NO_VALUE : (view.values.initializer[value] ?? NO_VALUE);
    const initializer = view.initializers[index];
    if (initializer === undefined) continue;
    count++;
    if (shown.length < BOX.initializers) shown.push(initializerLine(initializer));
  }
  if (count > BOX.initializers) shown[BOX.initializers - 1] = `and ${count - BOX.initializers + 1} more`;
  return { title: shortenMiddle(operator, MAX_CHARACTERS), subtitle: shortenMiddle(nameInGroup(view, node, operator), MAX_CHARACTERS), lines: shown };
}

/** `weight [64, 3, 7, 7]`: the last part of the name is what tells the initializers of a node apart. */
function initializerLine({ name, shape }: GraphInitializer): string {
  const extents = shape.length === 0 ? '' : ` [${shape.join(', ')}]`;
  const end = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.', name.length - 2)) + 1);
  // `constant.3` says more than `3`.
  const last = /^\d*$/.test(end) ? name : end;
  return shortenMiddle(last, Math.max(6, MAX_CHARACTERS - extents.length)) + (extents.length > MAX_CHARACTERS - 6 ? '' : extents);
}

function nameInGroup(view: GraphView, node: number, operator: string): string {
  const name = view.nodes.names[node] ?? '';
  const separator = name.includes('/') ? '/' : '.';
  const parts = name.split(separator, 64).filter((part) => part !== '');
  const path = view.groups[view.nodes.group[node] ?? 0]?.path ?? '';
  const above = path === '' ? [] : path.split('/', 64);
  let same = 0;
  while (same < parts.length && same < above.length && parts[same] === above[same]) same++;
  const rest = parts.slice(same);
  const last = rest.at(-1) ?? '';
  // `Conv` below an operator `Conv` says nothing; `Conv_1` does.
  if (last === operator) rest.pop();
  return rest.join(separator);
}

/** The text of a closed group's box. */
export function groupBoxText(group: Pick<GraphGroup, 'label' | 'nodes' | 'parameters'>): BoxText {
  const operators = `${thousands(group.nodes)} ${group.nodes === 1 ? 'operator' : 'operators'}`;
  const parameters = group.parameters === 0 ? [] : [`${shortCount(group.parameters)} ${group.parameters === 1 ? 'parameter' : 'parameters'}`];
  return { title: shortenMiddle(group.label, MAX_CHARACTERS), subtitle: operators, lines: parameters };
}

/** `950`, `1.2 k`, `46.8 k`, `14.7 M`, `7.0 G`. */
export function shortCount(count: number): string {
  for (const [unit, size] of [
    ['T', 1e12],
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    // 999,950 would read 1000.0 k.
    if (count >= size * 0.99995) return `${(count / size).toFixed(1)} ${unit}`;
  }
  return String(count);
}

/** The text of an input, an output, or the end of an edge that is not drawn. */
export function valueBoxText(view: GraphView, value: number): BoxText {
  const name = view.values.names[value] ?? '';
  return { title: shortenMiddle(name, MAX_CHARACTERS), subtitle: shortenMiddle(view.values.types[value] ?? '', MAX_CHARACTERS), lines: [] };
}

/** A stub is small: the name alone. */
export function stubBoxText(view: GraphView, value: number): BoxText {
  return { title: shortenMiddle(view.values.names[value] ?? '', MAX_CHARACTERS), subtitle: '', lines: [] };
}

/** Size of a box that holds this text: padding, one line for each text, the longest line across, between the limits. */
export function boxSize(text: BoxText): BoxSize {
  const longest = Math.max(text.title.length, text.subtitle.length, ...text.lines.map((line) => line.length));
  const width = Math.min(BOX.maxWidth, Math.max(BOX.minWidth, 2 * BOX.paddingX + longest * BOX.character));
  const lines = 1 + (text.subtitle === '' ? 0 : 1) + text.lines.length;
  return { width, height: 2 * BOX.paddingY + lines * BOX.line + (text.lines.length > 0 ? BOX.gap : 0) };
}

export function nodeBoxSize(view: GraphView, node: number): BoxSize {
  return boxSize(nodeBoxText(view, node));
}
