import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, chmod, copyFile, cp, mkdir, rm, statfs, unlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest';
import { pathExists } from '../../bytes/pathExists';
import type { GitWriter } from '../../git/gitWriter';
import { openGitWriter } from '../../git/native/writer/openGitWriter';
import { reversingFilter } from '../../git/native/writer/testing/reversingFilter';
import { isolate } from '../../git/native/writer/testing/writerFixture';
import { TestRepository, temporaryFolder } from '../../git/testing/testRepository';
import { createInProcessPool } from '../../workers/createInProcessPool';
import type { TaskInput, TaskName, TaskOutput } from '../../workers/protocol';
import type { RunOptions, WorkerPool } from '../../workers/workerPool';
import { type CommitCheckpoints, type CommittedCheckpoints, commitCheckpoints } from './commitCheckpoints';
import { edited, floats, noise, safetensorsFile } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const MODEL = 'model.safetensors';
const SECOND = 'models/second.safetensors';
const weight = floats(noise(4096), [64, 64]);
const zeros = floats(new Float32Array(2048));
const first = safetensorsFile({ weight, bias: zeros });
/** Changed a little, with two groups of one content. */
const next = safetensorsFile({
  weight: edited(weight, (view) => view.setFloat32(40, 7, true)),
  bias: zeros,
  extra: floats(noise(3000, 5)),
  more: floats(noise(3000, 5)),
});
const second = safetensorsFile({ same: floats(noise(3000, 5)) });
const update = safetensorsFile({ 'weight/R': floats(noise(64, 3), [64, 1]), 'weight/C': floats(noise(64, 4), [1, 64]) });

let folder: TrackedFolder;
let scratch: string;
/** git looks at a file again that is as young as the index; what this makes of it is another content. */
let filter: string;

beforeEach(async () => {
  isolate();
  scratch = await temporaryFolder();
  filter = (await reversingFilter(scratch)).command;
  folder = await TrackedFolder.make();
  await folder.test.commit('attributes', { '.gitattributes': `${MODEL} filter=theta diff=theta merge=theta -text\n`, notes: 'one\n' });
  await folder.put(MODEL, first);
  // What the user has staged and changed himself is none of ours.
  await folder.write('notes', 'two\n');
  await folder.git('add', 'notes');
  await folder.write('notes', 'three\n');
  await writeFile(join(scratch, 'next'), next);
  await writeFile(join(scratch, 'second'), second);
  await writeFile(join(scratch, 'update'), update);
});

afterEach(async () => {
  await folder.dispose();
  await rm(scratch, { recursive: true, force: true });
});

type Before = (step: string) => unknown;

/** Calls `before` ahead of every call of the pool and the writer that the commit makes. */
async function commit(before: Before, more: Partial<CommitCheckpoints> = {}): Promise<CommittedCheckpoints> {
  return folder.open(async (repository) => {
    const writer = await openGitWriter(repository.git, { filterCommand: { process: filter, clean: filter, smudge: filter } });
    const items = [
      { source: join(scratch, 'next'), path: MODEL, update: 'auto' as const, updateData: null },
      { source: join(scratch, 'second'), path: SECOND, update: 'auto' as const, updateData: null },
    ];
    return commitCheckpoints({
      repository,
      writer: watchedWriter(writer, before),
      pool: watchedPool(before),
      program: null,
      items,
      message: 'both',
      author: null,
      newBranch: 'side',
      convertLfs: false,
      ...more,
    });
  });
}

function watchedWriter(writer: GitWriter, before: Before): GitWriter {
  return new Proxy(writer, {
    get(target, name: keyof GitWriter) {
      const method = target[name];
      return async (...args: unknown[]) => {
        await before(name);
        return Reflect.apply(method, target, args);
      };
    },
  });
}

function watchedPool(before: Before): WorkerPool {
  const pool = createInProcessPool();
  return {
    ...pool,
    async run<N extends TaskName>(task: N, input: TaskInput<N>, options?: RunOptions<N>): Promise<TaskOutput<N>> {
      if (task !== 'store') await before(task);
      const output = await pool.run(task, input, options);
      if (task === 'store') await before(task);
      return output;
    },
  };
}

/** Steps of a commit that succeeds, without those that undo takes. */
async function stepsOf(more: Partial<CommitCheckpoints>): Promise<number> {
  let steps = 0;
  await commit(() => void steps++, more);
  return steps;
}

function files(top: string): string[] {
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(top, join(entry.parentPath, entry.name)));
}

const sha = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

vi.setConfig({ testTimeout: 300_000 });

/** Everything that a commit may change, but git's own objects, and what may be deleted at any time. */
async function state(): Promise<Readonly<Record<string, unknown>>> {
  const { path } = folder;
  return {
    work: files(path)
      .filter((file) => !file.startsWith('.git/'))
      .map((file) => `${file} ${sha(join(path, file))}`)
      .sort(),
    index: await folder.git('ls-files', '-s'),
    head: readFileSync(join(path, '.git', 'HEAD'), 'utf8'),
    refs: await folder.git('for-each-ref'),
    objects: existsSync(join(path, '.git', 'lfs')) ? files(join(path, '.git', 'lfs')).sort() : [],
    spool: existsSync(join(path, '.git', 'theta-desktop', 'spool')) ? files(join(path, '.git', 'theta-desktop', 'spool')) : [],
  };
}

