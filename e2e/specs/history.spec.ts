import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSyntheticHistory } from '../fixtures/makeSyntheticHistory';
import { expect, test } from '../fixtures/test';
import { WorkspacePage } from '../pages/workspacePage';

test('search finds commits by message, author, hash, parameter group and update type', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.pt');
  const search = page.getByRole('searchbox', { name: 'Search history' });
  for (const [text, title] of [
    ['noisy', 'Fine-tune everything on noisy digits'],
    ['9a4a4a9d', 'IA3'],
    ['low-rank', 'LoRA'],
    ['aux', 'auxiliary head'],
  ] as const) {
    await search.fill(text);
    await search.press('Enter');
    await expect(workspace.history.getByRole('row', { selected: true })).toContainText(title);
  }
  await search.fill('nothing like this');
  await expect(page.getByText(/No match|no commit|0 of 0|nothing/i).first()).toBeVisible();
});

test('a branch or tag in the sidebar selects its commit', async ({ openFixture }) => {
  const { workspace } = await openFixture('digits');
  await workspace.sidebar.getByRole('button', { name: /^rotated/ }).click();
  await expect(workspace.history.getByRole('row', { selected: true })).toContainText('Merge branch');
  await workspace.sidebar.getByRole('button', { name: /^v0/ }).click();
  await expect(workspace.history.getByRole('row', { selected: true })).toContainText('Random initialisation');
});

test('the address reopens the same view', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.pt');
  await workspace.chooseCommit('IA3');
  await workspace.chooseGroup('classifier.weight');
  await page.reload();
  await workspace.isReady();
  await expect(workspace.commit.getByRole('heading').first()).toContainText('IA3');
  await expect(workspace.detail.getByRole('heading', { level: 2 })).toHaveText('classifier.weight');
});

test('a commit made outside appears, and the selection stays', async ({ openFixture }) => {
  const { workspace, folder } = await openFixture('digits');
  await workspace.chooseCommit('IA3');
  execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'Made outside']);
  await expect(workspace.commitRow('Made outside')).toBeVisible();
  await expect(workspace.history.getByRole('row', { selected: true })).toContainText('IA3');
});

test('a long history scrolls to its end and back, and the selection never moves', async ({ launch }) => {
  const folder = await mkdtemp(join(tmpdir(), 'theta-long-'));
  await makeSyntheticHistory(folder, { commits: 20_000, mergeEvery: 7 });
  try {
    const page = await launch(folder);
    const workspace = new WorkspacePage(page);
    await workspace.isReady();
    const selected = workspace.history.getByRole('row', { selected: true });
    const chosen = await selected.textContent();
    await expect(workspace.history).toHaveAttribute('aria-rowcount', '20001');
    const list = workspace.history;
    await list.evaluate((element) => {
      const scroller = [element, ...element.querySelectorAll('*')].find((candidate) => candidate.scrollHeight > candidate.clientHeight + 1000);
      if (scroller === undefined) throw new Error('nothing scrolls');
      scroller.scrollTop = scroller.scrollHeight;
    });
    await expect(list.locator('[aria-rowindex="20001"]')).toBeVisible();
    await list.evaluate((element) => {
      for (const candidate of [element, ...element.querySelectorAll('*')]) candidate.scrollTop = 0;
    });
    await expect(selected).toBeVisible();
    expect(await selected.textContent()).toBe(chosen);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
