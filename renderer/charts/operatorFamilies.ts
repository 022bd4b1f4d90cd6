/** Kinds of operators that share a colour. */
export const OPERATOR_FAMILIES = [
  'linear',
  'convolution',
  'activation',
  'normalisation',
  'arithmetic',
  'pooling',
  'shape',
  'control',
  'quantisation',
  'other',
] as const;
export type OperatorFamily = (typeof OPERATOR_FAMILIES)[number];

/** Operators of ONNX and of ONNX Runtime's contrib domain by family; names as in their specifications. */
const NAMES: { readonly [F in Exclude<OperatorFamily, 'other'>]: string } = {
  linear:
    'MatMul Gemm Einsum Attention MultiHeadAttention GroupQueryAttention LSTM GRU RNN FusedMatMul FusedGemm LinearAttention RotaryEmbedding QAttention PackedAttention Det',
  convolution: 'Conv ConvTranspose DeformConv FusedConv NhwcConv Col2Im STFT DFT',
  activation:
    'Relu LeakyRelu PRelu ThresholdedRelu Elu Selu Celu Gelu FastGelu BiasGelu QuickGelu Sigmoid HardSigmoid HardSwish Swish Mish Tanh Softplus Softsign Softmax LogSoftmax Hardmax Clip Shrink Erf',
  normalisation:
    'BatchNormalization InstanceNormalization LayerNormalization GroupNormalization RMSNormalization SimplifiedLayerNormalization SkipLayerNormalization SkipSimplifiedLayerNormalization LpNormalization MeanVarianceNormalization LRN GroupNorm Dropout EmbedLayerNormalization',
  arithmetic:
    'Add Sub Mul Div Neg Abs Sqrt Reciprocal Exp Log Pow Mod Sum Mean Max Min Floor Ceil Round Sign Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh CumSum CumProd BitShift BitwiseAnd BitwiseOr BitwiseXor BitwiseNot',
  pooling:
    'MaxPool AveragePool LpPool GlobalMaxPool GlobalAveragePool GlobalLpPool MaxRoiPool RoiAlign MaxUnpool ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare ArgMax ArgMin TopK',
  shape:
    'Reshape Transpose Concat Split Slice Gather GatherElements GatherND Scatter ScatterElements ScatterND Squeeze Unsqueeze Flatten Expand Tile Pad Shape Size Identity Resize Upsample DepthToSpace SpaceToDepth Cast CastLike Range Constant ConstantOfShape EyeLike OneHot Compress Unique ReverseSequence CenterCropPad GridSample AffineGrid Trilu NonZero TensorScatter BitCast',
  control:
    'If Loop Scan Where Equal Greater GreaterOrEqual Less LessOrEqual And Or Not Xor IsNaN IsInf NonMaxSuppression SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap SplitToSequence ConcatFromSequence Optional OptionalGetElement OptionalHasElement',
  quantisation:
    'QuantizeLinear DequantizeLinear DynamicQuantizeLinear QLinearConv QLinearMatMul ConvInteger MatMulInteger MatMulNBits QGemm QLinearAdd QLinearMul QLinearSigmoid QLinearSoftmax QLinearGlobalAveragePool MatMulBnb4 DynamicQuantizeMatMul',
};

const BY_NAME = new Map<string, OperatorFamily>(
  OPERATOR_FAMILIES.flatMap((family) => (family === 'other' ? [] : NAMES[family].split(' ').map((name) => [name, family] as const))),
);

/** @param operator with its domain before it when that is not ONNX's own: `com.microsoft.Gelu` */
export function operatorFamily(operator: string): OperatorFamily {
  return BY_NAME.get(operator.slice(operator.lastIndexOf('.') + 1)) ?? 'other';
}