async function expectSound(): Promise<void> {
  expect(await folder.git('fsck', '--strict', '--no-dangling')).toBe('');
  expect((await folder.checkout('main', MODEL)).equals(first)).toBe(true);
}

/** The commit with something done at one of its steps, for each step. */
async function atEveryStep(
  act: (step: string) => unknown,
  expectOutcome: (outcome: unknown, at: number) => Promise<void>,
  more: Partial<CommitCheckpoints> = {},
) {
  const template = join(scratch, 'template');
  await cp(folder.path, template, { recursive: true, preserveTimestamps: true });
  const steps = await stepsOf(more);
  for (let at = 0; at < steps; at++) {
    for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name), { recursive: true });
    await cp(template, folder.path, { recursive: true, preserveTimestamps: true });
    let count = 0;
    const before = async (step: string) => {
      if (count++ === at) await act(step);
    };
    const outcome = await commit(before, more).catch((error: unknown) => error);
    await expectOutcome(outcome, at);
  }
  return steps;
}

describe('a commit that is cancelled at any step', () => {
  it.each([
    ['into a new branch', {}],
    ['with a declared update', 'update'],
  ])('%s leaves nothing behind', async (_, variant) => {
    let controller = new AbortController();
    const before = await state();
    const more: Partial<CommitCheckpoints> = {
      get signal() {
        return controller.signal;
      },
      ...(variant === 'update'
        ? { newBranch: null, items: [{ source: join(folder.path, MODEL), path: MODEL, update: 'low-rank' as const, updateData: join(scratch, 'update') }] }
        : {}),
    };
    const steps = await atEveryStep(
      () => controller.abort(),
      async (outcome) => {
        expect(outcome).toMatchObject({ code: 'cancelled' });
        expect(await state()).toEqual(before);
        controller = new AbortController();
      },
      more,
    );
    await expectSound();
    expect(steps).toBeGreaterThan(5);
  });
});

describe('a repository that changes underneath', () => {
  it('because another program moves HEAD, is a conflict until git commits, and everything is put back', async () => {
    const before = await state();
    const moved = await folder.test.commitTree('theirs', [await folder.test.hash('HEAD')], { tree: await folder.git('rev-parse', 'HEAD^{tree}') });
    let steps: string[] = [];
    await atEveryStep(
      async (step) => {
        steps.push(step);
        await folder.git('update-ref', 'refs/heads/main', moved);
      },
      async (outcome, at) => {
        // Once the branch is made, HEAD stands on it, and main is free to go.
        if (!(outcome instanceof Error)) return expect(['createBranch', 'switchBranch', 'commit', 'deleteBranch']).toContain(steps[at]);
        expect(outcome).toMatchObject({ code: 'conflict', message: expect.stringMatching(/moved|main at/) });
        expect({ ...(await state()), refs: '' }).toEqual({ ...before, refs: '' });
        expect(await folder.git('rev-parse', 'HEAD')).toBe(moved);
      },
    );
    steps = [];
  });

  it('because another program locks the index, is a conflict, and what can be put back is', async () => {
    const before = await state();
    const lock = join(folder.path, '.git', 'index.lock');
    await atEveryStep(
      () => writeFile(lock, ''),
      async (outcome) => {
        expect(outcome).toMatchObject({ code: 'conflict', place: { file: lock } });
        await unlink(lock);
        const after = await state();
        expect({ work: after.work, spool: after.spool }).toEqual({ work: before.work, spool: before.spool });
        // What needs the lock cannot be put back, and that is said.
        if (after.index !== before.index) expect(outcome).toMatchObject({ hint: expect.stringContaining('git reset -- ') });
        else expect(after.objects).toEqual(before.objects);
        if (after.head !== before.head) expect(outcome).toMatchObject({ hint: expect.stringContaining('HEAD is on the branch side now.') });
      },
    );
    await expectSound();
  });

  it('because somebody writes the file anew, keeps what they wrote', async () => {
    const theirs = safetensorsFile({ weight: floats(noise(77)) });
    const target = join(folder.path, MODEL);
    const before = await state();
    await atEveryStep(
      async () => {
        if (!(await pathExists(target))) return;
        await writeFile(`${target}.new`, theirs);
        await copyFile(`${target}.new`, target);
        await unlink(`${target}.new`);
      },
      async (outcome) => {
        const after = await state();
        expect(after.spool).toEqual([]);
        if (!(outcome instanceof Error)) {
          // It came before the file was replaced, or after it was read: then git sees it as changed.
          if (sha(target) !== sha(join(scratch, 'next'))) expect(await folder.git('status', '--porcelain', MODEL)).toContain('M');
          return;
        }
        expect(outcome).toMatchObject({ code: 'conflict' });
        expect(readFileSync(target).equals(theirs)).toBe(true);
        expect({ ...after, work: [] }).toEqual({ ...before, work: [] });
      },
    );
    await expectSound();
  });
});

