import { documentationOf } from '../../operators/documentationOf';

/** The last version before the first that CHANGED tells of. */
const FIRST = 11;
/**
 * Operators of ONNX whose definition is new in a version of the operator set (the version numbers in
 * https://github.com/onnx/onnx/blob/main/docs/Operators.md). Between two versions in a row nothing else changes its meaning.
 */
const CHANGED: readonly (readonly [version: number, operators: string])[] = [
  [
    12,
    'ArgMax ArgMin Celu Clip Constant Dropout Einsum GatherND GreaterOrEqual LessOrEqual Max MaxPool Min NegativeLogLikelihoodLoss Pow ReduceMax ReduceMin SoftmaxCrossEntropyLoss',
  ],
  [
    13,
    'Abs Add ArgMax ArgMin Cast Ceil Clip Concat Constant DepthToSpace DequantizeLinear Div Dropout Equal Erf Exp Expand Flatten Floor Gather GatherElements GatherND Gemm Greater Hardmax Identity If IsNaN LRN Less Log LogSoftmax Loop MatMul Max Mean MeanVarianceNormalization Min Mod Mul Neg NegativeLogLikelihoodLoss NonZero Pad Pow QuantizeLinear Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize ScatterElements ScatterND Shape Sigmoid Sign Size Slice Softmax SoftmaxCrossEntropyLoss SpaceToDepth Split Sqrt Squeeze Sub Sum Tanh Tile Transpose Unsqueeze',
  ],
  [14, 'Add BatchNormalization CumSum Div GRU HardSwish Identity LSTM Mul RNN Relu Reshape Sub Trilu'],
  [15, 'BatchNormalization Bernoulli CastLike Optional OptionalGetElement OptionalHasElement Pow Shape'],
  [16, 'GreaterOrEqual GridSample Identity If LeakyRelu LessOrEqual Loop PRelu RoiAlign Scan ScatterElements ScatterND Where'],
  [17, 'BlackmanWindow DFT HammingWindow HannWindow LayerNormalization MelWeightMatrix STFT SequenceMap'],
  [
    18,
    'BitwiseAnd BitwiseNot BitwiseOr BitwiseXor CenterCropPad Col2Im GroupNormalization LpPool Mish OptionalGetElement OptionalHasElement Pad ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSumSquare Resize ScatterElements ScatterND Split',
  ],
  [19, 'AveragePool Cast CastLike Constant DeformConv DequantizeLinear Equal Identity If Loop Pad QuantizeLinear Reshape Resize Scan Shape Size'],
  [20, 'AffineGrid ConstantOfShape DFT Gelu GridSample ImageDecoder IsInf IsNaN ReduceMax ReduceMin RegexFullMatch StringConcat StringSplit'],
  [
    21,
    'Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten GroupNormalization Identity If Loop Pad QLinearMatMul QuantizeLinear Reshape Scan Shape Size Squeeze Transpose Unsqueeze',
  ],
  [
    22,
    'Acos Acosh Asin Asinh Atan Atanh AveragePool Bernoulli Conv ConvTranspose Cos Cosh DeformConv Det Dropout Elu EyeLike GRU GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample HardSigmoid HardSwish InstanceNormalization LSTM LpNormalization LpPool MaxPool MaxRoiPool MaxUnpool Mish Multinomial NegativeLogLikelihoodLoss RNN RandomNormal RandomNormalLike RandomUniform RandomUniformLike RoiAlign Round Selu Sin Sinh Softplus Softsign Tan ThresholdedRelu',
  ],
];
const LAST = CHANGED.at(-1)?.[0] ?? FIRST;

const VERSIONS: ReadonlyMap<number, ReadonlySet<string>> = new Map(CHANGED.map(([version, operators]) => [version, new Set(operators.split(' '))]));

/** Whether an operator is known to mean the same in two versions of its set, from 11 to 22 of ONNX's own; of others nothing is known. */
export function unchangedBetween(op: { readonly domain: string; readonly name: string }, a: number, b: number): boolean {
  if (a === b) return true;
  const [low, high] = a < b ? [a, b] : [b, a];
  if (op.domain !== '' || low < FIRST || high > LAST || documentationOf('', op.name) === null) return false;
  for (let version = low + 1; version <= high; version++) if (VERSIONS.get(version)?.has(op.name) === true) return false;
  return true;
}
