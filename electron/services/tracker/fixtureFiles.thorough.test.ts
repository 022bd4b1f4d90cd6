import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURE_FILES } from '../../formats/template/testing/fixtureTemplate';
import { floats, noise, safetensorsFile } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const FIXTURES = join(import.meta.dirname, '../../../e2e/fixtures');
const fixture = (name: string) => readFileSync(join(FIXTURES, name));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What has a parameter group that is not read, by the words that are said; a version with holes would be worse than none. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'npz/compressed.npz': /compressed inside the NumPy file/,
  'flax/state.msgpack': /stored in 2 chunks/,
};

let folder: TrackedFolder;
beforeAll(async () => {
  folder = await TrackedFolder.make();
});
afterAll(() => folder.dispose());

describe('files as other tools wrote them', () => {
  const names = FIXTURE_FILES.filter((name) => !name.startsWith('digits/'));

  it.each(names.filter((name) => REFUSED[name] === undefined))('%s comes back byte for byte', async (name) => {
    const path = `in a folder/${name}`;
    const { commit } = await folder.put(path, fixture(name));
    expect(sha256(await folder.checkout(commit, path))).toBe(sha256(fixture(name)));
    // The same file once more is no change.
    expect((await folder.add(path)).unchanged).toBe(true);
    expect(await folder.git('diff', '--cached', '--name-only')).toBe('');
  });

  it.each(Object.entries(REFUSED))('%s is refused in words, and nothing is staged', async (name, words) => {
    await folder.write('refused', fixture(name));
    await expect(folder.add('refused')).rejects.toMatchObject({ message: expect.stringMatching(words), place: { file: 'refused', group: expect.any(String) } });
    expect(await folder.git('diff', '--cached', '--name-only')).toBe('');
  });

  it('an ONNX model of ten versions comes back at each', async () => {
    const versions = FIXTURE_FILES.filter((name) => name.startsWith('digits/') && name.endsWith('.onnx'));
    const commits: string[] = [];
    for (const name of versions) commits.push((await folder.put('model.onnx', fixture(name))).commit);
    for (const [index, commit] of commits.entries()) {
      expect(sha256(await folder.checkout(commit, 'model.onnx')), versions[index]).toBe(sha256(fixture(versions[index] ?? '')));
    }
  });
});

/** Puts other bytes in the place of an entry's content in a zip archive, with its checksums. */
function replaced(file: Buffer, from: Uint8Array, to: Uint8Array): Buffer {
  const out = Buffer.from(file);
  const at = out.indexOf(from);
  if (at < 0 || from.byteLength !== to.byteLength) throw new TypeError('there is no such content');
  out.set(to, at);
  const sum = (bytes: Uint8Array) => {
    const field = Buffer.alloc(4);
    field.writeUInt32LE(crc32(bytes));
    return field;
  };
  for (let field = out.indexOf(sum(from)); field >= 0; field = out.indexOf(sum(from), field + 4)) out.set(sum(to), field);
  return out;
}

describe('tied weights', () => {
  const bytes = fixture('checkpoints/pytorch/tied.pt');

  it('stay tied when they change together', async () => {
    const { commit, cleaned } = await folder.put('tied.pt', bytes);
    expect(cleaned.facts.tied?.length).toBeGreaterThan(0);
    const data = largestEntry(bytes, '/data/');
    const after = replaced(
      bytes,
      data,
      Uint8Array.from(data, (byte, i) => (i === 5 ? byte ^ 1 : byte)),
    );
    const second = await folder.put('tied.pt', after);
    expect(await folder.checkout(second.commit, 'tied.pt')).toEqual(after);
    expect(await folder.checkout(commit, 'tied.pt')).toEqual(bytes);
    expect(after.byteLength).toBe(bytes.byteLength);
  });

  it('of a safetensors file share their bytes, where a file says so', async () => {
    const value = floats(noise(64), [8, 8]);
    const single = safetensorsFile({ a: value, b: floats([1, 2]) });
    // Both names point at one range: the format's own library refuses that, and so do we.
    const text = single.subarray(8, 8 + Number(single.readBigUInt64LE(0))).toString();
    const header = JSON.parse(text) as Record<string, { data_offsets: number[] }>;
    header.c = { ...(header.a ?? { data_offsets: [] }) };
    const json = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(json.byteLength));
    const shared = Buffer.concat([length, json, single.subarray(8 + Buffer.byteLength(text))]);
    const { commit } = await folder.put('shared.safetensors', shared);
    expect(await folder.checkout(commit, 'shared.safetensors')).toEqual(shared);
  });
});

