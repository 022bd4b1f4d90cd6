import { createHash } from 'node:crypto';
import type * as ort from 'onnxruntime-web';
import { modelOf } from '../../testing/readBytes';

/**
 * What ONNX Runtime computes from inputs that depend on nothing but their position, type and shape: for each output in turn its type, shape
 * and a digest of its bits. Names take no part, so that a model and the same model with other names give the same.
 * @param extents of inputs that leave them open, by the position of the input
 */
export async function runBits(bytes: Uint8Array, extents: readonly (readonly number[])[] = []): Promise<string[]> {
  const { InferenceSession } = await import('onnxruntime-web');
  const session = await InferenceSession.create(bytes, { executionProviders: ['wasm'], graphOptimizationLevel: 'disabled', logSeverityLevel: 4 });
  try {
    const results = await session.run(await feedsOf(bytes, extents));
    return session.outputNames.map((name) => {
      const tensor = results[name];
      if (tensor === undefined) throw new Error(`no output ${name}`);
      const { data, type, dims } = tensor;
      const digest = createHash('sha256');
      if (ArrayBuffer.isView(data)) digest.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      return `${type}[${dims.join(',')}] ${digest.digest('hex')}`;
    });
  } finally {
    await session.release();
  }
}

async function feedsOf(bytes: Uint8Array, extents: readonly (readonly number[])[]): Promise<Record<string, ort.Tensor>> {
  const { Tensor } = await import('onnxruntime-web');
  const { graph } = await modelOf(bytes);
  const stored = new Set(graph.initializers.map(({ name }) => name));
  const feeds: Record<string, ort.Tensor> = {};
  for (const [i, { name, type }] of graph.inputs.entries()) {
    if (stored.has(name)) continue;
    const dims = (type?.dims ?? []).map((dim, axis) => (typeof dim === 'number' ? dim : (extents[i]?.[axis] ?? 1)));
    const count = dims.reduce((product, dim) => product * dim, 1);
    const values = Array.from({ length: count }, (_, at) => Math.sin(at + i));
    if (type?.elementType === 7)
      feeds[name] = new Tensor(
        'int64',
        BigInt64Array.from(values, () => 16_000n),
        dims,
      );
    else if (type?.elementType === 9)
      feeds[name] = new Tensor(
        'bool',
        Uint8Array.from(values, () => 1),
        dims,
      );
    else feeds[name] = new Tensor('float32', Float32Array.from(values), dims);
  }
  return feeds;
}
