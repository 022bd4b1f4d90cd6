import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, open, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import type { CheckpointFormat } from '../../formats/format';
import { FORMATS } from '../../formats/registry';
import { safetensorsFormat } from '../../formats/safetensors/safetensorsFormat';
import { createInProcessPool } from '../../workers/createInProcessPool';
import { type ExportOptions, exportCheckpoint } from './exportCheckpoint';
import type { GroupToExport } from './groupToExport';
import { createWorkshop, fixtureGroups, NUMBERS, poolWith, type Workshop } from './testing/exporterSetup';

let workshop: Workshop;
let groups: readonly GroupToExport[];

beforeEach(async () => {
  workshop = await createWorkshop();
  groups = await fixtureGroups();
});

afterEach(() => workshop.remove());

const run = (options: Partial<ExportOptions> = {}) =>
  exportCheckpoint({
    groups,
    metadata: [],
    format: safetensorsFormat,
    destination: workshop.path('out.safetensors'),
    overwrite: false,
    pool: createInProcessPool(),
    ...options,
  });

/** SHA-256 of every tensor of the fixture, cut from the file by its header alone. */
async function fixtureDigests(): Promise<Map<string, string>> {
  const file = await readFile(NUMBERS);
  const headerEnd = 8 + Number(file.readBigUInt64LE(0));
  const header: Record<string, { data_offsets?: [number, number] }> = JSON.parse(file.toString('utf8', 8, headerEnd));
  const digests = new Map<string, string>();
  for (const [name, { data_offsets }] of Object.entries(header)) {
    if (data_offsets === undefined) continue;
    const bytes = file.subarray(headerEnd + data_offsets[0], headerEnd + data_offsets[1]);
    digests.set(name, createHash('sha256').update(bytes).digest('hex'));
  }
  return digests;
}

function canHold({ layout }: CheckpointFormat, group: GroupToExport): boolean {
  try {
    return layout?.([group], []) !== undefined;
  } catch (error) {
    if (isCheckpointError(error, 'unsupported-format')) return false;
    throw error;
  }
}

