import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { showFile } from '../fixtures/showFile';
import { accessibilityFaults, expect, test } from '../fixtures/test';
import { TrackDialog } from '../pages/trackDialog';
import { WorkspacePage } from '../pages/workspacePage';

/** Checkpoints that PyTorch wrote; each step changes what its name says. */
const STEP = (name: string) => fileURLToPath(new URL(`../fixtures/digits/checkpoints/${name}`, import.meta.url));

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
}

function nameAuthor(folder: string): void {
  git(folder, 'config', 'user.name', 'Ada');
  git(folder, 'config', 'user.email', 'ada@example.org');
}

const worktree = (workspace: WorkspacePage) => workspace.sidebar.getByRole('list', { name: 'Changed checkpoints' });

/** The built program must write what git-theta's metadata needs into git, not the file itself. */
function storedAt(folder: string, path: string): string {
  return git(folder, 'show', `HEAD:${path}`);
}

async function chooseItem(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('menuitem', { name }).click();
}

test('a dropped checkpoint is previewed, committed, and selected in the history with its bar', async ({ openFixture, hostKind }) => {
  const { workspace, page, folder } = await openFixture('digits');
  test.skip(hostKind !== 'served', 'the drop is made by the protocol of a browser');
  nameAuthor(folder);
  const track = new TrackDialog(page);
  const before = git(folder, 'rev-parse', 'HEAD');
  await track.drop(STEP('04_fish.pt'));
  await expect(track.place).toHaveValue('04_fish.pt');
  await expect(track.message).toBeFocused();
  await track.place.fill('model.pt');
  await expect(track.message).toHaveValue('Update model.pt');
  await track.isCompared();
  await expect(track.preview).toContainText('This version adds');
  await expect(track.groups.getByRole('row', { name: /fc1\.weight, modified/ })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await track.message.fill('Fish again');
  await track.commit();

  await expect(workspace.history.getByRole('row', { selected: true })).toContainText('Fish again');
  await expect(workspace.history.getByRole('row', { selected: true })).toContainText(/groups?/);
  await expect(workspace.commit.getByRole('heading').first()).toContainText('Fish again');
  expect(git(folder, 'rev-parse', 'HEAD^')).toBe(before);
  expect(git(folder, 'log', '-1', '--format=%an <%ae>')).toBe('Ada <ada@example.org>');
  expect(JSON.parse(storedAt(folder, 'model.pt'))).toBeInstanceOf(Object);
  // The file itself stands in the working tree, byte for byte.
  expect(await readFile(join(folder, 'model.pt'))).toEqual(await readFile(STEP('04_fish.pt')));
  expect(git(folder, 'status', '--porcelain')).toBe('');
});

test('a file that is no checkpoint, and one that is committed already, are said', async ({ openFixture, folder: out, hostKind }) => {
  const { page, folder } = await openFixture('digits');
  test.skip(hostKind !== 'served', 'the drop is made by the protocol of a browser');
  nameAuthor(folder);
  const track = new TrackDialog(page);
  await writeFile(join(out, 'notes.txt'), 'no tensors in here');
  await track.drop(join(out, 'notes.txt'));
  await expect(track.dialog.getByRole('alert')).toContainText('no checkpoint');
  await page.keyboard.press('Escape');
  await track.drop(join(folder, 'model.pt'));
  await expect(track.place).toHaveValue('model.pt');
  await track.isCompared();
  await expect(track.dialog).toContainText('nothing to commit');
  await expect(track.dialog.getByRole('button', { name: /^Commit/ })).toBeDisabled();
});

test('the focus comes back to where a chain of dialogs began', async ({ openFixture, hostKind }) => {
  const { page, folder } = await openFixture('digits');
  test.skip(hostKind !== 'served', 'the desktop opens a dialog of the system here');
  nameAuthor(folder);
  const opener = page.getByRole('button', { name: /^Track/ }).first();
  await opener.focus();
  await page.keyboard.press('Enter');
  const picker = page.getByRole('dialog').getByRole('textbox', { name: 'Path' });
  // A file that is typed is chosen by Enter.
  await picker.fill(STEP('05_lora.pt'));
  await picker.press('Enter');
  const track = new TrackDialog(page);
  await track.isCompared();
  await page.keyboard.press('Escape');
  await expect(track.dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test('a change in the working tree is shown, committed on a new branch, or thrown away after asking', async ({ openFixture }) => {
  const { workspace, page, folder } = await openFixture('digits');
  nameAuthor(folder);
  const track = new TrackDialog(page);
  await copyFile(STEP('05_lora.pt'), join(folder, 'model.pt'));
  await page.keyboard.press('Control+K');
  await page.keyboard.type('Read the working tree');
  await page.getByRole('option', { name: /Read the working tree/ }).click();
  await expect(worktree(workspace)).toContainText('model.pt');

  await workspace.sidebar.getByRole('button', { name: 'Discard…' }).click();
  const question = page.getByRole('dialog', { name: 'Discard the changes?' });
  await expect(question).toContainText('is lost');
  await question.getByRole('button', { name: 'Keep the changes' }).click();
  expect(await readFile(join(folder, 'model.pt'))).toEqual(await readFile(STEP('05_lora.pt')));

  await workspace.sidebar.getByRole('button', { name: 'Commit changes…' }).click();
  await track.isCompared();
  await track.dialog.getByRole('radio', { name: 'On a new branch' }).check();
  await track.dialog.getByRole('textbox', { name: 'Name of the new branch' }).fill('trial');
  await track.commit();
  await expect(workspace.history.getByRole('row', { selected: true })).toContainText('trial');
  expect(git(folder, 'branch', '--show-current')).toBe('trial');
  await expect(workspace.sidebar).toContainText('No checkpoint differs from HEAD.');

  // Once more, and this time it is thrown away.
  await copyFile(STEP('06_ia3.pt'), join(folder, 'model.pt'));
  await page.keyboard.press('Control+K');
  await page.keyboard.type('Read the working tree');
  await page.getByRole('option', { name: /Read the working tree/ }).click();
  await expect(worktree(workspace)).toContainText('model.pt');
  await workspace.sidebar.getByRole('button', { name: 'Discard…' }).click();
  await question.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(question).toBeHidden();
  await expect(workspace.sidebar).toContainText('No checkpoint differs from HEAD.');
  const digests = (groups: Awaited<ReturnType<typeof showFile>>) => groups.map(({ name, sha256 }) => [name, sha256]);
  expect(digests(await showFile(join(folder, 'model.pt')))).toEqual(digests(await showFile(STEP('05_lora.pt'))));
});

test('branches and tags are made where the menu was opened, and switching loses no changes', async ({ openFixture }) => {
  const { workspace, page, folder } = await openFixture('digits');
  nameAuthor(folder);
  await workspace.commitRow('LoRA').first().click({ button: 'right' });
  await chooseItem(page, /^Create branch here/);
  const branch = page.getByRole('dialog', { name: 'Create a branch' });
  await branch.getByRole('textbox', { name: 'Name' }).fill('main');
  await expect(branch).toContainText('there already');
  await branch.getByRole('textbox', { name: 'Name' }).fill('from-lora');
  await branch.getByRole('button', { name: 'Create and switch' }).click();
  await expect(branch).toBeHidden();
  expect(git(folder, 'branch', '--show-current')).toBe('from-lora');
  expect(git(folder, 'log', '-1', '--format=%s')).toContain('LoRA');

  // The menu of the selected commit, by the keyboard.
  await workspace.chooseCommit('IA3');
  await workspace.history.focus();
  await page.keyboard.press('Shift+F10');
  await chooseItem(page, /^Create tag here/);
  const tag = page.getByRole('dialog', { name: 'Create a tag' });
  await tag.getByRole('textbox', { name: 'Name' }).fill('ia3');
  await tag.getByRole('textbox', { name: /^Message/ }).fill('The rescaled one');
  await tag.getByRole('button', { name: 'Create tag' }).click();
  await expect(tag).toBeHidden();
  expect(git(folder, 'log', '-1', '--format=%s', 'ia3')).toContain('IA3');
  expect(git(folder, 'tag', '-l', '--format=%(contents:subject)', 'ia3')).toBe('The rescaled one');

  await copyFile(STEP('06_ia3.pt'), join(folder, 'model.pt'));
  await workspace.sidebar.getByRole('button', { name: /^rotated/ }).click({ button: 'right' });
  await chooseItem(page, /^Switch to this branch/);
  const refused = page.getByRole('dialog', { name: 'Not switched to rotated' });
  await expect(refused).toContainText('model.pt');
  expect(await readFile(join(folder, 'model.pt'))).toEqual(await readFile(STEP('06_ia3.pt')));
  expect(git(folder, 'branch', '--show-current')).toBe('from-lora');
});

test('a checkpoint without a repository gets one', async ({ page, host, folder }) => {
  await page.goto(host.url);
  await expect(page.getByRole('button', { name: 'Try the sample' })).toBeVisible();
  const track = new TrackDialog(page);
  const place = join(folder, 'models');
  await mkdir(place);
  await track.drop(STEP('01_init.pt'));
  const offer = page.getByRole('dialog', { name: 'Create a repository' });
  await offer.getByRole('button', { name: 'Choose a folder…' }).click();
  const picker = page.getByRole('dialog', { name: 'Where the repository goes' });
  // The field gets its first text with the first listing.
  await expect(picker.getByRole('textbox', { name: 'Path' })).not.toHaveValue('');
  await picker.getByRole('textbox', { name: 'Path' }).fill(place);
  await picker.getByRole('button', { name: 'Use this folder' }).click();
  await expect(offer).toContainText(place);
  await offer.getByRole('button', { name: 'Create and track' }).click();
  await expect(track.place).toHaveValue('01_init.pt');
  await expect(track.dialog).toContainText('first commit');
  await track.isCompared();
  if (await track.dialog.getByRole('textbox', { name: 'Name' }).isVisible()) {
    await track.dialog.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await track.dialog.getByRole('textbox', { name: 'Email' }).fill('ada@example.org');
  }
  await track.commit();
  const workspace = new WorkspacePage(page);
  await expect(workspace.history.getByRole('row', { selected: true })).toContainText('Track 01_init.pt');
  expect(git(place, 'ls-tree', '--name-only', 'HEAD').split('\n')).toEqual(['.gitattributes', '01_init.pt']);
  expect(git(place, 'status', '--porcelain')).toBe('');
});
