import { TIMELINE_KINDS } from '../../../shared/model/timeline';
import { colourTable, type HeatPalette, packed } from '../../charts/heatCells';
import { CELL_ABSENT, CELL_FAILED, CELL_NO_NUMBER, CELL_UNCHANGED, CELL_UNKNOWN, CODE_COUNT, MODULE_KINDS, SHADES } from '../../charts/timelineCodes';
import { updateLook } from '../../components/updateLook';

export interface TimelineColours {
  /** Pixel of each code, in this machine's byte order. */
  readonly pixels: Uint32Array<ArrayBuffer>;
  /** The same for cells too small for signs: modules are stronger there, or they would fade away. */
  readonly smallPixels: Uint32Array<ArrayBuffer>;
  readonly surface: string;
  /** Signs on a group's update, by code of the kind. */
  readonly onKind: string;
  /** Signs on a module's update, by code of the kind. */
  readonly moduleSigns: readonly string[];
  readonly moduleBars: readonly string[];
  readonly quiet: string;
  readonly failed: string;
}

/** Colours of the theme in force, read from the style sheet. */
export function readColours(element: Element, palette: HeatPalette, scale: 'diverging' | 'sequential'): TimelineColours {
  const css = readCss(element);
  const pixels = new Uint32Array(CODE_COUNT);
  TIMELINE_KINDS.forEach((kind, code) => {
    const look = updateLook(kind);
    pixels[code] = css.pixel(look.fill);
    pixels[MODULE_KINDS + code] = css.pixel(look.soft);
  });
  const strong = Uint32Array.from(TIMELINE_KINDS, (kind) => css.pixel(updateLook(kind).soft, updateLook(kind).fill));
  pixels[CELL_UNCHANGED] = css.pixel('var(--surface-hover)');
  pixels[CELL_ABSENT] = css.pixel('var(--surface)');
  pixels[CELL_FAILED] = css.pixel('var(--danger-soft)');
  pixels[CELL_UNKNOWN] = css.pixel('var(--surface-pressed)');
  pixels[CELL_NO_NUMBER] = packed(palette.nan);
  pixels.set(colourTable(palette[scale]), SHADES);
  const smallPixels = pixels.slice();
  smallPixels.set(strong, MODULE_KINDS);
  return {
    pixels,
    smallPixels,
    surface: css.text('var(--surface)'),
    onKind: css.text('var(--surface)'),
    moduleSigns: TIMELINE_KINDS.map((kind) => css.text(updateLook(kind).text)),
    moduleBars: TIMELINE_KINDS.map((kind) => css.text(updateLook(kind).fill)),
    quiet: css.text('var(--line-strong)'),
    failed: css.text('var(--danger)'),
  };
}

/** Resolves variables and every notation of colours by letting the browser paint them. */
function readCss(element: Element): { text(value: string): string; pixel(value: string, over?: string): number } {
  const style = getComputedStyle(element);
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const text = (value: string) => {
    const name = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    return name === undefined ? value : style.getPropertyValue(name).trim();
  };
  return {
    text,
    pixel: (value, over) => {
      if (context === null) return 0;
      context.fillStyle = '#808080';
      context.fillStyle = text(value);
      context.fillRect(0, 0, 1, 1);
      if (over !== undefined) {
        context.globalAlpha = 0.6;
        context.fillStyle = text(over);
        context.fillRect(0, 0, 1, 1);
        context.globalAlpha = 1;
      }
      const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
      return packed((red << 16) | (green << 8) | blue);
    },
  };
}
