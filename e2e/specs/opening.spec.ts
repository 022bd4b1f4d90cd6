import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures/test';
import { unpackRepository } from '../fixtures/unpackRepository';
import { WorkspacePage } from '../pages/workspacePage';

test('the picker opens a repository by a typed path, and Welcome remembers it', async ({ page, host }) => {
  const repository = await unpackRepository('e-two-files');
  try {
    await page.goto(host.url);
    await page.getByRole('button', { name: 'Open a folder' }).click();
    const picker = page.getByRole('dialog', { name: 'Open a folder' });
    // The field gets its first text with the first listing.
    await expect(picker.getByRole('textbox', { name: 'Path' })).not.toHaveValue('');
    await picker.getByRole('textbox', { name: 'Path' }).fill(join(repository.path, '..'));
    await picker.getByRole('button', { name: 'Go' }).click();
    await picker.getByRole('option', { name: /repo/ }).dblclick();
    const workspace = new WorkspacePage(page);
    const open = picker.getByRole('button', { name: 'Open this folder' });
    if (await open.isVisible()) await open.click();
    await workspace.isReady();
    await expect(workspace.sidebar).toContainText('net.pt');
    // The cookie signs the window in from now on; without a place in the address it starts at Welcome.
    await page.goto(new URL(host.url).origin);
    await page.getByRole('button', { name: /repo/ }).first().click();
    await workspace.isReady();
    await expect(workspace.sidebar).toContainText('net.pt');
  } finally {
    await repository.dispose();
  }
});

test('a folder that is no repository is said with what to do next', async ({ page, host, folder }) => {
  await mkdir(join(folder, 'plain'));
  await writeFile(join(folder, 'plain', 'notes.txt'), 'x');
  await page.goto(host.url);
  await page.getByRole('button', { name: 'Open a folder' }).click();
  const picker = page.getByRole('dialog', { name: 'Open a folder' });
  // The field gets its first text with the first listing.
  await expect(picker.getByRole('textbox', { name: 'Path' })).not.toHaveValue('');
  await picker.getByRole('textbox', { name: 'Path' }).fill(join(folder, 'plain'));
  await picker.getByRole('button', { name: 'Open this folder' }).click();
  const alert = page.getByRole('alert').first();
  await expect(alert).toContainText(/repository/i);
});

for (const [name, words] of [
  ['f-flax', 'params'],
  ['h-lossy', 'nan'],
  ['d-st-chain40', 'w'],
] as const) {
  test(`${name} opens and shows its groups`, async ({ openFixture }) => {
    const { workspace } = await openFixture(name);
    await expect(workspace.groups).toContainText(words);
  });
}
