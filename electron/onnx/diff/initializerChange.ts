import type { GraphChange } from '../../../shared/model/graphEdit';
import { elementCount } from '../../../shared/model/shape';
import { decodeToFloat64 } from '../../tensors/decode';
import type { OnnxTensor } from '../model/onnxModel';
import { elementType } from '../values/elementTypes';
import { tensorBytes } from '../values/tensorBytes';
import type { InitializerPair } from './matchInitializers';
import type { DiffSide } from './modelDiff';

/** Larger ones are only said to differ: `theta compare` measures them block by block. */
const MAX_MEASURED_BYTES = 64 * 1024 * 1024;

export interface InitializerTensors {
  readonly tensors: { readonly a: OnnxTensor | null; readonly b: OnnxTensor | null };
  readonly sides: { readonly a: DiffSide; readonly b: DiffSide };
}

/** What changed in an initializer, in words; `null` when nothing did. */
export async function initializerChange(
  { a, b }: InitializerPair,
  { tensors, sides }: InitializerTensors,
): Promise<Pick<GraphChange, 'change' | 'text'> | null> {
  const before = `${a.initializer.type}[${a.initializer.shape.join(', ')}]`;
  const after = `${b.initializer.type}[${b.initializer.shape.join(', ')}]`;
  const { name } = b.initializer;
  const renamed = a.initializer.name !== name || (a.scope !== null && a.scope !== b.scope);
  const title = renamed ? `${a.initializer.name} → ${name}` : name;
  if (before !== after) return { change: 'changed', text: `${title}: ${before} → ${after}` };
  if (a.digest === b.digest) return renamed ? { change: 'renamed', text: `${title} ${after}` } : null;
  const numbers = await measure(tensors, sides);
  return { change: renamed ? 'changed' : 'value', text: `${title} ${after}: ${numbers}` };
}

async function measure({ a, b }: InitializerTensors['tensors'], sides: InitializerTensors['sides']): Promise<string> {
  const dtype = a === null ? null : (elementType(a.type)?.dtype ?? null);
  if (a === null || b === null || dtype === null) return 'other values';
  const first = await tensorBytes(a, { ...sides.a, file: '' });
  if (first === null || first.byteLength > MAX_MEASURED_BYTES) return 'other values';
  const second = await tensorBytes(b, { ...sides.b, file: '' });
  if (second === null) return 'other values';
  const count = elementCount(a.dims);
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  decodeToFloat64(dtype, first, x);
  decodeToFloat64(dtype, second, y);
  let changed = 0;
  let square = 0;
  for (let i = 0; i < count; i++) {
    const delta = (y[i] ?? 0) - (x[i] ?? 0);
    if (!Object.is(x[i], y[i])) changed++;
    square += delta * delta;
  }
  return `${changed} of ${count} ${count === 1 ? 'value' : 'values'} changed, ‖Δ‖ ${Number(Math.sqrt(square).toPrecision(4))}`;
}
