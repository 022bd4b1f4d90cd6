import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFileSource } from '../../../bytes/fileSource';
import { safetensorsFormat } from '../../../formats/safetensors/safetensorsFormat';
import { createInProcessPool } from '../../../workers/createInProcessPool';
import type { TaskInput, TaskName, TaskOutput } from '../../../workers/protocol';
import type { RunOptions, WorkerPool } from '../../../workers/workerPool';
import type { GroupToExport } from '../groupToExport';

export const NUMBERS = fileURLToPath(new URL('../../../../e2e/fixtures/numbers/tensors.safetensors', import.meta.url));

/** The groups of the fixture with one tensor of every kind: many types, an empty one, NaN and infinities. */
export async function fixtureGroups(): Promise<readonly GroupToExport[]> {
  const source = await openFileSource(NUMBERS);
  try {
    const { groups } = await safetensorsFormat.read(source, { ref: { kind: 'file', path: NUMBERS }, file: NUMBERS });
    return groups.map(({ keys, dtype, shape, data }) => {
      if ('code' in data) throw new Error(data.message);
      return { keys, dtype, shape, plan: { kind: 'ref', group: keys.join('/'), ref: data } };
    });
  } finally {
    await source.close();
  }
}

export interface Workshop {
  readonly folder: string;
  path(name: string): string;
  files(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function createWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'theta-export-'));
  return {
    folder,
    path: (name) => join(folder, name),
    files: async () => (await readdir(folder)).sort(),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface Call {
  readonly task: TaskName;
  readonly input: TaskInput<TaskName>;
  /** How many calls of this task there were before. */
  readonly count: number;
}

/** The real tasks, with something done before or after each; what it throws, the task throws. */
export function poolWith(hooks: { before?: (call: Call) => unknown; after?: (call: Call) => unknown }): WorkerPool {
  const pool = createInProcessPool();
  const counts = new Map<TaskName, number>();
  return {
    ...pool,
    async run<N extends TaskName>(task: N, input: TaskInput<N>, options?: RunOptions): Promise<TaskOutput<N>> {
      const count = counts.get(task) ?? 0;
      counts.set(task, count + 1);
      await hooks.before?.({ task, input, count });
      const output = await pool.run(task, input, options);
      await hooks.after?.({ task, input, count });
      return output;
    },
  };
}
