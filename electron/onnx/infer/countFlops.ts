import type { OnnxNode } from '../model/onnxModel';
import type { Dims, TensorType } from './tensorType';

type Types = readonly (TensorType | null)[];
type Count = (c: { readonly inputs: Types; readonly outputs: Types; readonly node: OnnxNode }) => number;

/** Elements, a symbolic dimension taken as 1; NaN when a dimension is not known at all. */
function size(dims: Dims | null | undefined): number {
  if (dims === null || dims === undefined) return Number.NaN;
  let count = 1;
  for (const dim of dims) count *= dim === null ? Number.NaN : typeof dim === 'string' ? 1 : dim;
  return count;
}

const perOutput =
  (each: number): Count =>
  ({ outputs }) =>
    each * size(outputs[0]?.dims);
const perInput =
  (each: number): Count =>
  ({ inputs }) =>
    each * size(inputs[0]?.dims);
const many = (count: Count, names: string): [string, Count][] => names.split(' ').map((name) => [name, count]);

/** k products and k - 1 sums, the bias the k-th: twice the length of the sum for each element. */
const product =
  (a: number): Count =>
  ({ inputs, outputs }) => {
    const inner = inputs[a]?.dims?.at(-1);
    return 2 * size(outputs[0]?.dims) * size(inner === undefined ? null : [inner]);
  };
const gemm: Count = ({ inputs, outputs, node }) => {
  const transposed = node.attributes.some(({ name, int }) => name === 'transA' && int === 1n);
  const inner = inputs[0]?.dims?.[transposed ? 0 : 1];
  return 2 * size(outputs[0]?.dims) * size(inner === undefined ? null : [inner]);
};
const convolution =
  (w: number): Count =>
  ({ inputs, outputs }) =>
    2 * size(outputs[0]?.dims) * size(inputs[w]?.dims?.slice(1));
/** Every element of the input meets every element of the kernel once. */
const transposed: Count = ({ inputs }) => 2 * size(inputs[0]?.dims) * size(inputs[1]?.dims?.slice(1));
const pool: Count = ({ outputs, node }) => {
  const kernel = node.attributes.find(({ name }) => name === 'kernel_shape')?.ints.map(Number);
  return size(outputs[0]?.dims) * size(kernel ?? null);
};
/** For each step and element of the batch every weight of W and R meets one number; what the gates do to their sums is not counted. */
const recurrent: Count = ({ inputs }) => 2 * size(inputs[0]?.dims?.slice(0, 2)) * (size(inputs[1]?.dims) + size(inputs[2]?.dims));

/**
 * Multiplications and additions of one run, both counted. Element by element: one each. Softmax, LayerNormalization and their kind by
 * the functions that define them (https://github.com/onnx/onnx/blob/main/docs/Operators.md): softmax is exp, sum and division; layer
 * normalization is mean, difference, square, mean, division, scale and bias. BatchNormalization at inference is a factor and a summand for each channel.
 * What only moves data counts nothing.
 */
const COUNTS: ReadonlyMap<string, Count> = new Map<string, Count>([
  ...many(product(0), 'MatMul MatMulInteger QLinearMatMul FusedMatMul'),
  ['Gemm', gemm],
  ...many(convolution(1), 'Conv ConvInteger FusedConv'),
  ['QLinearConv', convolution(3)],
  ['ConvTranspose', transposed],
  ...many(
    perOutput(1),
    'Relu LeakyRelu Elu Selu Celu ThresholdedRelu Sigmoid HardSigmoid HardSwish Tanh Softplus Softsign Mish Gelu Erf Exp Log Sqrt Reciprocal Abs Neg Floor Ceil ' +
      'Round Sign Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Clip Not BitwiseNot Shrink Swish PRelu Add Sub Mul Div Pow Mod And Or Xor BitwiseAnd ' +
      'BitwiseOr BitwiseXor BitShift Equal Greater GreaterOrEqual Less LessOrEqual IsNaN IsInf Where FastGelu QuickGelu BiasAdd CumSum',
  ),
  ...many(({ inputs, outputs }) => Math.max(1, inputs.length - 1) * size(outputs[0]?.dims), 'Max Min Sum Mean'),
  ...many(perInput(1), 'ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ArgMax ArgMin GlobalAveragePool GlobalMaxPool'),
  ...many(perInput(2), 'ReduceL2 ReduceSumSquare ReduceLogSumExp GlobalLpPool BatchNormalization QuantizeLinear DequantizeLinear BiasGelu'),
  ...many(perInput(3), 'Softmax ReduceLogSum'),
  ...many(perInput(4), 'LogSoftmax LpNormalization RMSNormalization'),
  ...many(perInput(7), 'LayerNormalization InstanceNormalization GroupNormalization MeanVarianceNormalization'),
  ...many(pool, 'MaxPool AveragePool LpPool'),
  ...many(recurrent, 'LSTM GRU RNN'),
  // The nearest element is only moved; between elements the standard leaves the way open.
  ...many(({ node }) => ((node.attributes.find(({ name }) => name === 'mode')?.string ?? 'nearest') === 'nearest' ? 0 : Number.NaN), 'Resize Upsample'),
  ...many(
    () => 0,
    'Constant ConstantOfShape Identity Reshape Transpose Concat Flatten Squeeze Unsqueeze Shape Size Gather GatherElements GatherND Slice Split Pad Expand Tile ' +
      'Cast CastLike Dropout Range OneHot EyeLike Trilu ScatterND ScatterElements Scatter DepthToSpace SpaceToDepth ReverseSequence NonZero Optional ' +
      'OptionalGetElement OptionalHasElement SequenceAt SequenceConstruct SequenceEmpty SequenceInsert SequenceLength ConcatFromSequence SplitToSequence',
  ),
]);
/** The same names in other domains are other operators. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'FusedMatMul',
  'FusedConv',
  'FastGelu',
  'QuickGelu',
  'BiasAdd',
  'BiasGelu',
  'Gelu',
  'QuantizeLinear',
  'DequantizeLinear',
]);

/** NaN for operators that we do not know, for control flow and calls of functions, and where a needed extent is not known. */
export function countFlops(node: OnnxNode, inputs: Types, outputs: Types): number {
  if (node.domain !== '' && !(node.domain === 'com.microsoft' && ELSEWHERE.has(node.op))) return Number.NaN;
  return COUNTS.get(node.op)?.({ node, inputs, outputs }) ?? Number.NaN;
}
