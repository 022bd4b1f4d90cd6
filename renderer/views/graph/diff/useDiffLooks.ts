import { useMemo } from 'react';
import { GRAPH_CHANGES, type GraphChangeKind } from '../../../../shared/model/graphEdit';
import { formatNumber } from '../../../charts/formatNumber';
import type { DiffSideName, GraphDiffIndex } from '../../../charts/graphDiff';
import { CHANGE_GLYPHS, CHANGE_WORDS, groupMark, groupSentence } from '../../../charts/graphDiffWords';
import { tensorNumbers } from '../../../charts/graphOverlay';
import type { GraphItem } from '../../../charts/graphScene';
import { HEAT_PALETTES, shadeAt } from '../../../charts/heatCells';
import { NO_RANGE, type NumberScale, scaleOf, shareOf, widenRange } from '../../../charts/numberScale';
import { prefersDarkText } from '../../../charts/prefersDarkText';
import type { GraphColours } from '../../../components/graph/graphColours';
import type { GraphLook, GraphLooks } from '../../../components/graph/graphLooks';
import { updateLook } from '../../../components/updateLook';
import type { InitializerNumbers } from '../../../state/graphDiffNumbers';
import { useStore, useStores } from '../../../state/storesContext';

/** Hues of the kinds of change, by the names that they have elsewhere in the window. */
export const CHANGE_HUES: Readonly<Record<GraphChangeKind, string>> = {
  added: 'added',
  removed: 'removed',
  changed: 'sparse',
  renamed: 'renamed',
  moved: 'ia3',
  value: 'dense',
};

export interface DiffLooks {
  readonly a: GraphLooks;
  readonly b: GraphLooks;
  /** Both sides in one picture. */
  readonly both: GraphLooks;
  /** Of ‖Δ‖; `null` while nothing is measured. */
  readonly scale: NumberScale | null;
  readonly ramp: readonly string[];
}

const SHADES = 32;
/** The palest shade is still no surface. */
const PALEST = 0.14;
const [PLAIN, GHOST, FIRST_KIND] = [0, 1, 2] as const;
const FIRST_SHADE = FIRST_KIND + GRAPH_CHANGES.length;

