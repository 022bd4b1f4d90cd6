import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryNames, type UnpackedRepository, unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { formatMetadata } from './formatMetadata';
import { looksLikeMetadata } from './looksLikeMetadata';
import type { ThetaEntry } from './metadata';
import { parseMetadata } from './parseMetadata';

const vectors = new URL('../../e2e/fixtures/vectors/merge/', import.meta.url);
const hasPython = spawnSync('python3', ['-c', 'import json']).status === 0;

const entry = (keys: readonly string[], change: Partial<ThetaEntry> = {}): ThetaEntry => ({
  keys,
  name: keys.join('/'),
  dtype: 'float32',
  shape: [3],
  signature: Array.from({ length: 16 }, (_, index) => BigInt(index) - 2n ** 63n),
  oid: 'ab'.repeat(32),
  bytes: 261,
  updateType: 'dense',
  lastCommit: null,
  ...change,
});

/** Names whose order by code point is not the one by UTF-16 units, and characters that JSON escapes. */
const NAMES: readonly (readonly string[])[] = [
  ['b.weight'],
  ['a/b'],
  ['a', 'b'],
  ['a!'],
  ['params', 'dense', 'kernel'],
  ['params', 'dense', 'bias'],
  ['params', 'dense\u{1f600}', 'bias'],
  ['params', '\uff5e', 'bias'],
  ['quote " back \\ slash / tab \t line \n \r \b \f bell \u0007 del \u007f'],
  ['größe', 'Ω'],
  [''],
  ['\u2028'],
];

/** Every metadata blob of a repository, in any commit. */
function metadataBlobs(path: string): Buffer[] {
  const run = (args: readonly string[], input = '') => execFileSync('git', ['-C', path, ...args], { input, maxBuffer: 2 ** 28 });
  const objects = run(['rev-list', '--objects', '--all'])
    .toString()
    .split('\n')
    .map((line) => line.slice(0, 40));
  const kinds = run(['cat-file', '--batch-check'], objects.filter((oid) => oid !== '').join('\n')).toString();
  const blobs = kinds
    .split('\n')
    .filter((line) => line.includes(' blob '))
    .map((line) => line.slice(0, 40));
  return blobs.map((oid) => run(['cat-file', 'blob', oid])).filter((bytes) => looksLikeMetadata(bytes, false));
}

const repositories = await repositoryNames();

describe('formatMetadata', () => {
  describe.each(repositories)('what git-theta wrote in %s', (name) => {
    let repository: UnpackedRepository;
    beforeAll(async () => {
      repository = await unpackRepository(name);
    });
    afterAll(() => repository.dispose());

    it('is written again byte for byte', () => {
      const blobs = metadataBlobs(repository.path);
      expect(blobs.length).toBeGreaterThan(0);
      for (const bytes of blobs) {
        const { entries, broken } = parseMetadata(bytes, name);
        expect(broken).toEqual([]);
        expect(formatMetadata(entries.values())).toBe(bytes.toString());
      }
    });
  });

  // The average drivers of git-theta write `"lfs_metadata": [pointer, null]`, which it cannot read back; the pointer is written plainly.
  const AVERAGES = ['average-all_0.2_0.3', 'average-ours-original_0.25', 'average-ours-theirs_alpha0.3', 'average-theirs-original_0.75'];
  it.each(readdirSync(vectors).filter((file) => file.endsWith('.json') && file !== 'manifest.json'))('writes the merge vector %s again', (file) => {
    const text = readFileSync(new URL(file, vectors), 'utf8');
    const written = formatMetadata(parseMetadata(Buffer.from(text), file).entries.values());
    if (AVERAGES.includes(file.replace(/\.json$/, ''))) {
      const mended = text.replace(/\[\n\s+(\{\n[^}]*\}),\n\s+null\n\s+\]/g, (_whole, pointer: string) => pointer.replace(/\n {4}/g, '\n'));
      expect(mended).not.toBe(text);
      expect(written).toBe(mended);
    } else expect(written).toBe(text);
  });

  it('writes an empty checkpoint as an empty dictionary', () => {
    expect(formatMetadata([])).toBe('{}');
  });

  it('is read back as what was written, in any order of the entries', () => {
    const entries = NAMES.filter((keys) => keys.join('/') !== 'a/b').map((keys, index) =>
      entry(keys, { bytes: index, shape: index % 2 === 0 ? [] : [index, 0] }),
    );
    const text = formatMetadata(entries.toReversed());
    expect(formatMetadata(entries)).toBe(text);
    const read = parseMetadata(Buffer.from(text), 'file');
    expect(read.broken).toEqual([]);
    expect(read.entries).toEqual(new Map(entries.map((one) => [one.name, one])));
  });

  it.skipIf(!hasPython)("is what Python's json module and its order of tuples give (needs python3)", () => {
    const entries = NAMES.map((keys, index) =>
      entry(keys, { shape: [[], [3], [3, 4], [0, 3]][index % 4] ?? [], lastCommit: null, updateType: index === 3 ? 'ünknown' : 'sparse' }),
    );
    const flat = entries.map(({ keys, shape, dtype, signature, oid, bytes, updateType }) => ({
      keys,
      shape,
      dtype,
      hash: signature?.map(String),
      oid,
      size: String(bytes),
      updateType,
    }));
    const program = `
import json, sys
root = {}
for e in sorted(json.loads(sys.stdin.buffer.read().decode('utf-8')), key=lambda e: tuple(e['keys'])):
    level = root
    for key in e['keys'][:-1]: level = level.setdefault(key, {})
    level[e['keys'][-1]] = {
        'tensor_metadata': {'shape': str(tuple(e['shape'])), 'dtype': e['dtype'], 'hash': [int(n) for n in e['hash']]},
        'lfs_metadata': {'version': 'https://git-lfs.github.com/spec/v1', 'oid': e['oid'], 'size': e['size']},
        'theta_metadata': {'update_type': e['updateType'], 'last_commit': None},
    }
sys.stdout.write(json.dumps(root, indent=4))
`;
    const judged = execFileSync('python3', ['-c', program], { input: JSON.stringify(flat) });
    expect(formatMetadata(entries)).toBe(judged.toString('latin1'));
  });

  it('keeps a missing signature missing', () => {
    const read = parseMetadata(Buffer.from(formatMetadata([entry(['w'], { signature: null })])), 'file').entries.get('w');
    expect(read).toEqual(entry(['w'], { signature: null }));
  });

  it.each([
    ['one name twice', [['a'], ['a']]],
    ['a group inside a group', [['a'], ['a', 'b'], ['a!']]],
    [
      'a group far inside a group',
      [
        ['a', 'b', 'c', 'd'],
        ['a', 'b'],
        ['a', 'b!'],
      ],
    ],
    ['no name at all', [[]]],
    ['the name that marks a group', [['a', 'lfs_metadata']]],
  ])('refuses %s', (_what, names) => {
    expect(() => formatMetadata(names.map((keys) => entry(keys)))).toThrow(expect.objectContaining({ name: 'CheckpointError', code: 'invalid-request' }));
  });
});
