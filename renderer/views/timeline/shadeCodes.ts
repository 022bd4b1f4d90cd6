import { type NumberScale, scaleOf, shareOf } from '../../charts/numberScale';
import { CELL_FAILED, CELL_NO_NUMBER, CELL_UNCHANGED, CELL_UNKNOWN, type CodeSource, SHADE_COUNT, SHADES } from '../../charts/timelineCodes';
import { type CellNumbers, MEASURE_LOOKS, type Measure } from '../../state/cellNumbers';
import type { ModuleNumbers } from './moduleNumbers';

/** How the cells of a measure are coloured; `null` codes by update type. */
export interface Shading {
  readonly scale: NumberScale;
  readonly shadeOf: NonNullable<CodeSource['shadeOf']>;
  readonly moduleShadeOf: CodeSource['moduleShadeOf'];
}

export function shadeMeasure(measure: Measure, numbers: CellNumbers, modules: ModuleNumbers): Shading {
  const { source, scale: kind } = MEASURE_LOOKS[measure];
  const scale = scaleOf(kind, numbers.range(measure));
  const codeOf = (value: number) => {
    if (Number.isNaN(value)) return CELL_NO_NUMBER;
    return SHADES + Math.round(shareOf(scale, value) * (SHADE_COUNT - 1));
  };
  return {
    scale,
    shadeOf: (entry, isHere) => {
      // What a commit left as it was has not moved; nobody has to measure that.
      if (source === 'differences' && !isHere) return CELL_UNCHANGED;
      switch (numbers.status(source, entry)) {
        case 'known':
          return codeOf(numbers.value(measure, entry));
        case 'unknown':
          return CELL_UNKNOWN;
        case 'none':
          return CELL_NO_NUMBER;
        case 'failed':
          return CELL_FAILED;
      }
    },
    moduleShadeOf: (place, column) => {
      const { value, known, total } = modules.at(measure, place, column);
      if (total === 0) return CELL_UNCHANGED;
      return known === 0 ? CELL_UNKNOWN : codeOf(value);
    },
  };
}
