import { useMemo } from 'react';
import { OPERATOR_FAMILIES, type OperatorFamily } from '../../charts/operatorFamilies';
import { useIsDark } from '../useCanvasLook';

/** Colours of the theme in force, as a canvas takes them. */
export interface GraphColours {
  readonly isDark: boolean;
  readonly surface: string;
  readonly frame: string;
  readonly frameDeep: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly edge: string;
  readonly border: string;
  readonly accent: string;
  /** What comes into the chosen box, and what it gives. */
  readonly input: string;
  readonly output: string;
  readonly hit: string;
  readonly stub: string;
  readonly group: string;
  readonly groupSoft: string;
  readonly families: { readonly [F in OperatorFamily]: { readonly fill: string; readonly soft: string } };
}

function readColours(isDark: boolean): GraphColours {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const families = Object.fromEntries(
    OPERATOR_FAMILIES.map((family) => [family, { fill: token(`family-${family}`), soft: token(`family-${family}-soft`) }]),
  ) as GraphColours['families'];
  return {
    isDark,
    surface: token('surface'),
    frame: token('surface-frame'),
    frameDeep: token('surface-frame-deep'),
    text: token('text'),
    muted: token('text-muted'),
    line: token('line-strong'),
    edge: token('line-control'),
    border: token('line-control'),
    accent: token('focus'),
    input: token('update-dense'),
    output: token('update-sparse'),
    hit: token('warning'),
    stub: token('surface-pressed'),
    group: token('text-muted'),
    groupSoft: token('surface-raised'),
    families,
  };
}

/** Read anew when the theme changes. */
export function useGraphColours(): GraphColours {
  const isDark = useIsDark();
  return useMemo(() => readColours(isDark), [isDark]);
}
