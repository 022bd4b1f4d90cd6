import { useMemo } from 'react';
import type { GraphView } from '../../../shared/model/graph';
import { formatNumber, formatShare } from '../../charts/formatNumber';
import { flopNumbers, namedNumbers, type OverlayNumbers, parameterNumbers, tensorNumbers } from '../../charts/graphOverlay';
import type { GraphItem } from '../../charts/graphScene';
import { HEAT_PALETTES, shadeAt } from '../../charts/heatCells';
import { NO_RANGE, type NumberScale, scaleOf, shareOf, widenRange } from '../../charts/numberScale';
import { prefersDarkText } from '../../charts/prefersDarkText';
import type { GraphColours } from '../../components/graph/graphColours';
import { familyLooks, type GraphLook, type GraphLooks } from '../../components/graph/graphLooks';
import type { GraphOverlayState, Overlay } from '../../state/graphOverlayStore';
import { useStore, useStores } from '../../state/storesContext';

export const OVERLAY_WORDS: { readonly [O in Overlay]: { readonly label: string; readonly short: string } } = {
  family: { label: 'Kind of operator', short: 'kind' },
  parameters: { label: 'Parameters', short: 'parameters' },
  flops: { label: 'FLOPs', short: 'FLOPs' },
  norm: { label: 'Norm', short: 'norm' },
  sparsity: { label: 'Sparsity', short: 'zeros' },
  delta: { label: '‖Δ‖ against a version', short: '‖Δ‖' },
  table: { label: 'A table (CSV)', short: 'table' },
};

export interface ShownLooks {
  readonly looks: GraphLooks;
  /** `null` for the kinds of operators. */
  readonly numbers: {
    readonly overlay: Overlay;
    readonly scale: NumberScale;
    readonly ramp: readonly string[];
    /** All numbers are zero, or there is none. */ readonly isEmpty: boolean;
    readonly found: OverlayNumbers;
  } | null;
}

/** Looks of all boxes by what they are to be coloured by. */
export function useGraphLooks(view: GraphView, colours: GraphColours): ShownLooks {
  const { graphOverlay } = useStores();
  const overlay = useStore(graphOverlay, (state) => state.overlay);
  const numbers = useStore(graphOverlay, (state) => state.numbers);
  const table = useStore(graphOverlay, (state) => state.table);
  const turn = useStore(graphOverlay, (state) => state.turn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the numbers come in place, and the turn tells when
  return useMemo(() => {
    const found = overlay === 'family' ? null : overlayNumbers(view, { overlay, numbers, table });
    if (found === null) return { looks: familyLooks(view, colours), numbers: null };
    return shadedLooks(found, { overlay, colours });
  }, [view, colours, overlay, numbers, table, turn]);
}

function overlayNumbers(view: GraphView, { overlay, numbers, table }: Pick<GraphOverlayState, 'overlay' | 'numbers' | 'table'>): OverlayNumbers | null {
  const numberOf = (initializer: number) => numbers.get(view.initializers[initializer]?.group ?? '') ?? null;
  switch (overlay) {
    case 'family':
      return null;
    case 'parameters':
      return parameterNumbers(view);
    case 'flops':
      return flopNumbers(view);
    case 'norm':
    case 'delta':
      return tensorNumbers(view, numberOf, 'norm');
    case 'sparsity':
      return tensorNumbers(view, numberOf, 'mean');
    case 'table':
      return table === null ? null : namedNumbers(view, table.numbers);
  }
}

const SHADES = 32;
/** The palest shade is still no surface. */
const PALEST = 0.14;

function shadedLooks(found: OverlayNumbers, { overlay, colours }: { readonly overlay: Overlay; readonly colours: GraphColours }): ShownLooks {
  let range = NO_RANGE;
  let isNegative = false;
  for (const value of found.ofNode) {
    if (Number.isNaN(value)) continue;
    range = widenRange(range, value);
    isNegative ||= value < 0;
  }
  for (const value of found.ofGroup.subarray(1)) if (!Number.isNaN(value)) range = widenRange(range, value);
  const scale = scaleOf(overlay === 'sparsity' ? 'linear' : isNegative ? 'diverging' : 'log', range);
  const palette = colours.isDark ? HEAT_PALETTES.dark : HEAT_PALETTES.light;
  const stops = isNegative ? palette.diverging : palette.sequential;
  const shade = (share: number) => shadeAt(stops, isNegative ? share : PALEST + (1 - PALEST) * share);
  const list: GraphLook[] = Array.from({ length: SHADES }, (_, at) => {
    const rgb = shade(at / (SHADES - 1));
    const css = `#${rgb.toString(16).padStart(6, '0')}`;
    return { fill: css, soft: css, text: prefersDarkText(rgb) ? '#1c2024' : '#ffffff', mark: '', word: '' };
  });
  list.push({ fill: colours.line, soft: colours.surface, text: colours.muted, mark: '', word: 'no number', isDashed: true });
  const place = (value: number) => (Number.isNaN(value) ? SHADES : Math.round(shareOf(scale, clampInfinite(value, scale)) * (SHADES - 1)));
  const write = (value: number) => (overlay === 'sparsity' ? `${formatShare(value)} zeros` : `${OVERLAY_WORDS[overlay].short} ${formatNumber(value)}`);
  return {
    looks: {
      list,
      ofNode: Uint16Array.from(found.ofNode, place),
      ofGroup: Uint16Array.from(found.ofGroup, place),
      noteOf: (item: GraphItem) => {
        const value = item.kind === 'node' ? found.ofNode[item.ref] : item.kind === 'group' ? found.ofGroup[item.ref] : undefined;
        return value === undefined || Number.isNaN(value) ? null : write(value);
      },
    },
    numbers: { overlay, scale, ramp: list.slice(0, SHADES).map(({ fill }) => fill), isEmpty: range.greatest === 0, found },
  };
}

function clampInfinite(value: number, { low, high }: NumberScale): number {
  return Number.isFinite(value) ? value : value > 0 ? high : low;
}