describe('an export', () => {
  test.each(FORMATS.filter(({ layout }) => layout !== null))('to $id gives every byte of every group that it can hold', async (format) => {
    const held = groups.filter((group) => canHold(format, group));
    expect(held.length).toBeGreaterThan(15);
    const result = await run({ groups: held, format, destination: workshop.path('out') });
    const expected = await fixtureDigests();
    expect(result.digests.size).toBe(held.length);
    for (const [name, digest] of result.digests) expect([name, digest]).toEqual([name, expected.get(name)]);
    expect(result).toMatchObject({ path: workshop.path('out'), groups: held.length });
    expect((await stat(workshop.path('out'))).size).toBe(result.bytes);
    expect(await workshop.files()).toEqual(['out']);
  });

  test('of nothing is a file without groups', async () => {
    expect(await run({ groups: [] })).toMatchObject({ groups: 0 });
    expect(await workshop.files()).toEqual(['out.safetensors']);
  });

  test('tells its progress from the start to the end, never going back', async () => {
    const seen: Progress[] = [];
    await run({ onProgress: (progress) => seen.push(progress) });
    const total = seen[0]?.total ?? Number.NaN;
    expect([...new Set(seen.map(({ phase }) => phase))]).toEqual(['Writing', 'Verifying']);
    expect(new Set(seen.map((progress) => progress.total))).toEqual(new Set([total]));
    const done = seen.map((progress) => progress.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(done.at(-1)).toBe(total);
  });

  test.each([
    'with space.safetensors',
    'größe 模型 🐟.safetensors',
    `it's "quoted" $HOME;*.safetensors`,
    '-f',
    '.hidden',
    'new\nline.safetensors',
    `${'ä'.repeat(127)}x`,
  ])('takes the name %j', async (name) => {
    await run({ destination: workshop.path(name) });
    expect(await workshop.files()).toEqual([name]);
  });
});

describe('a destination', () => {
  const existing = async (name: string, mode = 0o640) => {
    await writeFile(workshop.path(name), 'precious');
    await chmod(workshop.path(name), mode);
  };
  const content = (name: string) => readFile(workshop.path(name), 'utf8');

  test('that exists is left alone', async () => {
    await existing('out.safetensors');
    await expect(run()).rejects.toMatchObject({ code: 'exists', place: { file: workshop.path('out.safetensors') } });
    expect(await content('out.safetensors')).toBe('precious');
  });

  test('that exists is replaced when wanted, with its permissions', async () => {
    await existing('out.safetensors');
    await run({ overwrite: true });
    expect(await content('out.safetensors')).not.toContain('precious');
    expect((await stat(workshop.path('out.safetensors'))).mode & 0o777).toBe(0o640);
    expect(await workshop.files()).toEqual(['out.safetensors']);
  });

  test('that exists stays when its replacement fails', async () => {
    await existing('out.safetensors');
    const pool = poolWith({ before: ({ task, count }) => task === 'digest' && count === 3 && Promise.reject(new Error('no')) });
    await expect(run({ overwrite: true, pool })).rejects.toMatchObject({ code: 'internal' });
    expect(await content('out.safetensors')).toBe('precious');
    expect(await workshop.files()).toEqual(['out.safetensors']);
  });

  test('that is a symbolic link goes on being one', async () => {
    await existing('target.bin');
    await symlink('target.bin', workshop.path('link.safetensors'));
    await expect(run({ destination: workshop.path('link.safetensors') })).rejects.toMatchObject({ code: 'exists' });
    await run({ destination: workshop.path('link.safetensors'), overwrite: true });
    expect(await readlink(workshop.path('link.safetensors'))).toBe('target.bin');
    expect(await content('target.bin')).not.toContain('precious');
    expect(await workshop.files()).toEqual(['link.safetensors', 'target.bin']);
  });

  test('that is a link to nothing is refused', async () => {
    await symlink('nowhere', workshop.path('link'));
    await expect(run({ destination: workshop.path('link'), overwrite: true })).rejects.toMatchObject({ code: 'not-found' });
    expect((await lstat(workshop.path('link'))).isSymbolicLink()).toBe(true);
  });

  test.each([
    { what: 'a folder', destination: () => workshop.folder, code: 'invalid-request' },
    { what: 'in a folder that is not there', destination: () => workshop.path('missing/out'), code: 'not-found' },
    { what: 'in a file', destination: () => `${NUMBERS}/out`, code: 'not-found' },
    { what: 'relative', destination: () => 'out.safetensors', code: 'invalid-request' },
    { what: 'a device', destination: () => '/dev/null', code: 'invalid-request' },
  ])('that is $what is refused with $code', async ({ destination, code }) => {
    await expect(run({ destination: destination(), overwrite: true })).rejects.toMatchObject({ code });
  });

  test.each(['.git/HEAD', '.git/new.safetensors', '.git/objects/new.safetensors', 'bare/HEAD', 'bare/refs/new.safetensors', 'link', 'linked/new.safetensors'])(
    "that is git's own (%s) is refused, and the repository stays as it is",
    async (name) => {
      execFileSync('git', ['init', '-q', workshop.folder]);
      execFileSync('git', ['init', '-q', '--bare', workshop.path('bare')]);
      await symlink('.git/HEAD', workshop.path('link'));
      await symlink('.git/refs', workshop.path('linked'));
      const before = await content('.git/HEAD');
      await expect(run({ destination: workshop.path(name), overwrite: true })).rejects.toMatchObject({
        code: 'invalid-request',
        place: { file: workshop.path(name) },
      });
      expect(await content('.git/HEAD')).toBe(before);
      await run({ destination: workshop.path('.github.safetensors') });
    },
  );

  test('in a full disk is refused before anything is written', async () => {
    const huge: GroupToExport[] = groups.slice(0, 1).map((group) => ({ ...group, dtype: 'float32', shape: [2 ** 50] }));
    await expect(run({ groups: huge })).rejects.toMatchObject({ code: 'no-space', message: expect.stringMatching(/4\.50 PB are needed/) });
    expect(await workshop.files()).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)('in a folder that must not be written is refused', async () => {
    await chmod(workshop.folder, 0o500);
    await expect(run()).rejects.toMatchObject({ code: 'permission' });
    await chmod(workshop.folder, 0o700);
    expect(await workshop.files()).toEqual([]);
  });

  test('that appears meanwhile is not replaced', async () => {
    const pool = poolWith({ before: ({ task, count }) => task === 'digest' && count === 0 && writeFile(workshop.path('out.safetensors'), 'precious') });
    await expect(run({ pool })).rejects.toMatchObject({ code: 'exists', message: expect.stringMatching(/meanwhile/) });
    expect(await content('out.safetensors')).toBe('precious');
    expect(await workshop.files()).toEqual(['out.safetensors']);
  });
});

describe('an export that goes wrong leaves nothing', () => {
  afterEach(async () => {
    expect(await workshop.files()).toEqual([]);
  });

  test.each([
    { task: 'write', count: 0 },
    { task: 'write', count: 7 },
    { task: 'digest', count: 0 },
    { task: 'digest', count: 7 },
  ] as const)('cancelled at $task $count', async ({ task, count }) => {
    const controller = new AbortController();
    const pool = poolWith({ before: (call) => call.task === task && call.count === count && controller.abort() });
    await expect(run({ pool, signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('cancelled before it began', async () => {
    await expect(run({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('one group of many cannot be read', async () => {
    const broken = groups.map((group, index): GroupToExport => {
      if (index !== 4 || group.plan.kind !== 'ref') return group;
      return { ...group, plan: { ...group.plan, ref: { ...group.plan.ref, source: { kind: 'file', path: workshop.path('gone') } } } };
    });
    await expect(run({ groups: broken })).rejects.toMatchObject({ code: 'not-found', place: { group: groups[4]?.keys.join('/') } });
  });

  test('a group is not what was announced', async () => {
    const lying = groups.map((group): GroupToExport => (group.dtype === 'float64' ? { ...group, shape: [...group.shape].reverse() } : group));
    await expect(run({ groups: lying })).rejects.toMatchObject({ code: 'conflict', place: { group: 'normal64' } });
  });

  test('the disk becomes full, and the error names the destination', async () => {
    const before = ({ task, count, input }: { task: string; count: number; input: object }) => {
      if (task !== 'write' || count !== 5 || !('file' in input)) return;
      throw new CheckpointError('no-space', `The disk is full: ${input.file}`, { place: { file: String(input.file) } });
    };
    const file = workshop.path('out.safetensors');
    await expect(run({ pool: poolWith({ before }) })).rejects.toMatchObject({ code: 'no-space', message: `The disk is full: ${file}`, place: { file } });
  });

  test('what was written reads back differently', async () => {
    const after = async ({ task, count, input }: { task: string; count: number; input: object }) => {
      if (task !== 'write' || count !== 2 || !('file' in input) || !('offset' in input)) return;
      const handle = await open(String(input.file), constants.O_RDWR);
      const byte = Buffer.alloc(1);
      await handle.read(byte, 0, 1, Number(input.offset));
      byte[0] = (byte[0] ?? 0) ^ 1;
      await handle.write(byte, 0, 1, Number(input.offset));
      await handle.close();
    };
    await expect(run({ pool: poolWith({ after }) })).rejects.toMatchObject({ code: 'internal', message: expect.stringMatching(/read back differently/) });
  });

  test('the format cannot hold a group', async () => {
    const twice = [...groups, ...groups];
    await expect(run({ groups: twice })).rejects.toMatchObject({ code: 'unsupported-format' });
  });
});