/** Content of the largest entry of an archive whose name has this part. */
function largestEntry(file: Buffer, part: string): Buffer {
  let best: Uint8Array = new Uint8Array(0);
  for (let at = file.indexOf('PK\x01\x02'); at >= 0; at = file.indexOf('PK\x01\x02', at + 4)) {
    const size = file.readUInt32LE(at + 24);
    const name = file.subarray(at + 46, at + 46 + file.readUInt16LE(at + 28)).toString();
    const local = file.readUInt32LE(at + 42);
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    if (name.includes(part) && size > best.byteLength) best = file.subarray(start, start + size);
  }
  return Buffer.from(best);
}

describe('what a file says beside its groups', () => {
  const values = { b: floats(noise(600)), a: floats([1, 2]) };

  it('safetensors: metadata and order come back, and a change of them alone is a change', async () => {
    const versions = [
      safetensorsFile(values),
      safetensorsFile(values, { format: 'pt', step: '1', 'ünï "code"': '層\n' }),
      safetensorsFile(values, { format: 'pt', step: '2', 'ünï "code"': '層\n' }),
      safetensorsFile({ a: values.a, b: values.b }, { format: 'pt', step: '2', 'ünï "code"': '層\n' }),
      safetensorsFile(values),
    ];
    const commits: string[] = [];
    for (const version of versions) {
      const { commit, cleaned } = await folder.put('said.safetensors', version);
      expect(cleaned.unchanged).toBe(false);
      commits.push(commit);
    }
    for (const [index, commit] of commits.entries()) expect(await folder.checkout(commit, 'said.safetensors'), `${index}`).toEqual(versions[index]);
    // The large group was stored once.
    const oids = await Promise.all(commits.map(async (commit) => (await folder.entry(commit, 'said.safetensors', 'b')).oid));
    expect(new Set(oids).size).toBe(1);
  });

  it('a nested training checkpoint keeps its steps, rates and settings when weights change', async () => {
    const before = fixture('checkpoints/pytorch/training.ckpt');
    const data = largestEntry(before, '/data/');
    const after = replaced(
      before,
      data,
      Uint8Array.from(data, (byte, i) => (i % 4 === 0 ? byte ^ 3 : byte)),
    );
    const first = await folder.put('training.ckpt', before);
    const second = await folder.put('training.ckpt', after);
    expect(await folder.checkout(first.commit, 'training.ckpt')).toEqual(before);
    expect(await folder.checkout(second.commit, 'training.ckpt')).toEqual(after);
    expect(second.cleaned.groups.filter(({ change }) => change === 'modified').length).toBeGreaterThan(0);
  });

  it('a step counter that is no tensor is a change by itself', async () => {
    const before = fixture('checkpoints/pytorch/training.ckpt');
    await folder.put('counter.ckpt', before);
    const pickle = largestEntry(before, 'data.pkl');
    // BININT1 of the number of epochs.
    const number = pickle.indexOf('K', pickle.indexOf('epoch'));
    const after = replaced(
      before,
      pickle,
      Uint8Array.from(pickle, (byte, i) => (i === number + 1 ? byte + 1 : byte)),
    );
    const { cleaned, commit } = await folder.put('counter.ckpt', after);
    expect(cleaned.unchanged).toBe(false);
    expect(await folder.checkout(commit, 'counter.ckpt')).toEqual(after);
    expect(await folder.checkout(`${commit}~1`, 'counter.ckpt')).toEqual(before);
  });
});

describe('the metadata file', () => {
  const hasPython = spawnSync('python3', ['-c', 'import json']).status === 0;
  const PYTHON = `
import json, sys
text = sys.stdin.buffer.read().decode()
groups = json.loads(text)
def names(node, keys=()):
    for key, value in node.items():
        if 'lfs_metadata' in value: yield keys + (key,)
        else: yield from names(value, keys + (key,))
order = list(names(groups))
assert order == sorted(order), 'not sorted'
sys.stdout.buffer.write(json.dumps(groups, indent=4).encode())
`;
  it
    .skipIf(!hasPython)
    .each(['checkpoints/safetensors/names.safetensors', 'checkpoints/pytorch/unicode.pt', 'flax/params.msgpack', 'numbers/tensors.safetensors'])(
    'of %s is what Python writes, in its order',
    async (name) => {
      await folder.put(`python/${name}`, fixture(name));
      const metadata = Buffer.from(await folder.metadata('HEAD', `python/${name}`));
      expect(execFileSync('python3', ['-c', PYTHON], { input: metadata }).equals(metadata)).toBe(true);
    },
  );
});
