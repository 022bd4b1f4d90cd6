import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, faultsInBothSchemes, test } from '../fixtures/test';
import type { WorkspacePage } from '../pages/workspacePage';

function comparisonOf(page: Page) {
  const view = page.getByRole('region', { name: 'Compare', exact: true });
  return {
    view,
    table: page.getByRole('treegrid', { name: 'Compared groups' }),
    sides: { a: page.getByRole('region', { name: 'Side A' }), b: page.getByRole('region', { name: 'Side B' }) },
    detail: page.getByRole('region', { name: 'Compared group' }),
  };
}

async function compareWithParent(workspace: WorkspacePage, title: string): Promise<void> {
  await workspace.chooseCheckpoint('model.pt');
  await workspace.chooseCommit(title);
  await workspace.commit.getByRole('button', { name: 'Compare with parent' }).click();
}

/** Rows of groups, by the name that begins their description. */
function rowOf(table: Locator, name: string): Locator {
  return table.getByRole('row', { name: new RegExp(`^${name.replaceAll('.', '\\.')}(?:,|$)`) });
}

async function download(page: Page, menu: Locator, item: string): Promise<{ readonly name: string; readonly text: string }> {
  await menu.click();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()]);
  return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') };
}

test('the FISH commit against its parent: 1 % of the weights, in four groups; as CSV, swapped, reloaded', async ({ openFixture, hostKind }) => {
  test.skip(hostKind === 'electron', 'a download asks where to in a native dialog');
  const { page, workspace } = await openFixture('digits');
  const { view, table, sides } = comparisonOf(page);
  await compareWithParent(workspace, 'FISH mask');
  await expect(sides.a).toContainText('313c0ac');
  await expect(sides.b).toContainText('d0d39a5');
  await expect(view).toContainText('4 of 18 groups changed');

  const csv = await download(page, view.getByRole('button', { name: 'Export the comparison' }), 'Values as CSV');
  expect(csv.name).toMatch(/^comparison.*\.csv$/);
  const [head = '', ...lines] = csv.text.trimEnd().split('\r\n');
  const columns = head.split(',');
  // Shapes are quoted lists; the columns that are read here stand before or have no comma.
  const changed = lines.filter((line) => line.split(',')[columns.indexOf('change')] === 'modified');
  expect(lines).toHaveLength(18);
  expect(changed.map((line) => line.split(',')[0])).toHaveLength(4);

  // The file itself says how many elements: 1 % of the trained weights (see assets/sample/README.md).
  const json = await download(page, view.getByRole('button', { name: 'Export the comparison' }), 'Values as JSON');
  const rows = JSON.parse(json.text) as { name: string; change: string; elements: number; changed: number }[];
  const modified = rows.filter(({ change }) => change === 'modified');
  const share = modified.reduce((sum, row) => sum + row.changed, 0) / modified.reduce((sum, row) => sum + row.elements, 0);
  expect(share).toBeGreaterThan(0.005);
  expect(share).toBeLessThan(0.015);

  await page.getByRole('button', { name: 'Swap the sides' }).click();
  await expect(sides.a).toContainText('d0d39a5');
  await expect(view).toContainText('4 of 18 groups changed');
  await rowOf(table, modified[0]?.name ?? '').click();
  await page.reload();
  await expect(sides.a).toContainText('d0d39a5');
  await expect(sides.b).toContainText('313c0ac');
  await expect(view).toContainText('4 of 18 groups changed');
  await expect(page.getByRole('region', { name: 'Compared group' }).getByRole('heading', { level: 2 })).toHaveText(modified[0]?.name ?? '');
});

test('LoRA is a rank-2 update in fc1.weight: said in words, drawn, and its largest change shown in the heat maps', async ({ openFixture }) => {
  const { page, workspace } = await openFixture('digits');
  const { view, table, detail } = comparisonOf(page);
  await compareWithParent(workspace, 'LoRA');
  await expect(view).toContainText('1 of 18 groups changed');
  await rowOf(table, 'fc1.weight').click();
  await expect(detail).toContainText('This is a rank-2 update');
  await expect(detail.getByRole('img', { name: 'Spectrum of the difference of fc1.weight' })).toBeVisible();
  await expect(detail.getByRole('img', { name: 'Histograms of fc1.weight' })).toBeVisible();
  for (const what of ['A', 'B', 'the difference']) await expect(detail.getByRole('img', { name: `Heat map of ${what} of fc1.weight` })).toBeVisible();
  const first = detail.getByRole('button', { name: /^Show element/ }).first();
  const index = (await first.textContent()) ?? '';
  await first.click();
  await expect(detail).toContainText(`${index}  A `);
  const maps = detail.getByRole('slider', { name: 'Cells of the heat maps' });
  await maps.focus();
  await page.keyboard.press('0');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('+');
  await expect(detail).toContainText(/rows \d+–\d+, columns \d+–\d+/);
});

test('IA3 is found as a scaling of the rows; an added head is added, and removed the other way round', async ({ openFixture }) => {
  const { page, workspace } = await openFixture('digits');
  const { view, table, detail } = comparisonOf(page);
  await compareWithParent(workspace, 'IA3');
  await rowOf(table, 'classifier.weight').click();
  await expect(detail).toContainText(/row/i);
  await expect(detail).toContainText(/scaled|multiplied/i);

  await page.keyboard.press('Control+1');
  await compareWithParent(workspace, 'Add an auxiliary head');
  await expect(view).toContainText('2 added');
  await expect(table.getByRole('row', { name: /Added/ })).toHaveCount(2);
  await page.getByRole('button', { name: 'Swap the sides' }).click();
  await expect(table.getByRole('row', { name: /Removed/ })).toHaveCount(2);
});

