import { readFile } from 'node:fs/promises';
import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { readModel } from '../model/readModel';
import { REAL_MODELS } from '../testing/realModels';
import { encodeModel } from '../view/testing/viewOf';
import { readSmallTensors } from './readSmallTensors';

async function read(bytes: Uint8Array): Promise<Map<string, readonly number[]>> {
  const source = memorySource(bytes);
  const model = await readModel(source, { file: 'm' });
  const small = await readSmallTensors(model, source);
  return new Map(model.graph.initializers.flatMap((tensor) => (small.has(tensor) ? [[tensor.name, small.get(tensor) ?? []] as const] : [])));
}

describe('readSmallTensors', () => {
  it('reads raw and typed values, and leaves out what is large, elsewhere or broken', async () => {
    const int64 = new Uint8Array(BigInt64Array.of(-1n, 2n ** 62n, 3n).buffer);
    const tensors = await read(
      encodeModel({
        initializer: [
          { name: 'raw64', dataType: 7, dims: [3], rawData: int64 },
          { name: 'raw32', dataType: 6, dims: [2], rawData: new Uint8Array(Int32Array.of(-7, 8).buffer) },
          { name: 'scalar', dataType: 1, dims: [], rawData: new Uint8Array(Float32Array.of(0.5).buffer) },
          { name: 'typed64', dataType: 7, dims: [2], int64Data: [-1, 300] },
          { name: 'typed32', dataType: 6, dims: [2], int32Data: [-5, 5] },
          { name: 'floats', dataType: 1, dims: [2], floatData: [1.5, -2] },
          { name: 'large', dataType: 7, dims: [65], rawData: new Uint8Array(65 * 8) },
          { name: 'matrix', dataType: 7, dims: [1, 3], rawData: int64 },
          { name: 'short', dataType: 7, dims: [4], rawData: int64 },
          { name: 'wrong', dataType: 7, dims: [3], int64Data: [1] },
          { name: 'half', dataType: 10, dims: [1], rawData: new Uint8Array(2) },
        ],
      }),
    );
    expect(Object.fromEntries(tensors)).toEqual({
      raw64: [-1, Number.MAX_SAFE_INTEGER, 3],
      raw32: [-7, 8],
      scalar: [0.5],
      typed64: [-1, 300],
      typed32: [-5, 5],
      floats: [1.5, -2],
    });
  });

  it.each(REAL_MODELS)('agrees with onnx-proto on %s', async (path) => {
    const bytes = await readFile(path);
    const source = memorySource(bytes);
    const model = await readModel(source, { file: path });
    const small = await readSmallTensors(model, source);
    const expected = (onnx.ModelProto.decode(bytes).graph?.node ?? []).map(({ attribute }) => {
      const tensor = attribute?.find(({ name }) => name === 'value')?.t;
      return tensor?.dataType === 7 && (tensor.dims ?? []).length < 2 && tensor.rawData?.byteLength
        ? Array.from(new BigInt64Array(Uint8Array.from(tensor.rawData).buffer), Number)
        : null;
    });
    for (const [at, values] of expected.entries()) {
      const [tensor] = model.graph.nodes[at]?.attributes.flatMap(({ tensors }) => tensors) ?? [];
      if (values !== null && tensor !== undefined && values.length <= 64) {
        const clipped = values.map((value) => Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value)));
        expect(small.get(tensor)).toEqual(clipped);
      }
    }
  });
});
