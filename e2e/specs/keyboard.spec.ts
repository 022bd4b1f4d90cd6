import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { showFile } from '../fixtures/showFile';
import { expect, test } from '../fixtures/test';
import { WorkspacePage } from '../pages/workspacePage';

/** Presses a key until the wanted element has the focus; fails when it never has. */
async function pressUntilFocused(page: Page, key: string, isFocused: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await isFocused()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`the focus never came to it with ${key}`);
}

test('from the start to an exact file with the keyboard alone', async ({ launch, folder }) => {
  const page = await launch();
  const sample = page.getByRole('button', { name: 'Try the sample' });
  await expect(sample).toBeVisible();
  await pressUntilFocused(page, 'Tab', () => sample.evaluate((element) => element === document.activeElement));
  await page.keyboard.press('Enter');
  const workspace = new WorkspacePage(page);
  await workspace.isReady();

  // The palette chooses the checkpoint.
  await page.keyboard.press('Control+K');
  await page.keyboard.type('model.pt');
  // People look before they press Enter; a program must be told to.
  await expect(page.getByRole('option', { name: 'model.pt', selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(workspace.commit).toContainText('18 groups');

  // The list of commits: from the top to the eighth.
  const inHistory = () => workspace.history.evaluate((element) => element.contains(document.activeElement));
  await pressUntilFocused(page, 'Tab', inHistory);
  await page.keyboard.press('Home');
  for (let row = 0; row < 7; row++) await page.keyboard.press('ArrowDown');
  await expect(workspace.commit.getByRole('heading').first()).toContainText('FISH mask');

  // Its groups.
  const inGroups = () => workspace.groups.evaluate((element) => element.contains(document.activeElement));
  await pressUntilFocused(page, 'Tab', inGroups);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(workspace.detail.getByRole('img', { name: 'Histogram of fc1.weight' })).toBeVisible();

  // Export.
  await page.keyboard.press('Control+E');
  const dialog = page.getByRole('dialog', { name: 'Export version' });
  const destination = dialog.getByRole('textbox', { name: 'Destination' });
  await expect(destination).toBeVisible();
  await pressUntilFocused(page, 'Tab', () => destination.evaluate((element) => element === document.activeElement));
  await page.keyboard.press('Control+A');
  const file = join(folder, 'by keyboard.pt');
  await page.keyboard.type(file);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('18 parameter groups written and verified')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(await showFile(file)).toHaveLength(18);
});
