import { readFile } from 'node:fs/promises';
import { expect, faultsInBothSchemes, test } from '../fixtures/test';
import { WorkspacePage } from '../pages/workspacePage';

test('the story of a group: its versions, charts, pictures, rows and the first version where something holds', async ({ launch }) => {
  const page = await launch();
  await page.getByRole('button', { name: 'Try the sample' }).click();
  const workspace = new WorkspacePage(page);
  await workspace.isReady();
  await workspace.chooseCheckpoint('model.pt');
  await workspace.chooseGroup('fc1.weight');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Parameters' }).click();

  const story = page.getByRole('region', { name: 'Story of the parameter group' });
  await expect(story.getByRole('heading', { level: 2 })).toHaveText('fc1.weight');
  const versions = story.getByRole('region', { name: 'Versions of fc1.weight' });
  // What git-theta itself stored: the LoRA commit changed it last, on top of the FISH mask and two full copies.
  await expect(versions.getByRole('row')).toHaveCount(5);
  await expect(versions.getByRole('row').nth(1)).toContainText(/LoRA.*Low-rank/);
  await expect(versions.getByRole('row').nth(1)).toContainText('in 3');
  await expect(versions.getByRole('row').nth(2)).toContainText(/FISH mask.*Sparse/);
  await expect(versions.getByRole('row').nth(4)).toContainText(/Random initialisation.*Added/);
  await expect(story.getByRole('img', { name: /^Norm\. norm: 4 versions/ })).toBeVisible();

  // Moving through the versions selects their commits.
  await versions.getByRole('button', { name: 'd0d39a50' }).click();
  await expect(story.getByRole('slider', { name: 'Version', exact: true })).toHaveValue('2');
  await expect(story.getByRole('img', { name: 'Heat map of fc1.weight at d0d39a50' })).toBeVisible();
  await story.getByRole('slider', { name: 'Version', exact: true }).press('End');
  await expect(story.getByRole('img', { name: 'Heat map of fc1.weight at 2d62dd1a' })).toBeVisible();

  await story.getByRole('button', { name: 'Draw the distributions of 4 versions' }).click();
  await expect(story.getByRole('img', { name: /^Distributions of fc1\.weight in 4 versions/ })).toBeVisible();

  await story.getByRole('button', { name: 'Show which commit last changed each row' }).click();
  await expect(story.getByRole('region', { name: 'Last change of each row' })).toContainText('64 rows');
  await expect(story.getByRole('img', { name: /^Elements, each in the colour/ })).toBeVisible();
  const elements = story.getByRole('slider', { name: 'Elements', exact: true });
  await elements.press('ArrowRight');
  await expect(elements).toHaveAttribute('aria-valuetext', /^\[0, 1\]: \d, [0-9a-f]{8} /);

  const condition = story.getByRole('textbox', { name: 'Condition' });
  await condition.fill('size > 8');
  await expect(story.getByRole('button', { name: 'Find the first version' })).toBeDisabled();
  await condition.fill('norm > 8');
  await condition.press('Enter');
  await expect(story.getByRole('region', { name: 'First version where…' })).toContainText('holds first at bfd92606');

  expect(await faultsInBothSchemes(page)).toEqual([]);

  // What is shown can be taken along.
  await story.getByRole('button', { name: 'Export versions of fc1.weight' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Values as CSV' }).click()]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain('commit,date,author,title,update,stored bytes');
  expect(lines[1]).toContain('low-rank');
});
