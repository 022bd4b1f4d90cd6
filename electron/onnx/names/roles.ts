/**
 * What an input of an operator is called in PyTorch's modules, by its position; `null` for one that is no parameter
 * (https://onnx.ai/onnx/operators/ for the inputs, https://pytorch.org/docs/stable/nn.html for the names).
 */
const ROLES: ReadonlyMap<string, readonly (string | null)[]> = new Map([
  ['Conv', [null, 'weight', 'bias']],
  ['ConvTranspose', [null, 'weight', 'bias']],
  ['ConvInteger', [null, 'weight']],
  ['Gemm', [null, 'weight', 'bias']],
  ['MatMul', ['weight', 'weight']],
  ['MatMulInteger', ['weight', 'weight']],
  ['BatchNormalization', [null, 'weight', 'bias', 'running_mean', 'running_var']],
  ['InstanceNormalization', [null, 'weight', 'bias']],
  ['LayerNormalization', [null, 'weight', 'bias']],
  ['GroupNormalization', [null, 'weight', 'bias']],
  ['RMSNormalization', [null, 'weight']],
  ['SkipLayerNormalization', [null, null, 'weight', 'bias']],
  ['PRelu', [null, 'weight']],
  ['Gather', ['weight']],
  ['LSTM', [null, 'weight_ih', 'weight_hh', 'bias']],
  ['GRU', [null, 'weight_ih', 'weight_hh', 'bias']],
  ['RNN', [null, 'weight_ih', 'weight_hh', 'bias']],
  ['QLinearConv', [null, 'x_scale', 'x_zero_point', 'weight', 'weight_scale', 'weight_zero_point', 'y_scale', 'y_zero_point', 'bias']],
  ['DequantizeLinear', ['weight', 'weight_scale', 'weight_zero_point']],
  ['QuantizeLinear', ['weight', 'scale', 'zero_point']],
  ['Add', ['bias', 'bias']],
  ['Sub', ['bias', 'bias']],
  ['Mul', ['scale', 'scale']],
  ['Div', ['scale', 'scale']],
  ['Pow', [null, 'exponent']],
  ['Reshape', [null, 'shape']],
  ['Slice', [null, 'starts', 'ends', 'axes', 'steps']],
  ['Resize', [null, 'roi', 'scales', 'sizes']],
  ['Clip', [null, 'min', 'max']],
  ['Pad', [null, 'pads', 'value', 'axes']],
]);

/** Name of an input's part in an operator: `weight`; `input_2` where it has none of its own. */
export function roleOf(operator: string, input: number): string {
  return ROLES.get(operator)?.[input] ?? `input_${input}`;
}
