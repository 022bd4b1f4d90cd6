import type { Rule, RuleContext } from './ruleContext';
import { broadcast, combine, type Dim, type Dims } from './tensorType';

const INT32 = 6;

/** NumPy's matmul: vectors are a row or a column, what stands before the last two axes is broadcast. */
export function matMulDims(a: Dims | null, b: Dims | null): Dims | null {
  if (a === null || b === null || a.length === 0 || b.length === 0) return null;
  const batch = broadcast([a.slice(0, -2), b.slice(0, -2)]);
  if (batch === null) return null;
  return [...batch, ...(a.length > 1 ? [a.at(-2) ?? null] : []), ...(b.length > 1 ? [b.at(-1) ?? null] : [])];
}

const matMul =
  (element: (c: RuleContext) => number, second = 1): Rule =>
  (c) => [{ element: element(c), dims: matMulDims(c.dims(0), c.dims(second)) }];

const gemm: Rule = (c) => {
  const a = c.dims(0);
  const b = c.dims(1);
  if (a?.length !== 2 || b?.length !== 2) return [{ element: c.element(0), dims: null }];
  return [{ element: c.element(0), dims: [(c.int('transA', 0) ? a[1] : a[0]) ?? null, (c.int('transB', 0) ? b[0] : b[1]) ?? null] }];
};

/** Extent of one spatial axis after a window moved over it (Operators.md, Conv and MaxPool). */
function slide(extent: Dim, window: { kernel: Dim; stride: number; dilation: number; pads: number; ceil: boolean; auto: string }): Dim {
  const { kernel, stride, dilation, pads, ceil, auto } = window;
  if (typeof extent !== 'number' || stride < 1) {
    // Whatever the extent is, with padding to the same size and a step of 1 it stays.
    const stays = stride === 1 && (auto.startsWith('SAME') || (typeof kernel === 'number' && auto !== 'VALID' && pads === dilation * (kernel - 1)));
    return stays ? extent : null;
  }
  if (auto.startsWith('SAME')) return Math.ceil(extent / stride);
  if (typeof kernel !== 'number') return null;
  const free = extent + (auto === 'VALID' ? 0 : pads) - (dilation * (kernel - 1) + 1);
  return free < 0 ? null : Math[ceil ? 'ceil' : 'floor'](free / stride) + 1;
}

function windows(c: RuleContext, rank: number) {
  const pads = c.ints('pads') ?? [];
  const strides = c.ints('strides') ?? [];
  const dilations = c.ints('dilations') ?? [];
  const auto = c.text('auto_pad', 'NOTSET');
  return (axis: number) => ({
    stride: strides[axis] ?? 1,
    dilation: dilations[axis] ?? 1,
    pads: auto === 'NOTSET' || auto === '' ? (pads[axis] ?? 0) + (pads[axis + rank] ?? 0) : 0,
    auto,
  });
}

const conv =
  (x: number, w: number, element: (c: RuleContext) => number): Rule =>
  (c) => {
    const input = c.dims(x);
    const weight = c.dims(w);
    if (input === null || input.length < 3) return [{ element: element(c), dims: null }];
    const rank = input.length - 2;
    const kernel = c.ints('kernel_shape') ?? weight?.slice(2) ?? [];
    const window = windows(c, rank);
    const spatial = input.slice(2).map((extent, axis) => slide(extent, { ...window(axis), kernel: kernel[axis] ?? null, ceil: false }));
    return [{ element: element(c), dims: [input[0] ?? null, weight?.[0] ?? null, ...spatial] }];
  };

