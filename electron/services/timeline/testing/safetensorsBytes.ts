/** A safetensors file of float32 tensors, made by hand: length of the header, header, data (huggingface/safetensors, "Format"). */
export function safetensorsBytes(tensors: Readonly<Record<string, { readonly shape: readonly number[]; readonly values: readonly number[] }>>): Buffer {
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { shape, values }]) => {
      const start = end;
      end += values.length * 4;
      return [name, { dtype: 'F32', shape, data_offsets: [start, end] }];
    }),
  );
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const data = Float32Array.from(Object.values(tensors).flatMap(({ values }) => values));
  return Buffer.concat([length, text, Buffer.from(data.buffer)]);
}
