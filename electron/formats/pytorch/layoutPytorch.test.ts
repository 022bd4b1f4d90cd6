import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isCheckpointError } from '../../../shared/contract/errors';
import { DTYPES } from '../../../shared/model/dtype';
import { tensorBytes } from '../../../shared/model/shape';
import { memorySource } from '../../bytes/memorySource';
import { readZip } from '../../encodings/zip/readZip';
import { readZipEntry } from '../../encodings/zip/readZipEntry';
import { openRef } from '../../tensors/openRef';
import type { GroupToWrite } from '../format';
import { layoutPytorch } from './layoutPytorch';
import { pytorchFormat } from './pytorchFormat';

const FIXTURES = join(import.meta.dirname, '../../../e2e/fixtures/checkpoints/pytorch');

/** Writes the file as a writer does: pieces, tensors, then what needs their checksums. */
function write(groups: readonly GroupToWrite[], tensors: readonly Uint8Array[]): Uint8Array {
  const layout = layoutPytorch(groups, []);
  const file = new Uint8Array(layout.bytes);
  for (const { offset, bytes } of layout.pieces) file.set(bytes, offset);
  for (const [index, bytes] of tensors.entries()) file.set(bytes, layout.tensors[index] ?? -1);
  for (const { offset, bytes } of layout.finish?.(tensors.map((bytes) => crc32(bytes))) ?? []) file.set(bytes, offset);
  return file;
}

async function readAll(file: Uint8Array) {
  const read = await pytorchFormat.read(memorySource(file), { ref: { kind: 'memory', bytes: file }, file: 'written.pt' });
  return Promise.all(
    read.groups.map(async ({ keys, dtype, shape, data }) => {
      if ('code' in data) throw new Error(data.message);
      const stream = await openRef(data, keys.join('/'));
      const parts: Uint8Array[] = [];
      for await (const block of stream.blocks()) parts.push(Uint8Array.from(block));
      return { keys, dtype, shape, sha256: createHash('sha256').update(Buffer.concat(parts)).digest('hex') };
    }),
  );
}

const GROUPS: readonly GroupToWrite[] = [
  ...DTYPES.map((dtype) => ({ keys: ['types', dtype], dtype, shape: [3, 5] })),
  { keys: ['scalar'], dtype: 'float32', shape: [] },
  { keys: ['empty'], dtype: 'float32', shape: [0, 7] },
  { keys: ['deep', 'er', '0', '层.权重'], dtype: 'int64', shape: [1, 2, 1, 2, 1] },
  { keys: ['deep', 'a/b'], dtype: 'bool', shape: [70_000] },
  { keys: ['__proto__'], dtype: 'uint8', shape: [1] },
  { keys: [''], dtype: 'uint8', shape: [300] },
  ...Array.from({ length: 1200 }, (_, index) => ({ keys: ['many', `${index}`], dtype: 'float16' as const, shape: [1] })),
];

describe('layoutPytorch', () => {
  it('is read back as it was written, aligned for mapping', async () => {
    const tensors = GROUPS.map(({ dtype, shape }) => randomBytes(tensorBytes(dtype, shape)));
    const file = write(GROUPS, tensors);
    const expected = GROUPS.map((group, index) => ({
      ...group,
      sha256: createHash('sha256')
        .update(tensors[index] ?? '')
        .digest('hex'),
    }));
    expect(await readAll(file)).toEqual(expected);
    for (const offset of layoutPytorch(GROUPS, []).tensors) expect((offset ?? 1) % 64).toBe(0);
    expect(pytorchFormat.matches(file.subarray(0, 4096), file.byteLength)).toBe(true);
  });

  // These files hold plain dictionaries of tensors with a storage each, so the pickle must be the very bytes that PyTorch wrote.
  it.each(['dtypes.pt', 'special.pt', 'unicode.pt'])('writes the same records as PyTorch wrote for %s', async (name) => {
    const original = readFileSync(join(FIXTURES, name));
    const source = memorySource(original);
    const { groups } = await pytorchFormat.read(source, { ref: { kind: 'memory', bytes: original }, file: name });
    const file = write(
      groups,
      groups.map(({ dtype, shape }) => new Uint8Array(tensorBytes(dtype, shape))),
    );
    const [theirs, ours] = await Promise.all([records(original), records(file)]);
    for (const record of ['data.pkl', 'version', 'byteorder', '.format_version', '.storage_alignment'])
      expect([record, ours.get(record)]).toEqual([record, theirs.get(record)]);
    // Only torch numbers its files.
    expect([...ours.keys()]).toEqual([...theirs.keys()].filter((record) => record !== '.data/serialization_id'));
  });

  it('says what it cannot keep', () => {
    expect(layoutPytorch([], [{ key: 'epoch', value: '7' }]).notes).toHaveLength(1);
    expect(layoutPytorch([], []).notes).toEqual([]);
  });

  it.each([[[['a'], ['a', 'b']]], [[['a', 'b'], ['a']]], [[['a'], ['a']]], [[Array.from({ length: 200 }, () => 'k')]]])(
    'refuses names that no dictionary can have: %j',
    (names) => {
      const groups = names.map((keys) => ({ keys, dtype: 'float32' as const, shape: [1] }));
      const code = (): string => {
        try {
          layoutPytorch(groups, []);
        } catch (error) {
          return isCheckpointError(error) ? error.code : String(error);
        }
        return 'none';
      };
      expect(code()).toBe('unsupported-format');
    },
  );
});

async function records(file: Uint8Array): Promise<Map<string, string>> {
  const source = memorySource(file);
  const contents = new Map<string, string>();
  for (const entry of await readZip(source, { file: 'zip' })) {
    const bytes = await readZipEntry(source, entry, { maxBytes: 1e6, file: 'zip' });
    contents.set(entry.name.replace(/^[^/]*\//, ''), Buffer.from(bytes).toString('latin1'));
  }
  return contents;
}
