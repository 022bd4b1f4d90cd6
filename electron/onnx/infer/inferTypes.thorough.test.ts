import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { onnx } from 'onnx-proto';
import * as ort from 'onnxruntime-web';
import { describe, expect, it } from 'vitest';
import { REAL_MODELS } from '../testing/realModels';
import { viewOf } from '../view/testing/viewOf';

const DIGITS = join(import.meta.dirname, '../../../e2e/fixtures/digits/checkpoints/01_init.onnx');
const model = (name: string) => REAL_MODELS.find((path) => basename(path) === name) ?? name;

/** Published models with an input that they take; from `known` of their values the shape must be known to the last extent. */
const CASES: readonly { readonly path: string; readonly dims: readonly number[]; readonly known: number }[] = [
  { path: DIGITS, dims: [3, 1, 8, 8], known: 1 },
  { path: model('ch_ppocr_mobile_v2.0_cls_infer.onnx'), dims: [1, 3, 48, 192], known: 1 },
  { path: model('ch_PP-OCRv4_det_infer.onnx'), dims: [1, 3, 64, 96], known: 1 },
  { path: model('ch_PP-OCRv4_rec_infer.onnx'), dims: [1, 3, 48, 64], known: 0.95 },
];

/** The model with every intermediate value as an output, and with fixed extents of its input. */
function opened(bytes: Uint8Array, dims: readonly number[]): { readonly bytes: Uint8Array; readonly input: string; readonly fixed: Uint8Array } {
  const decoded = onnx.ModelProto.decode(bytes);
  const { graph } = decoded;
  const input = graph?.input?.[0];
  const shape = input?.type?.tensorType?.shape;
  if (!graph || !input?.name || !shape) throw new Error('no input');
  shape.dim = dims.map((dimValue) => ({ dimValue }));
  for (const output of graph.output ?? []) delete output.type;
  const fixed = onnx.ModelProto.encode(decoded).finish();
  const outputs = new Set((graph.node ?? []).flatMap(({ output }) => output ?? []).filter((name) => name !== ''));
  graph.output = [...outputs].map((name) => ({ name }));
  return { bytes: onnx.ModelProto.encode(decoded).finish(), input: input.name, fixed };
}

describe('inferred types against what ONNX Runtime computes', () => {
  it.each(CASES.map((each) => [basename(each.path), each] as const))('%s', async (_, { path, dims, known }) => {
    const { bytes, fixed, input } = opened(await readFile(path), dims);
    const session = await ort.InferenceSession.create(bytes, { executionProviders: ['wasm'], graphOptimizationLevel: 'disabled' });
    const feed = new ort.Tensor('float32', new Float32Array(dims.reduce((product, dim) => product * dim, 1)), dims);
    const results = await session.run({ [input]: feed });
    const { view } = await viewOf(fixed);
    const types = new Map(view.values.names.map((name, value) => [name, view.values.types[value] ?? '']));
    const wrong: string[] = [];
    let open = 0;
    for (const [name, tensor] of Object.entries(results)) {
      const inferred = types.get(name) ?? '';
      const [, element = '', extents] = /^([^[]*)(?:\[(.*)\])?$/.exec(inferred) ?? [];
      const parts = extents === undefined ? null : extents === '' ? [] : extents.split(', ');
      if (parts === null || parts.includes('?')) open++;
      const fits = parts === null || (parts.length === tensor.dims.length && parts.every((part, axis) => part === '?' || Number(part) === tensor.dims[axis]));
      if (element !== tensor.type || !fits) wrong.push(`${name}: ${inferred}, but ${tensor.type}[${tensor.dims.join(', ')}]`);
    }
    expect(wrong).toEqual([]);
    expect(1 - open / Object.keys(results).length).toBeGreaterThanOrEqual(known);
    await session.release();
  });
});
