import { ELEMENTWISE_RULES } from './elementwiseRules';
import { MATRIX_RULES } from './matrixRules';
import type { Rule } from './ruleContext';
import { SHAPE_RULES } from './shapeRules';
import { broadcast } from './tensorType';

const RULES: ReadonlyMap<string, Rule> = new Map([...ELEMENTWISE_RULES, ...MATRIX_RULES, ...SHAPE_RULES]);

/** Of ONNX Runtime's own operators, those that keep the shape (https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md). */
const MICROSOFT: ReadonlyMap<string, Rule> = new Map(
  ['Gelu', 'FastGelu', 'QuickGelu', 'BiasGelu', 'RotaryEmbedding'].map((name) => [name, (c) => [c.inputs[0] ?? null]] as [string, Rule]),
)
  .set('FusedMatMul', (c) => {
    const plain = c.int('transA', 0) + c.int('transB', 0) + c.int('transBatchA', 0) + c.int('transBatchB', 0) === 0;
    return plain ? (RULES.get('MatMul')?.(c) ?? []) : [{ element: c.element(0), dims: null }];
  })
  .set('BiasAdd', (c) => [{ element: c.element(0), dims: broadcast([c.dims(0), c.dims(1)]) }]);

/** Operators of domains that we know; the others infer nothing. */
export function ruleFor(domain: string, op: string): Rule | undefined {
  return domain === '' ? RULES.get(op) : domain === 'com.microsoft' ? MICROSOFT.get(op) : undefined;
}