const convTranspose: Rule = (c) => {
  const input = c.dims(0);
  const weight = c.dims(1);
  if (input === null || input.length < 3) return [{ element: c.element(0), dims: null }];
  const rank = input.length - 2;
  const kernel = c.ints('kernel_shape') ?? weight?.slice(2) ?? [];
  const window = windows(c, rank);
  const more = c.ints('output_padding') ?? [];
  const fixed = c.ints('output_shape');
  const spatial = input.slice(2).map((extent, axis): Dim => {
    if (fixed !== null) return fixed.at(axis - rank) ?? null;
    const { stride, dilation, pads, auto } = window(axis);
    if (auto.startsWith('SAME')) return combine(extent, stride, (a, b) => a * b);
    return combine(extent, kernel[axis] ?? null, (e, k) => stride * (e - 1) + (more[axis] ?? 0) + (k - 1) * dilation + 1 - pads);
  });
  const channels = combine(weight?.[1] ?? null, c.int('group', 1), (a, b) => a * b);
  return [{ element: c.element(0), dims: [input[0] ?? null, channels, ...spatial] }];
};

const pool =
  (second: number | null): Rule =>
  (c) => {
    const input = c.dims(0);
    const kernel = c.ints('kernel_shape');
    if (input === null || kernel === null || input.length !== kernel.length + 2) return [{ element: c.element(0), dims: null }];
    const window = windows(c, kernel.length);
    const ceil = c.int('ceil_mode', 0) === 1;
    const pads = c.ints('pads') ?? [];
    const spatial = input.slice(2).map((extent, axis) => {
      const at = { ...window(axis), kernel: kernel[axis] ?? null, ceil };
      const size = slide(extent, at);
      // A window that would begin in the padding behind the end is left out (as PyTorch and ONNX Runtime do, since operator set 19 the standard too).
      const last = ceil && typeof size === 'number' && typeof extent === 'number' && (size - 1) * at.stride >= extent + (pads[axis] ?? 0);
      return last && typeof size === 'number' ? size - 1 : size;
    });
    const dims = [input[0] ?? null, input[1] ?? null, ...spatial];
    return second === null
      ? [{ element: c.element(0), dims }]
      : [
          { element: c.element(0), dims },
          { element: second, dims },
        ];
  };

const globalPool: Rule = (c) => [{ element: c.element(0), dims: c.dims(0)?.map((dim, axis) => (axis < 2 ? dim : 1)) ?? null }];

/** LSTM, GRU, RNN with layout 0: [sequence, directions, batch, hidden]. */
const recurrent =
  (cell: boolean): Rule =>
  (c) => {
    const input = c.dims(0);
    const recurrence = c.dims(2);
    const batchFirst = c.int('layout', 0) === 1;
    if (input?.length !== 3 || recurrence?.length !== 3) return [];
    const [sequence = null, batch = null] = batchFirst ? [input[1], input[0]] : input;
    const [directions = null, , hidden = null] = recurrence;
    const element = c.element(0);
    const state = { element, dims: batchFirst ? [batch, directions, hidden] : [directions, batch, hidden] };
    const whole = { element, dims: batchFirst ? [batch, sequence, directions, hidden] : [sequence, directions, batch, hidden] };
    return cell ? [whole, state, state] : [whole, state];
  };

/** Products, convolutions, pooling and recurrent layers (https://github.com/onnx/onnx/blob/main/docs/Operators.md). */
export const MATRIX_RULES: readonly (readonly [string, Rule])[] = [
  ['MatMul', matMul((c) => c.element(0) || c.element(1))],
  ['MatMulInteger', matMul(() => INT32)],
  ['QLinearMatMul', matMul((c) => c.element(7), 3)],
  ['Gemm', gemm],
  ['Conv', conv(0, 1, (c) => c.element(0))],
  ['ConvInteger', conv(0, 1, () => INT32)],
  ['QLinearConv', conv(0, 3, (c) => c.element(7))],
  ['ConvTranspose', convTranspose],
  ['MaxPool', pool(7)],
  ['AveragePool', pool(null)],
  ['LpPool', pool(null)],
  ['GlobalAveragePool', globalPool],
  ['GlobalMaxPool', globalPool],
  ['GlobalLpPool', globalPool],
  ['LSTM', recurrent(true)],
  ['GRU', recurrent(false)],
  ['RNN', recurrent(false)],
];
