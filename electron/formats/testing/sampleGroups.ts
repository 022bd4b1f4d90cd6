import { DTYPES, type DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import type { GroupToWrite } from '../format';

const SHAPES: readonly Shape[] = [[], [0], [1], [7], [0, 3], [3, 0, 2], [2, 3], [1, 1, 5], [2, 1, 3, 2, 1]];

const NAMES = [
  'weight',
  '层.权重',
  'ünïcode 🤗',
  'with space',
  'a/b',
  '__proto__',
  'constructor',
  'toString',
  '',
  '.',
  '..',
  'quote"\\',
  'x'.repeat(5000),
  'new\nline',
];

/** For tests: every given type with every shape, and every name; one key to a group. */
export function sampleGroups(dtypes: readonly DType[] = DTYPES): GroupToWrite[] {
  const groups: GroupToWrite[] = [];
  for (const dtype of dtypes) for (const shape of SHAPES) groups.push({ keys: [`${dtype}.${shape.join('x')}`], dtype, shape });
  for (const name of NAMES) groups.push({ keys: [name], dtype: 'float32', shape: [3] });
  return groups;
}

/** For tests: bytes that differ from group to group and use all values. */
export function sampleBytes(groups: readonly GroupToWrite[]): Uint8Array[] {
  let state = 1;
  return groups.map(({ dtype, shape }) =>
    Uint8Array.from({ length: tensorBytes(dtype, shape) }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    }),
  );
}
