import { expect, faultsInBothSchemes, test } from '../fixtures/test';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('axe finds nothing on Welcome, in the picker and in the palette', async ({ page, host }) => {
  // Several analyses of a full window.
  test.slow();
  await page.goto(host.url);
  await expect(page.getByRole('button', { name: 'Try the sample' })).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Open a folder' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
});

test('axe finds nothing in history, groups, detail and export', async ({ openFixture }) => {
  // Several analyses of a full window.
  test.slow();
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.pt');
  await workspace.chooseCommit('LoRA');
  await workspace.chooseGroup('fc1.weight');
  await expect(workspace.detail.getByRole('img', { name: 'Heat map of fc1.weight' })).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  await workspace.commit.getByRole('button', { name: /^Export/ }).click();
  await expect(page.getByRole('textbox', { name: 'Destination' })).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
});

test('axe finds nothing where a group is damaged', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('g-lfs-missing');
  await workspace.chooseCommit('c2');
  await workspace.chooseGroup('w');
  await expect(workspace.detail.getByRole('alert')).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
});
