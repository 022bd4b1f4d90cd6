import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { showFile } from '../fixtures/showFile';
import { expect, test } from '../fixtures/test';
import { WorkspacePage } from '../pages/workspacePage';

interface ExpectedGroup {
  name: string;
  dtype: string;
  shape: number[];
  sha256: string;
}

/** What git-theta's own checkout gives for model.pt at the commit whose subject starts so. */
async function expectedGroups(subject: string): Promise<readonly ExpectedGroup[]> {
  const story: { subject: string; files: Record<string, ExpectedGroup[]> }[] = JSON.parse(
    await readFile(new URL('../fixtures/digits/expected.json', import.meta.url), 'utf8'),
  );
  const groups = story.find((commit) => commit.subject.startsWith(subject))?.files['model.pt'];
  if (groups === undefined) throw new Error(`no commit ${subject}`);
  return groups.map(({ name, dtype, shape, sha256 }) => ({ name, dtype, shape, sha256 })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

test('from the start to an exact file: sample, history, commit, groups, histogram, export', async ({ launch, folder }) => {
  const page = await launch();
  expect(page.url()).not.toContain('token');
  await expect(page.getByRole('heading', { name: 'Theta Desktop' })).toBeVisible();
  await page.getByRole('button', { name: 'Try the sample' }).click();
  const workspace = new WorkspacePage(page);
  await workspace.isReady();
  await workspace.chooseCheckpoint('model.pt');
  await expect(workspace.history.getByRole('row')).toHaveCount(13);

  await workspace.chooseCommit('FISH mask');
  await expect(workspace.commit).toContainText('4 of 18 groups changed');
  await workspace.chooseGroup('fc1.weight');
  await expect(workspace.detail.getByRole('img', { name: 'Histogram of fc1.weight' })).toBeVisible();
  await expect(workspace.detail.getByRole('img', { name: 'Heat map of fc1.weight' })).toBeVisible();
  await expect(workspace.detail).toContainText('8\u202f192');
  const expected = await expectedGroups('FISH mask');
  await expect(workspace.detail).toContainText(expected.find(({ name }) => name === 'fc1.weight')?.sha256 ?? 'missing');

  for (const [format, extension] of [
    [/PyTorch/, 'pt'],
    [/safetensors/i, 'safetensors'],
    [/npz|NumPy/i, 'npz'],
  ] as const) {
    const file = join(folder, `exported.${extension}`);
    await workspace.exportTo(file, format);
    const dialog = page.getByRole('dialog', { name: 'Export version' });
    await expect(dialog.getByText('18 parameter groups written and verified')).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await showFile(file)).toEqual(expected);
  }
});

test('an existing file is replaced only after asking', async ({ openFixture, folder }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.pt');
  const file = join(folder, 'there.pt');
  await workspace.exportTo(file, /PyTorch/);
  await page.getByRole('button', { name: 'Done' }).click();
  const before = await readFile(file);
  await workspace.chooseCommit('Random initialisation');
  await workspace.exportTo(file, /PyTorch/);
  const question = page.getByRole('dialog', { name: 'Replace the file?' });
  await expect(question).toContainText(file);
  expect(await readFile(file)).toEqual(before);
  await question.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await showFile(file)).toEqual(await expectedGroups('Random initialisation'));
});
