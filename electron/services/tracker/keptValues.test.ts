import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptValuesFolder, pruneKeptValues } from './keptValues';

let commonDir: string;
beforeEach(() => {
  commonDir = mkdtempSync(join(tmpdir(), 'theta-kept-'));
});
afterEach(() => rmSync(commonDir, { recursive: true, force: true }));

it('removes the values that were not used for longest beyond 256 MiB', async () => {
  const folder = keptValuesFolder({ commonDir });
  mkdirSync(folder, { recursive: true });
  for (const [day, name] of ['oldest', 'older', 'newest'].entries()) {
    writeFileSync(join(folder, name), '');
    // Without content on the disk.
    truncateSync(join(folder, name), 100 * 1024 * 1024);
    utimesSync(join(folder, name), new Date(2020, 0, day + 1), new Date(2020, 0, day + 1));
  }
  await pruneKeptValues({ commonDir });
  expect(readdirSync(folder).sort()).toEqual(['newest', 'older']);
});

it('does nothing where nothing is kept', async () => {
  await expect(pruneKeptValues({ commonDir })).resolves.toBeUndefined();
});
