import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, type TestContext, test } from 'vitest';
import { safetensorsFormat } from '../../formats/safetensors/safetensorsFormat';
import { createInProcessPool } from '../../workers/createInProcessPool';
import type { WorkerPool } from '../../workers/workerPool';
import { exportCheckpoint } from './exportCheckpoint';
import { createWorkshop, fixtureGroups, poolWith, type Workshop } from './testing/exporterSetup';

const DISK_KIB = 2048;

let workshop: Workshop;
let disk: string;
let mounted = false;

beforeEach(async () => {
  workshop = await createWorkshop();
  disk = workshop.path('disk');
  await mkdir(disk);
});

afterEach(async () => {
  if (mounted) system('umount', disk);
  mounted = false;
  await workshop.remove();
});

function system(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}

/** A disk of 2 MiB, where the system lets us have one (Linux, as root); the test is skipped elsewhere. */
function mountDisk(context: TestContext, options: string): void {
  try {
    system('mount', '-t', 'tmpfs', '-o', `size=${DISK_KIB}k,${options}`, 'tmpfs', disk);
    mounted = true;
  } catch {
    context.skip('no disk can be mounted here');
  }
}

const run = async (pool: WorkerPool) =>
  exportCheckpoint({
    groups: await fixtureGroups(),
    metadata: [],
    format: safetensorsFormat,
    destination: join(disk, 'out.safetensors'),
    overwrite: true,
    pool,
  });

test('a disk that becomes full while the file is written keeps what it had', async (context) => {
  mountDisk(context, 'rw');
  const destination = join(disk, 'out.safetensors');
  await writeFile(destination, 'precious');
  // Somebody else takes all the space after it was checked and before it is used.
  const fill = async ({ task, count }: { task: string; count: number }) => {
    if (task === 'write' && count === 0) await writeFile(join(disk, 'filler'), new Uint8Array(DISK_KIB * 1024)).catch(() => {});
  };
  await expect(run(poolWith({ before: fill }))).rejects.toMatchObject({ code: 'no-space', place: { file: destination } });
  expect(await readFile(destination, 'utf8')).toBe('precious');
  expect((await readdir(disk)).sort()).toEqual(['filler', 'out.safetensors']);
});

test('a read-only disk is refused', async (context) => {
  mountDisk(context, 'ro');
  await expect(run(createInProcessPool())).rejects.toMatchObject({
    code: 'permission',
    message: expect.stringMatching(/read-only: .*out\.safetensors$/),
  });
});
