import { onnx } from 'onnx-proto';
import type * as ort from 'onnxruntime-web';

/** A model of one graph as the schema's own encoder writes it: IR 8, operators of version 13. */
export function smallModel(graph: onnx.IGraphProto, more: onnx.IModelProto = {}): Uint8Array {
  const model = { irVersion: 8, opsetImport: [{ domain: '', version: 13 }], graph: { name: 'g', ...graph }, ...more };
  return onnx.ModelProto.encode(onnx.ModelProto.create(model)).finish();
}

/** A value's entry among inputs, outputs or value_info; a text is a symbolic extent. */
export function info(name: string, dims: readonly (number | string)[] | null, elemType = 1): onnx.IValueInfoProto {
  const shape = dims === null ? {} : { shape: { dim: dims.map((dim) => (typeof dim === 'number' ? { dimValue: dim } : { dimParam: dim })) } };
  return { name, type: { tensorType: { elemType, ...shape } } };
}

/** A float tensor in raw_data. */
export function floats(name: string, dims: readonly number[], values: readonly number[]): onnx.ITensorProto {
  return { name, dims: [...dims], dataType: 1, rawData: bytesOf(values) };
}

export function node(opType: string, input: readonly string[], output: readonly string[], more: onnx.INodeProto = {}): onnx.INodeProto {
  return { opType, input: [...input], output: [...output], ...more };
}

/** An attribute that is a body. */
export function body(name: string, g: onnx.IGraphProto): onnx.IAttributeProto {
  return { name, type: 5, g: { name, ...g } };
}

export function bytesOf(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

export function decoded(bytes: Uint8Array): { readonly model: onnx.ModelProto; readonly graph: onnx.IGraphProto } {
  const model = onnx.ModelProto.decode(bytes);
  return { model, graph: model.graph ?? {} };
}

/** What ONNX Runtime computes: the elements of every output. @param files external data, by the location that the model gives */
export async function run(
  bytes: Uint8Array,
  feeds: Readonly<Record<string, ort.Tensor>>,
  files: readonly { readonly path: string; readonly data: Uint8Array }[] = [],
): Promise<Record<string, number[]>> {
  const { InferenceSession } = await import('onnxruntime-web');
  const session = await InferenceSession.create(bytes, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'disabled',
    logSeverityLevel: 4,
    externalData: files,
  });
  try {
    const results = await session.run(feeds);
    return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, Array.from(tensor.data, Number)]));
  } finally {
    await session.release();
  }
}

export async function floatFeed(values: readonly number[], dims: readonly number[]): Promise<ort.Tensor> {
  const { Tensor } = await import('onnxruntime-web');
  return new Tensor('float32', Float32Array.from(values), [...dims]);
}