/** Looks of all boxes by what became of them; where only values differ, by ‖Δ‖. */
export function useDiffLooks(index: GraphDiffIndex, colours: GraphColours): DiffLooks {
  const { graphDiff } = useStores();
  const numbers = useStore(graphDiff, (state) => state.numbers);
  const turn = useStore(graphDiff, (state) => state.turn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the numbers come in place, and the turn tells when
  return useMemo(() => diffLooks(index, colours, numbers), [index, colours, numbers, turn]);
}

function diffLooks(index: GraphDiffIndex, colours: GraphColours, measured: ReadonlyMap<number, InitializerNumbers>): DiffLooks {
  const { view } = index.diff;
  const norms = tensorNumbers(
    view,
    (initializer) => {
      const numbers = measured.get(initializer)?.numbers;
      return numbers == null ? null : { value: numbers.norm, weight: numbers.elements };
    },
    'norm',
  );
  let range = NO_RANGE;
  for (const norm of norms.ofNode) range = widenRange(range, norm);
  // The model as a whole is never a box.
  for (const norm of norms.ofGroup.subarray(1)) range = widenRange(range, norm);
  const scale = range.greatest === 0 ? null : scaleOf('log', range);
  const base = baseLooks(colours);
  const shadeOf = (norm: number | undefined) =>
    norm === undefined || Number.isNaN(norm) || scale === null ? null : FIRST_SHADE + Math.round(shareOf(scale, Math.min(norm, scale.high)) * (SHADES - 1));

  const make = (side: DiffSideName | null): GraphLooks => {
    const list: GraphLook[] = base.map((look, place) =>
      side === null && place === FIRST_KIND + GRAPH_CHANGES.indexOf('removed') ? { ...look, isDashed: true } : look,
    );
    const isGhost = (item: GraphItem) => side !== null && !index.isIn(side, item);
    const placeOfNode = (node: number) => {
      if (isGhost({ kind: 'node', ref: node })) return GHOST;
      const kind = index.ofNode(node);
      if (kind === null) return PLAIN;
      return (kind === 'value' ? shadeOf(norms.ofNode[node]) : null) ?? FIRST_KIND + GRAPH_CHANGES.indexOf(kind);
    };
    const marked = new Map<string, number>();
    const placeOfGroup = (group: number) => {
      if (isGhost({ kind: 'group', ref: group })) return GHOST;
      const counts = index.ofGroup[group] ?? {};
      const kinds = GRAPH_CHANGES.filter((kind) => counts[kind] !== undefined);
      const [first, ...others] = kinds;
      if (first === undefined) return PLAIN;
      const kind = others.length > 0 ? 'changed' : first;
      const place = (kind === 'value' ? shadeOf(norms.ofGroup[group]) : null) ?? FIRST_KIND + GRAPH_CHANGES.indexOf(kind);
      const mark = groupMark(counts);
      const key = `${place} ${mark}`;
      const known = marked.get(key);
      if (known !== undefined) return known;
      const look = list[place];
      if (look !== undefined) list.push({ ...look, mark });
      marked.set(key, list.length - 1);
      return list.length - 1;
    };
    return {
      ofNode: Uint16Array.from(view.nodes.names, (_, node) => placeOfNode(node)),
      ofGroup: Uint16Array.from(view.groups, (_, group) => placeOfGroup(group)),
      list,
      noteOf: (item) => {
        const only = noteOfSide(index, item);
        const norm = item.kind === 'node' ? norms.ofNode[item.ref] : item.kind === 'group' ? norms.ofGroup[item.ref] : undefined;
        const notes = [only, wordsOf(index, item), norm === undefined || Number.isNaN(norm) ? '' : `‖Δ‖ ${formatNumber(norm)}`];
        const note = notes.filter((part) => part !== '').join('; ');
        return note === '' ? null : note;
      },
    };
  };
  return { a: make('a'), b: make('b'), both: make(null), scale, ramp: base.slice(FIRST_SHADE).map(({ fill }) => fill) };
}

export function noteOfSide(index: GraphDiffIndex, item: GraphItem): string {
  const [inA, inB] = [index.isIn('a', item), index.isIn('b', item)];
  return inA === inB ? '' : inA ? 'only in A' : 'only in B';
}

function wordsOf(index: GraphDiffIndex, item: GraphItem): string {
  if (item.kind === 'group') return groupSentence(index.ofGroup[item.ref] ?? {});
  const [first, ...others] = index.changesOf(item);
  const change = first === undefined ? undefined : index.diff.changes[first];
  if (change === undefined) return '';
  return `${CHANGE_WORDS[change.change]}: ${change.text}${others.length > 0 ? `, and ${others.length} more` : ''}`;
}

function baseLooks(colours: GraphColours): GraphLook[] {
  const style = getComputedStyle(document.documentElement);
  const token = (property: string) => style.getPropertyValue(property.replace(/^var\(|\)$/g, '')).trim();
  const plain: GraphLook = { fill: colours.line, soft: colours.surface, text: colours.text, mark: '', word: 'unchanged' };
  const ghost: GraphLook = { fill: colours.border, soft: colours.surface, text: colours.muted, mark: '', word: 'not on this side', isDashed: true };
  const kinds = GRAPH_CHANGES.map((kind): GraphLook => {
    const hue = updateLook(CHANGE_HUES[kind]);
    return { fill: token(hue.fill), soft: token(hue.soft), text: colours.text, mark: CHANGE_GLYPHS[kind], word: CHANGE_WORDS[kind] };
  });
  const stops = (colours.isDark ? HEAT_PALETTES.dark : HEAT_PALETTES.light).sequential;
  const shades = Array.from({ length: SHADES }, (_, at): GraphLook => {
    const rgb = shadeAt(stops, PALEST + ((1 - PALEST) * at) / (SHADES - 1));
    const css = `#${rgb.toString(16).padStart(6, '0')}`;
    return { fill: css, soft: css, text: prefersDarkText(rgb) ? '#101418' : '#ffffff', mark: CHANGE_GLYPHS.value, word: CHANGE_WORDS.value };
  });
  return [plain, ghost, ...kinds, ...shades];
}