test('the threshold decides at once what counts; the same version has no differences', async ({ openFixture }) => {
  const { page, workspace } = await openFixture('digits');
  const { view, table, sides } = comparisonOf(page);
  await compareWithParent(workspace, 'LoRA');
  await expect(view).toContainText('1 of 18 groups changed');
  await page.getByRole('textbox', { name: 'atol' }).fill('10');
  await expect(view).toContainText('1 changed only within the tolerance');
  await expect(rowOf(table, 'fc1.weight')).toContainText('Within tolerance');
  await page.getByRole('slider', { name: /^rtol/ }).focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'bits' }).click();
  await expect(view).toContainText('1 of 18 groups changed');

  await sides.a.getByRole('button', { name: 'Choose side A' }).click();
  const picker = page.getByRole('dialog', { name: 'Choose side A' });
  await picker.getByRole('combobox').fill('2d62dd1');
  await picker
    .getByRole('option', { name: /2d62dd1/ })
    .first()
    .click();
  await expect(view).toContainText('No differences: all 18 groups are bit for bit equal.');
});

test('a second commit is marked with Ctrl and compared; a chosen file is a side', async ({ openFixture, hostKind, folder }) => {
  test.skip(hostKind === 'electron', 'the native dialog chooses files there');
  const { page, workspace } = await openFixture('digits');
  const { view, sides } = comparisonOf(page);
  await workspace.chooseCheckpoint('model.pt');
  await workspace.chooseCommit('LoRA');
  const file = join(folder, 'lora.safetensors');
  await workspace.exportTo(file, /safetensors/i);
  await page.getByRole('button', { name: 'Done' }).click();
  await workspace.commitRow('FISH mask').click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('button', { name: 'Compare these two' }).click();
  await expect(sides.a).toContainText('d0d39a5');
  await expect(sides.b).toContainText('2d62dd1');

  await sides.a.getByRole('button', { name: 'Choose side A' }).click();
  await page.getByRole('button', { name: 'A file…' }).click();
  const picker = page.getByRole('dialog', { name: 'Compare with a file' });
  await picker.getByRole('textbox', { name: 'Path' }).fill(file);
  await picker.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(sides.a).toContainText('lora.safetensors');
  await expect(view).toContainText('all 18 groups are bit for bit equal');

  // Dropped on side B: the file is sent to the host.
  const bytes = await readFile(file);
  const transfer = await page.evaluateHandle(
    (content) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(content)], 'dropped.safetensors'));
      return data;
    },
    [...bytes],
  );
  await sides.b.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(sides.b).toContainText('dropped.safetensors');
  await expect(view).toContainText('all 18 groups are bit for bit equal');
});

test.describe('without motion', () => {
  // A colour that is still moving to the other scheme has no contrast yet.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('axe finds nothing where the sides are chosen, and in a comparison', async ({ openFixture }) => {
    // Six analyses of a full window.
    test.slow();
    const { page, workspace } = await openFixture('digits');
    const { table, detail } = comparisonOf(page);
    await workspace.chooseCheckpoint('model.pt');
    await page.keyboard.press('Control+3');
    await expect(page.getByText('Choose two sides to compare')).toBeVisible();
    expect(await faultsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Choose side A', exact: true }).click();
    await expect(page.getByRole('option', { name: /LoRA/ })).toBeVisible();
    expect(await faultsInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+1');
    await compareWithParent(workspace, 'Train on digits');
    await rowOf(table, 'encoder.body.conv.weight').click();
    await expect(detail.getByText('Largest changes').first()).toBeVisible();
    await expect(detail.getByRole('img', { name: /^Heat map of A/ })).toBeVisible();
    expect(await faultsInBothSchemes(page)).toEqual([]);
  });
});

test('an averaging merge lies half-way between its parents', async ({ openFixture, hostKind }) => {
  test.skip(hostKind === 'electron', 'a download asks where to in a native dialog');
  const { page, folder } = await openFixture('digits');
  const { view } = comparisonOf(page);
  const distance = async (a: string, b: string): Promise<number> => {
    await page.evaluate((fragment) => {
      window.location.hash = fragment;
    }, `repo=${folder}&view=compare&path=model.pt&a=rev:${a}:model.pt&b=rev:${b}:model.pt`);
    await expect(comparisonOf(page).sides.a).toContainText(a.slice(0, 7));
    await expect(comparisonOf(page).sides.b).toContainText(b.slice(0, 7));
    await expect(view).toContainText(/ of 18 groups changed/);
    const json = await download(page, view.getByRole('button', { name: 'Export the comparison' }), 'Values as JSON');
    const rows = JSON.parse(json.text) as { name: string; norm: number | null }[];
    return rows.find(({ name }) => name === 'fc1.weight')?.norm ?? Number.NaN;
  };
  const [ours, theirs, merged] = ['db9f972e', '326dc420', '774c4efa'];
  const whole = await distance(ours, theirs);
  expect(whole).toBeGreaterThan(0);
  expect((await distance(ours, merged)) / whole).toBeCloseTo(0.5, 3);
  expect((await distance(merged, theirs)) / whole).toBeCloseTo(0.5, 3);
});
