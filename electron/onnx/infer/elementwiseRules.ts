import type { Rule } from './ruleContext';
import { broadcast } from './tensorType';

const BOOL = 9;
const INT64 = 7;

const same: Rule = (c) => [c.inputs[0] ?? null];
const sameWith =
  (element: number): Rule =>
  (c) => [{ element, dims: c.dims(0) }];
const together: Rule = (c) => {
  const element = c.element(0) || c.element(1);
  const dims = broadcast(c.node.inputs.map((_, input) => c.dims(input)));
  // Mostly it is the type of one of them, which need not be there twice.
  return [c.inputs.find((type) => type !== null && type.element === element && type.dims === dims) ?? { element, dims }];
};
const compare: Rule = (c) => [{ element: BOOL, dims: broadcast([c.dims(0), c.dims(1)]) }];
const many = (rule: Rule, names: string): [string, Rule][] => names.split(' ').map((name) => [name, rule]);

/** Operators that work element by element (https://github.com/onnx/onnx/blob/main/docs/Operators.md). */
export const ELEMENTWISE_RULES: readonly (readonly [string, Rule])[] = [
  ...many(
    same,
    'Relu LeakyRelu Elu Selu Celu ThresholdedRelu Sigmoid HardSigmoid HardSwish Tanh Softplus Softsign Mish Gelu Erf Exp Log Sqrt Reciprocal Abs Neg Floor ' +
      'Ceil Round Sign Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Clip Identity Not BitwiseNot Softmax LogSoftmax Hardmax LpNormalization Shrink ' +
      'CumSum Swish',
  ),
  ...many(
    same,
    'LRN InstanceNormalization GroupNormalization MeanVarianceNormalization RMSNormalization ReverseSequence Trilu ScatterElements ScatterND Scatter',
  ),
  ...many(together, 'Add Sub Mul Div Pow Mod Max Min Sum Mean And Or Xor BitwiseAnd BitwiseOr BitwiseXor BitShift'),
  ...many(compare, 'Equal Greater GreaterOrEqual Less LessOrEqual'),
  ...many(sameWith(BOOL), 'IsNaN IsInf'),
  ['PRelu', same],
  ['Cast', (c) => [{ element: c.int('to', 0), dims: c.dims(0) }]],
  ['CastLike', (c) => [{ element: c.element(1), dims: c.dims(0) }]],
  ['Where', (c) => [{ element: c.element(1) || c.element(2), dims: broadcast([c.dims(0), c.dims(1), c.dims(2)]) }]],
  ['Dropout', (c) => [c.inputs[0] ?? null, { element: BOOL, dims: c.dims(0) }]],
  ['BatchNormalization', same],
  ['QuantizeLinear', (c) => [{ element: c.int('output_dtype', 0) || (c.has(2) ? c.element(2) : 2), dims: c.dims(0) }]],
  ['DequantizeLinear', (c) => [{ element: c.int('output_dtype', 0) || c.element(1), dims: c.dims(0) }]],
  [
    'DynamicQuantizeLinear',
    (c) => [
      { element: 2, dims: c.dims(0) },
      { element: 1, dims: [] },
      { element: 2, dims: [] },
    ],
  ],
  [
    'LayerNormalization',
    (c) => {
      const dims = c.dims(0);
      const axis = c.int('axis', -1);
      const from = dims === null ? 0 : axis < 0 ? axis + dims.length : axis;
      const reduced = dims === null ? null : dims.map((dim, at) => (at < from ? dim : 1));
      const element = c.int('stash_type', 1);
      return [c.inputs[0] ?? null, { element, dims: reduced }, { element, dims: reduced }];
    },
  ],
  ['NonZero', (c) => [{ element: INT64, dims: c.dims(0) === null ? null : [c.dims(0)?.length ?? 0, null] }]],
];
