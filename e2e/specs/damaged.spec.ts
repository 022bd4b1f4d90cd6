import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { showFile } from '../fixtures/showFile';
import { expect, test } from '../fixtures/test';

interface Commit {
  subject: string;
  files: Record<string, { saved: Record<string, { dtype: string; shape: number[]; sha256: string }> }>;
}

async function story(name: string): Promise<{ commits: Commit[]; oid: string }> {
  const { commits, damaged_oid }: { commits: Commit[]; damaged_oid: string } = JSON.parse(
    await readFile(new URL(`../fixtures/repos/${name}/expected.json`, import.meta.url), 'utf8'),
  );
  return { commits, oid: damaged_oid };
}

for (const [name, message] of [
  ['g-lfs-missing', /is not in the Git LFS store/],
  ['g-lfs-truncated', /bytes/],
  ['g-lfs-bitflip', /./],
] as const) {
  test(`${name}: the damaged group is named, the others are right, and nothing is exported`, async ({ openFixture, folder }) => {
    const { workspace, page } = await openFixture(name);
    const { commits, oid } = await story(name);
    await workspace.chooseCommit('c2');

    // The sound group shows its values.
    await workspace.chooseGroup('b');
    const sound = commits.find((commit) => commit.subject === 'c2')?.files['m.pt']?.saved.b?.sha256 ?? 'missing';
    await expect(workspace.detail).toContainText(sound);
    await expect(workspace.detail.getByRole('img', { name: 'Histogram of b' })).toBeVisible();

    // The damaged one says what and where.
    await workspace.chooseGroup('w');
    const alert = workspace.detail.getByRole('alert');
    await expect(alert).toContainText(message);
    await expect(alert).toContainText('w');
    await expect(alert).toContainText(oid.slice(0, 10));

    const file = join(folder, 'broken.pt');
    await workspace.exportTo(file, /PyTorch/);
    const dialog = page.getByRole('dialog', { name: 'Export version' });
    await expect(dialog.getByRole('alert')).toContainText('w');
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();

    // Other versions are whole.
    await workspace.chooseCommit('c4');
    const whole = join(folder, 'whole.pt');
    await workspace.exportTo(whole, /PyTorch/);
    await expect(dialog.getByText('2 parameter groups written and verified')).toBeVisible();
    const saved = commits.at(-1)?.files['m.pt']?.saved ?? {};
    expect(await showFile(whole)).toEqual(Object.entries(saved).map(([group, rest]) => ({ name: group, ...rest })));
  });
}
