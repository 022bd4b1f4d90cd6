import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { runTheta } from './testing/runTheta';

/** Every checkpoint file of the fixtures through the command line, against what the tools that wrote them say. */

const folder = fileURLToPath(new URL('../../e2e/fixtures/checkpoints/', import.meta.url));
const group = v.object({ name: v.string(), dtype: v.string(), shape: v.array(v.number()), sha256: v.string() });
const expected = v.parse(
  v.record(
    v.string(),
    v.object({
      groups: v.optional(v.array(group)),
      groups_at_least: v.optional(v.array(v.string())),
      metadata: v.optional(v.nullable(v.record(v.string(), v.string()))),
    }),
  ),
  JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')),
);
const shown = v.object({
  format: v.string(),
  groups: v.array(group),
  skipped: v.array(v.object({ name: v.string(), reason: v.string() })),
  metadata: v.record(v.string(), v.string()),
});

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

describe('checkpoint files', () => {
  it.each(Object.entries(expected))('%s reads as its tool wrote it', async (name, { groups, groups_at_least, metadata }) => {
    const { code, out, err } = await runTheta('show', join(folder, name), '--json', '--digest');
    expect(code, err).toBe(0);
    const read = v.parse(shown, JSON.parse(out));
    expect(read.format).toBe(name.split('/')[0]);
    if (groups !== undefined) expect([...read.groups].sort(byName)).toEqual([...groups].sort(byName));
    for (const wanted of groups_at_least ?? []) expect(read.groups.map((item) => item.name)).toContain(wanted);
    if (metadata !== undefined) expect(read.metadata).toEqual(metadata ?? {});
  });

  it('covers every file of the fixtures', () => {
    const files = ['pytorch', 'safetensors'].flatMap((kind) => readdirSync(join(folder, kind)).map((name) => `${kind}/${name}`));
    expect(files.sort()).toEqual(Object.keys(expected).sort());
  });
});

/** What its maker says of the pickles with a call in them: the sound tensors may be shown, with a list of what was skipped. */
const CALLS = ['eval.pt', 'getattr.pt', 'os_system.pt'];

describe('hostile files', () => {
  const files = readdirSync(join(folder, 'hostile')).filter((name) => !name.endsWith('.md'));

  it.each(files)('%s ends in a clear error, or in its sound tensors with a list of what was skipped', async (name) => {
    const { code, out, err } = await runTheta('show', join(folder, 'hostile', name), '--json', '--digest');
    if (code === 0) {
      expect(CALLS).toContain(name);
      expect(v.parse(shown, JSON.parse(out)).skipped.length).toBeGreaterThan(0);
    } else {
      expect(code).toBe(1);
      expect(err).toMatch(/^theta: [^\n]{10,}/);
      expect(err).toContain(name);
    }
    for (const place of [folder, join(folder, 'hostile'), process.cwd()]) expect(existsSync(join(place, 'pwned.txt'))).toBe(false);
  });

  it('says of a Git LFS pointer that it is one', async () => {
    expect((await runTheta('show', join(folder, 'hostile', 'lfs_pointer.pt'))).err).toMatch(/Git LFS pointer/);
  });
});
