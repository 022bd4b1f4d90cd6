import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInProcessPool } from '../../workers/createInProcessPool';
import { type CopyOptions, copyOriginal } from './copyOriginal';
import { createWorkshop, NUMBERS, poolWith, type Workshop } from './testing/exporterSetup';

let workshop: Workshop;
let original: Buffer;

beforeEach(async () => {
  workshop = await createWorkshop();
  original = await readFile(NUMBERS);
});

afterEach(() => workshop.remove());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const run = (options: Partial<CopyOptions> = {}) =>
  copyOriginal({
    source: { kind: 'file', path: NUMBERS },
    bytes: original.byteLength,
    expected: null,
    destination: workshop.path('copy'),
    overwrite: false,
    pool: createInProcessPool(),
    ...options,
  });

describe('an original', () => {
  test('is copied byte for byte', async () => {
    const expected = { kind: 'sha256', digest: sha256(original) } as const;
    const result = await run({ expected });
    expect(result).toEqual({ path: workshop.path('copy'), bytes: original.byteLength, notes: [], digest: expected.digest });
    expect((await readFile(workshop.path('copy'))).equals(original)).toBe(true);
    expect(await workshop.files()).toEqual(['copy']);
  });

  test.each([
    { what: 'a part of a file', ref: { kind: 'file', path: NUMBERS, range: { offset: 3, length: 5000 } }, begin: 3, end: 5003 },
    { what: 'memory', ref: { kind: 'memory', bytes: new Uint8Array([1, 2, 3]) }, begin: 0, end: 0 },
  ] as const)('is copied from $what', async ({ ref, begin, end }) => {
    const expected = ref.kind === 'memory' ? Buffer.from(ref.bytes) : original.subarray(begin, end);
    await run({ source: ref, bytes: expected.byteLength });
    expect((await readFile(workshop.path('copy'))).equals(expected)).toBe(true);
  });

  test('is held against the hash that git gives it', async () => {
    const oid = execFileSync('git', ['hash-object', '--no-filters', NUMBERS]).toString().trim();
    expect(await run({ expected: { kind: 'git-sha1', digest: oid } })).toMatchObject({ digest: oid });
    const damaged = Buffer.from(original);
    damaged[9000] = (damaged[9000] ?? 0) ^ 4;
    await writeFile(workshop.path('cached'), damaged);
    const wrong = run({
      source: { kind: 'file', path: workshop.path('cached') },
      expected: { kind: 'git-sha1', digest: oid },
      destination: workshop.path('again'),
    });
    await expect(wrong).rejects.toMatchObject({ code: 'corrupt-object', place: { oid }, hint: expect.stringContaining(workshop.path('cached')) });
    expect(await workshop.files()).toEqual(['cached', 'copy']);
  });

  test('that is not what its id says is not written', async () => {
    const digest = sha256(Buffer.from('something else'));
    await expect(run({ expected: { kind: 'sha256', digest } })).rejects.toMatchObject({ code: 'corrupt-object', place: { oid: digest } });
    expect(await workshop.files()).toEqual([]);
  });

  test('that is shorter than announced is not written', async () => {
    await expect(run({ bytes: original.byteLength + 1 })).rejects.toMatchObject({ code: 'truncated' });
    expect(await workshop.files()).toEqual([]);
  });

  test.each([
    ['longer', (path: string) => appendFile(path, 'x')],
    ['shorter', (path: string) => truncate(path, original.byteLength - 1)],
    ['changed', (path: string) => writeFile(path, Buffer.from(original).fill(7, 100, 101))],
  ])('whose copy reads back %s is not kept', async (_, damage) => {
    const pool = poolWith({ after: async ({ task, input }) => (task === 'write' && 'file' in input ? damage(input.file) : undefined) });
    await expect(run({ pool })).rejects.toMatchObject({ code: 'internal', place: { file: workshop.path('copy') } });
    expect(await workshop.files()).toEqual([]);
  });

  test('can be cancelled', async () => {
    const controller = new AbortController();
    const pool = poolWith({ after: () => controller.abort() });
    await expect(run({ pool, signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect(await workshop.files()).toEqual([]);
  });
});
