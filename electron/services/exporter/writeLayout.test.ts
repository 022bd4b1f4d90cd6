import { open, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSource } from '../../bytes/openSource';
import type { FileLayout } from '../../formats/format';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import { deriveTemplate } from '../../formats/template/deriveTemplate';
import { layoutFromTemplate } from '../../formats/template/layoutFromTemplate';
import { createInProcessPool } from '../../workers/createInProcessPool';
import { exportProgress } from './exportProgress';
import type { GroupToExport } from './groupToExport';
import { createWorkshop, type Workshop } from './testing/exporterSetup';
import { writeLayout } from './writeLayout';

/** Two names for one tensor, in one storage. */
const TIED = fileURLToPath(new URL('../../../e2e/fixtures/checkpoints/pytorch/tied.pt', import.meta.url));

let workshop: Workshop;
beforeEach(async () => {
  workshop = await createWorkshop();
});
afterEach(() => workshop.remove());

async function planned(): Promise<{ layout: FileLayout; groups: GroupToExport[] }> {
  const ref = { kind: 'file', path: TIED } as const;
  const checkpoint = await openCheckpointFile(ref, TIED);
  const source = await openSource(ref);
  try {
    const template = await deriveTemplate(source, checkpoint, { file: TIED, ref });
    const layout = template === null ? null : layoutFromTemplate(template, checkpoint.groups);
    const groups = checkpoint.groups.map(({ keys, dtype, shape, data }): GroupToExport => {
      if ('code' in data) throw new Error(data.message);
      return { keys, dtype, shape, plan: { kind: 'ref', group: keys.join('/'), ref: data } };
    });
    return { layout: layout ?? expect.fail(), groups };
  } finally {
    await source.close();
  }
}

async function write({ layout, groups }: { layout: FileLayout; groups: readonly GroupToExport[] }): Promise<readonly string[]> {
  const path = workshop.path('out.pt');
  const handle = await open(path, 'w+');
  try {
    const partial = { path, handle, publish: async () => {} };
    return await writeLayout(partial, { groups, layout, pool: createInProcessPool(), signal: undefined, progress: exportProgress(1, () => {}) });
  } finally {
    await handle.close();
  }
}

test('groups that share their bytes are written once and hashed both', async () => {
  const { layout, groups } = await planned();
  const [first, second] = await write({ layout, groups });
  expect(layout.tensors).toContain(null);
  expect(first).toBe(second);
  expect((await readFile(workshop.path('out.pt'))).equals(await readFile(TIED))).toBe(true);
});

test('groups that share their bytes but have different values are refused by name', async () => {
  const { layout, groups } = await planned();
  const alone = layout.tensors.indexOf(null);
  const other = groups.map((group, index): GroupToExport => {
    if (index !== alone || group.plan.kind !== 'ref') return group;
    const bytes = Buffer.alloc(4096, 7);
    return { ...group, plan: { ...group.plan, ref: { ...group.plan.ref, source: { kind: 'memory', bytes }, offset: 0 } } };
  });
  await expect(write({ layout, groups: other })).rejects.toMatchObject({ code: 'conflict', place: { group: groups[alone]?.keys.join('/') } });
});

test('a group that shares its bytes but is of another type is refused by name', async () => {
  const { layout, groups } = await planned();
  const alone = layout.tensors.indexOf(null);
  const other = groups.map((group, index): GroupToExport => (index === alone ? { ...group, dtype: 'int32' } : group));
  await expect(write({ layout, groups: other })).rejects.toMatchObject({ code: 'conflict', place: { group: groups[alone]?.keys.join('/') } });
});
