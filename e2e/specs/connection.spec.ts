import { execFileSync } from 'node:child_process';
import { expect, test } from '../fixtures/test';
import { WorkspacePage } from '../pages/workspacePage';

test('a lost connection is visible, and the window sets itself up again', async ({ page, host }) => {
  await page.goto(host.url);
  await page.getByRole('button', { name: 'Try the sample' }).click();
  const workspace = new WorkspacePage(page);
  await workspace.isReady();
  await workspace.chooseCheckpoint('model.pt');
  await workspace.chooseCommit('IA3');
  // A server that hangs looks like a broken network: only the missing heartbeat tells.
  execFileSync('kill', ['-STOP', String(host.pid)]);
  await expect(page.getByRole('alert').filter({ hasText: /connection/i })).toBeVisible({ timeout: 45_000 });
  execFileSync('kill', ['-CONT', String(host.pid)]);
  await expect(page.getByRole('alert').filter({ hasText: /connection/i })).toBeHidden({ timeout: 45_000 });
  await expect(workspace.history.getByRole('row', { selected: true })).toContainText('IA3');
  await workspace.chooseCommit('LoRA');
  await workspace.chooseGroup('fc1.weight');
  await expect(workspace.detail.getByRole('img', { name: 'Histogram of fc1.weight' })).toBeVisible();
});

test('without the token there is a page that says how to get in, and no data', async ({ page, host }) => {
  const address = new URL(host.url);
  const response = await page.goto(address.origin);
  expect(response?.status()).toBe(403);
  await expect(page.locator('body')).toContainText('theta serve');
});
