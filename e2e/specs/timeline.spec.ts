import { readFile } from 'node:fs/promises';
import { expect, faultsInBothSchemes, test } from '../fixtures/test';
import { TimelinePage } from '../pages/timelinePage';

test.use({ viewport: { width: 1440, height: 1100 } });

test('follows the parameter groups of the sample through their versions', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.pt');
  const timeline = new TimelinePage(page);
  await timeline.open();

  // The column of the FISH commit: four sparse groups, and nothing else.
  await timeline.grid.focus();
  await page.keyboard.press('Control+Home');
  await timeline.column(/FISH/).click();
  await expect(timeline.active).toContainText(/FISH/);
  const sparse: string[] = [];
  for (let seen = ''; ; ) {
    await page.keyboard.press('Control+ArrowDown');
    const text = (await timeline.active.textContent()) ?? '';
    if (text === seen) break;
    seen = text;
    if (!text.includes(' changed')) sparse.push(text.replace(/ at .*, (\w+), .*/, ' $1'));
  }
  expect(sparse.sort()).toEqual(['classifier.weight Sparse', 'encoder.body.conv.weight Sparse', 'encoder.stem.conv.weight Sparse', 'fc1.weight Sparse']);
  await page.keyboard.press('Control+Home');
  await timeline.column(/FISH/).click();

  // A module closes and says how much of it changed.
  const rowsBefore = Number(await timeline.grid.getAttribute('aria-rowcount'));
  await timeline.row('encoder').click();
  await expect(timeline.row('encoder')).toHaveAttribute('aria-expanded', 'false');
  expect(Number(await timeline.grid.getAttribute('aria-rowcount'))).toBeLessThan(rowsBefore);
  await expect(timeline.active).toContainText('2 of 14 groups changed');
  await timeline.row('encoder').click();

  // Filter, by glob and by expression.
  await timeline.filter.fill('*.weight');
  await expect.poll(() => timeline.labels()).toEqual(['aux.weight', 'classifier.weight', 'fc1.weight']);
  await timeline.filter.fill('/norm.*weight$/');
  await expect(timeline.grid).toHaveAttribute('aria-rowcount', '4');
  await timeline.filter.fill('');

  // Order.
  await page.getByLabel('Sort', { exact: true }).selectOption('size');
  await expect.poll(async () => (await timeline.labels())[0]).toBe('fc1');
  await page.getByLabel('Sort', { exact: true }).selectOption('name');

  // A number in the place of the update type, and the keyboard to a cell: LoRA moved fc1.weight.
  await page.getByLabel('Show', { exact: true }).selectOption('delta');
  await timeline.filter.fill('fc1.weight');
  await timeline.filter.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.press('Control+ArrowLeft');
  await expect(timeline.active).toContainText(/fc1\.weight at \w{7} LoRA.*Low-rank.*‖Δ‖ \d/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/view=parameters.*group=fc1\.weight/);
  await expect(page.getByRole('region', { name: /story|Parameter group/i }).first()).toContainText('fc1.weight');

  // A range of versions, and its ends compared.
  await timeline.grid.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(timeline.view).toContainText('3 versions');
  await page.getByRole('button', { name: 'Compare its ends' }).click();
  await expect(page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Compare' })).toHaveAttribute('aria-current', 'page');
  await expect(page).toHaveURL(/view=compare/);

  // What was chosen is there again, in this view and after a reload.
  await page.keyboard.press('Control+2');
  await expect(timeline.active).toContainText('fc1.weight');
  await page.reload();
  await expect(timeline.active).toContainText(/fc1\.weight at \w{7} LoRA/);
});

test('zooms from single cells to the overview by keys and wheel, and back', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.pt');
  const timeline = new TimelinePage(page);
  await timeline.open();
  await timeline.grid.focus();
  const before = await timeline.labels();
  for (let step = 0; step < 12; step++) await page.keyboard.press('-');
  await expect.poll(async () => (await timeline.labels()).length).toBeLessThan(before.length);
  await expect(page.getByRole('button', { name: 'Smaller cells' })).toBeDisabled();
  await expect(timeline.active).toContainText(' at ');
  await timeline.grid.hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await expect(page.getByRole('button', { name: 'Smaller cells' })).toBeEnabled();
  await page.keyboard.press('0');
  await expect.poll(() => timeline.labels()).toEqual(expect.arrayContaining(before.slice(0, 8)));
});

test('saves all cells as a table and a picture', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.pt');
  const timeline = new TimelinePage(page);
  await timeline.open();
  const save = async (item: string) => {
    await timeline.view.getByRole('button', { name: /^Export versions/ }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()]);
    return readFile(await download.path());
  };
  const lines = (await save('Values as CSV')).toString('utf8').trim().split('\r\n');
  expect(lines[0]).toBe('group,dtype,shape,commit,date,title,author,update,stored_bytes');
  const fish = lines.filter((line) => line.includes('FISH') && line.includes(',sparse,'));
  expect(fish.map((line) => line.split(',')[0]).sort()).toEqual(['classifier.weight', 'encoder.body.conv.weight', 'encoder.stem.conv.weight', 'fc1.weight']);
  const picture = await save('Picture as PNG');
  expect(picture.subarray(1, 4).toString('latin1')).toBe('PNG');
  // Width in the header of a PNG: names and eight columns or more, in double size.
  expect(picture.readUInt32BE(16)).toBeGreaterThan(2 * (260 + 8 * 28) - 1);
});

test('shows versions kept by Git LFS, and says what cannot be read', async ({ openFixture }) => {
  const { page } = await openFixture('g-lfs-missing');
  const timeline = new TimelinePage(page);
  await timeline.open();
  await timeline.grid.focus();
  await expect(timeline.active).toContainText(' at ');
  await page.getByLabel('Show', { exact: true }).selectOption('norm');
  await expect(timeline.view.getByText(/could not be measured|norm \d/).first()).toBeVisible();
});

test.describe('without motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('axe finds nothing in the grid, with filters, numbers and a range', async ({ openFixture }) => {
    // Four analyses of a full window.
    test.slow();
    const { workspace, page } = await openFixture('digits');
    await workspace.chooseCheckpoint('model.pt');
    const timeline = new TimelinePage(page);
    await timeline.open();
    expect(await faultsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByLabel('Show', { exact: true }).selectOption('delta');
    await timeline.grid.focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await expect(page.getByRole('button', { name: 'Compare its ends' })).toBeVisible();
    expect(await faultsInBothSchemes(page)).toEqual([]);
  });
});