describe('a commit that fails', () => {
  it('leaves what another program has stored too', async () => {
    const before = await state();
    let stored = 0;
    const outcome = await commit(async (step) => {
      if (step === 'store' && ++stored === 4) {
        // The same content, added by git in the same repository.
        await folder.filter('clean', second, { path: 'copy.safetensors' });
        throw new Error('enough');
      }
    }).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ message: 'enough' });
    const after = await state();
    expect({ ...after, objects: [] }).toEqual({ ...before, objects: [] });
    const metadata = await folder.filter('clean', second, { path: 'copy.safetensors' });
    const checked = await folder.filter('smudge', metadata, { path: 'copy.safetensors', treeish: await folder.git('rev-parse', 'HEAD') });
    expect(checked.equals(second)).toBe(true);
  });

  it('puts back what was staged before, not what HEAD has', async () => {
    await folder.write(MODEL, safetensorsFile({ weight: floats(noise(99)) }));
    await folder.add(MODEL);
    await appendFile(join(folder.path, '.gitattributes'), '*.bin filter=lfs\n');
    await folder.git('add', '.gitattributes');
    await appendFile(join(folder.path, '.gitattributes'), '# not staged\n');
    const before = await state();
    await folder.test.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
    await chmod(join(folder.path, '.git/hooks/pre-commit'), 0o755);
    await expect(commit(() => {})).rejects.toMatchObject({ code: 'invalid-request' });
    expect(await state()).toEqual(before);
  });

  it('decides nothing for a file in conflict, and leaves everything as it was', async () => {
    const oid = (await folder.git('rev-parse', `HEAD:${MODEL}`)).trim();
    await folder.test.git(['update-index', '-z', '--index-info'], {
      input: [`0 ${'0'.repeat(40)}\t${MODEL}`, `100644 ${oid} 1\t${MODEL}`, `100644 ${oid} 2\t${MODEL}`].map((line) => `${line}\0`).join(''),
    });
    const before = await state();
    await expect(commit(() => {})).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('both sides of a merge changed'),
      hint: expect.stringContaining('theta merge'),
    });
    expect(await state()).toEqual(before);
  });
});

describe('a disk of its own', () => {
  let unmount = () => {};
  afterEach(() => unmount());

  const system = (program: string, ...args: readonly string[]) => execFileSync(program, args, { stdio: 'ignore' });

  /** Puts the repository on a disk of 2 MiB, where the system lets us have one (Linux, as root); the test is skipped elsewhere. */
  async function onDisk(context: TestContext): Promise<string> {
    const disk = join(scratch, 'disk');
    await mkdir(disk);
    try {
      system('mount', '-t', 'tmpfs', '-o', 'size=2048k', 'tmpfs', disk);
    } catch {
      context.skip('no disk can be mounted here');
    }
    unmount = () => system('umount', disk);
    await cp(folder.path, join(disk, 'repository'), { recursive: true, preserveTimestamps: true });
    await folder.dispose();
    folder = new TrackedFolder(new TestRepository(join(disk, 'repository')));
    return disk;
  }

  it('that becomes full anywhere: it is told as such, and everything is put back', async (context) => {
    const disk = await onDisk(context);
    const template = join(scratch, 'template');
    await cp(folder.path, template, { recursive: true, preserveTimestamps: true });
    const before = await state();
    let failures = 0;
    for (let free = 0; ; free += 12) {
      await rm(folder.path, { recursive: true });
      await cp(template, folder.path, { recursive: true, preserveTimestamps: true });
      const { bavail, bsize } = await statfs(disk);
      await writeFile(join(disk, 'filler'), new Uint8Array(Math.max(0, bavail * bsize - free * 1024)));
      const outcome = await commit(() => {}).catch((error: unknown) => error);
      await rm(join(disk, 'filler'));
      if (!(outcome instanceof Error)) break;
      expect(outcome).toMatchObject({ code: 'no-space', place: { file: expect.stringContaining(folder.path) } });
      expect(await state(), `with ${free} KiB`).toEqual(before);
      failures++;
    }
    expect(failures).toBeGreaterThan(5);
    await expectSound();
  });

  it('that is read-only: it is told as such', async (context) => {
    const disk = await onDisk(context);
    const before = await state();
    system('mount', '-o', 'remount,ro', disk);
    await expect(commit(() => {})).rejects.toMatchObject({ code: 'permission', place: { file: expect.stringContaining(folder.path) } });
    system('mount', '-o', 'remount,rw', disk);
    expect(await state()).toEqual(before);
  });
});

describe('attributes', () => {
  it('that were written but never committed are committed with the file', async () => {
    await folder.git('reset', '-q', '--hard');
    await folder.git('rm', '-q', '--cached', '.gitattributes');
    await folder.git('commit', '-q', '-m', 'No attributes');
    writeFileSync(join(folder.path, '.gitattributes'), '*.safetensors filter=theta\n');
    const { commit: made } = await commit(() => {}, { newBranch: null });
    expect(await folder.git('show', `${made}:.gitattributes`)).toBe('*.safetensors filter=theta');
    expect(await folder.git('diff', '--cached', '--name-only')).toBe('');
  });
});
