import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { digitsFile, TrackedRepository } from '../fixtures/gitRepository';
import { accessibilityFaults, expect, test } from '../fixtures/test';
import { GraphPage } from '../pages/graphPage';
import { NamesPage } from '../pages/namesPage';
import { TrackDialog } from '../pages/trackDialog';
import { WorkspacePage } from '../pages/workspacePage';

test.use({ viewport: { width: 1440, height: 1000 } });

const onnxFile = (name: string) => digitsFile(name).replace(/\.pt$/, '.onnx');

/** The digits model and its export, tracked at two versions. */
function digitsWithOnnx(): TrackedRepository {
  const repository = new TrackedRepository('digits');
  repository.git('config', 'user.name', 'Ada');
  repository.git('config', 'user.email', 'ada@example.com');
  repository.theta('install', '--local');
  repository.theta('track', 'model.pt');
  repository.theta('track', 'model.onnx');
  repository.commit('Track', '.gitattributes');
  for (const [name, message] of [
    ['01_init', 'v0: random'],
    ['02_digits', 'v1: trained on digits'],
  ] as const) {
    repository.put(digitsFile(name), 'model.pt');
    repository.put(onnxFile(name), 'model.onnx');
    repository.commit(message, 'model.pt', 'model.onnx');
  }
  return repository;
}

/** Names of the initializers, read by the official definition of the format. */
async function initializerNames(path: string): Promise<string[]> {
  const model = onnxProto.onnx.ModelProto.decode(await readFile(path));
  return (model.graph?.initializer ?? []).map(({ name }) => name ?? '');
}

test('numbered initializers get the names of the checkpoint that they were exported from, and the history sees a rename', async ({ launch }) => {
  const repository = digitsWithOnnx();
  try {
    const before = await initializerNames(onnxFile('02_digits'));
    const page = await launch(repository.folder);
    const workspace = new WorkspacePage(page);
    await workspace.isReady();
    await workspace.chooseCheckpoint('model.onnx');
    await workspace.chooseCommit('v1: trained');
    const graph = new GraphPage(page);
    await graph.open();
    const names = new NamesPage(page);
    await names.open();

    // From model.pt of the same commit.
    await names.panel.getByRole('button', { name: 'Propose names…' }).click();
    await page.getByRole('menuitem', { name: 'From a checkpoint…' }).click();
    const ask = page.getByRole('dialog', { name: 'Propose names from a checkpoint' });
    await expect(ask.getByRole('combobox', { name: 'Checkpoint' })).toHaveValue('model.pt');
    await expect(ask.getByRole('combobox', { name: 'Version' })).toHaveValue('same');
    await ask.getByRole('button', { name: 'Propose names' }).click();
    await expect(names.panel.getByRole('button', { name: 'Close the proposals' })).toBeVisible();
    await expect(names.panel).toContainText('4 names from model.pt of the same version; the other 4 keep theirs.');
    for (const kept of ['fc1.weight', 'classifier.weight']) {
      await expect(names.cell(kept, 'Proposal')).toHaveText('');
    }
    const folded = before.find((name) => name.startsWith('onnx::Conv_')) ?? '';
    await expect(names.cell(folded, 'Why')).toContainText('folded Conv + BatchNorm');
    await expect(names.cell(folded, 'Proposal')).toContainText('encoder.');

    // A name that is taken is said at its row.
    await names.panel.getByRole('button', { name: 'Accept all' }).click();
    await expect(names.cell(folded, 'New name')).toContainText('encoder.');
    await names.write(folded, 'fc1.weight');
    await expect(names.cell(folded, 'Why')).toContainText('defines that name already');
    await expect(names.panel.getByRole('status').filter({ hasText: '1 conflict' })).toBeVisible();
    await names.panel.getByRole('button', { name: /^Review/ }).click();
    await expect(names.review.getByRole('button', { name: 'Apply' })).toBeDisabled();
    await expect(names.review).toContainText('defines that name already');
    await names.review.getByRole('button', { name: 'Cancel' }).click();
    await names.cell(folded, 'Proposal').getByRole('button').click();
    await expect(names.panel.getByRole('status').filter({ hasText: 'No conflicts' })).toBeVisible();

    // Everything that is touched is shown before anything is done.
    await names.panel.getByRole('button', { name: 'Review 4 new names…' }).click();
    await expect(names.review).toHaveAccessibleName('Rename 4 initializers');
    await expect(names.review.getByRole('treegrid', { name: 'Places that change' })).toContainText(folded);
    await expect(names.review).toContainText('8 places');
    expect(await accessibilityFaults(page)).toEqual([]);
    await names.review.getByRole('button', { name: 'Apply' }).click();
    await expect(names.row(folded)).toHaveCount(0);
    await expect(names.toolbar.getByRole('status')).toHaveText('Not saved: Rename 4 initializers');
    await expect(page.getByRole('button', { name: /^Graph.*edits that are not saved$/ })).toBeVisible();

    // Undone and done again.
    await graph.drawing.focus();
    await page.keyboard.press('Control+z');
    await expect(names.row(folded)).toBeVisible();
    await page.keyboard.press('Control+Shift+z');
    await expect(names.row(folded)).toHaveCount(0);

    // Into a commit.
    await names.toolbar.getByRole('button', { name: 'Save as…' }).click();
    const save = page.getByRole('dialog', { name: 'Save the edited model' });
    await expect(save.getByRole('radio', { name: /^A new version/ })).toBeChecked();
    await expect(save.getByRole('alert')).toHaveCount(0);
    await save.getByRole('button', { name: /^Save and go on/ }).click();
    const track = new TrackDialog(page);
    await expect(track.message).toHaveValue('Rename 4 initializers');
    await track.isCompared();
    await track.commit();
    await page.keyboard.press('Control+1');
    const row = workspace.commitRow('Rename 4 initializers');
    await expect(row).toHaveAttribute('aria-selected', 'true');
    await expect(row).toContainText('4 groups renamed');
    await expect(workspace.commit).toContainText(/4 ?renamed/);
    await expect(row).not.toContainText('removed');

    // git and another reader see the same.
    expect(repository.git('status', '--porcelain')).toBe('');
    const after = await initializerNames(join(repository.folder, 'model.onnx'));
    expect(after).toHaveLength(before.length);
    expect(after.filter((name) => !before.includes(name))).toHaveLength(4);
    expect(after.some((name) => name.startsWith('onnx::'))).toBe(false);
    expect(after).toContain('fc1.weight');

    // Nothing is left to be saved.
    await page.keyboard.press('Control+4');
    await expect(names.toolbar.getByRole('status')).toHaveText('');
  } finally {
    repository.dispose();
  }
});

test('names are written by pattern, from a mapping and in place, and saved as a file; what is not saved is asked about', async ({ launch, folder }) => {
  const repository = digitsWithOnnx();
  try {
    const page = await launch(repository.folder);
    const workspace = new WorkspacePage(page);
    await workspace.isReady();
    await workspace.chooseCheckpoint('model.onnx');
    const graph = new GraphPage(page);
    await graph.open();
    const names = new NamesPage(page);
    await names.open();

    // By pattern, for the numbered ones.
    await names.panel.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Only numbered' });
    await names.panel.getByRole('button', { name: 'Find and replace' }).click();
    const form = names.panel.getByRole('form', { name: 'Find and replace in names' });
    await form.getByRole('textbox', { name: 'Find' }).fill('onnx::(\\w+)_(\\d+');
    await expect(form.getByRole('status')).toContainText('no regular expression');
    await form.getByRole('textbox', { name: 'Find' }).fill('onnx::(\\w+)_(\\d+)');
    await form.getByRole('textbox', { name: 'Replace' }).fill('conv$2.$1');
    await expect(form.getByRole('status')).toContainText('4 of 4 shown would change');
    await expect(names.cell('onnx::Conv_32', 'New name')).toHaveText('conv32.Conv');
    await form.getByRole('button', { name: 'Take the names' }).click();
    await expect(names.panel.getByRole('button', { name: 'Review 4 new names…' })).toBeVisible();

    // Out to a file, and back from one.
    const exported = page.waitForEvent('download');
    await names.panel.getByRole('button', { name: 'Mapping', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Export new names as JSON' }).click();
    const mapping: unknown = JSON.parse(await readFile(await (await exported).path(), 'utf8'));
    expect(mapping).toMatchObject({ 'onnx::Conv_32': 'conv32.Conv' });
    await names.panel.getByRole('button', { name: 'Clear all new names' }).click();
    await writeFile(join(folder, 'names.csv'), 'old,new\nonnx::Conv_32,stem.weight\nabsent,present\n');
    await new TrackDialog(page).drop(join(folder, 'names.csv'));
    await expect(page.getByText('The model has no initializer called “absent”.')).toBeVisible();
    await expect(names.cell('onnx::Conv_32', 'New name')).toHaveText('stem.weight');

    // An edit is reviewed, done, and asked about before it is lost.
    await names.panel.getByRole('button', { name: 'Review 1 new name…' }).click();
    await names.review.getByRole('button', { name: 'Apply' }).click();
    await expect(names.toolbar.getByRole('status')).toContainText('Not saved: Rename');

    // One in place, from the panel of its operator.
    await graph.row(/^Conv/).first().click();
    await graph.details('Operator').getByRole('button', { name: 'Rename onnx::Conv_33' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename the initializer' });
    await rename.getByRole('textbox', { name: 'New name' }).fill('fc1.bias');
    await expect(rename).toContainText('defines that name already');
    await rename.getByRole('textbox', { name: 'New name' }).fill('stem.bias');
    await rename.getByRole('button', { name: 'Review…' }).click();
    await expect(names.review).toHaveAccessibleName('Rename "onnx::Conv_33" to "stem.bias"');
    await names.review.getByRole('button', { name: 'Apply' }).click();
    await expect(names.toolbar.getByRole('status')).toContainText('Not saved: 2 edits');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Close the repository');
    await page.keyboard.press('Enter');
    const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expect(leave).toContainText('stem.weight');
    await leave.getByRole('button', { name: 'Stay' }).click();
    await expect(names.table).toBeVisible();

    // As a file, which is replaced only when the user says so.
    const target = join(folder, 'renamed.onnx');
    await writeFile(target, 'something else');
    await page.keyboard.press('Control+s');
    const save = page.getByRole('dialog', { name: 'Save the edited model' });
    await save.getByRole('radio', { name: /^A file/ }).check();
    await save.getByRole('textbox', { name: 'Destination' }).fill(target);
    await save.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(save).toContainText('is there already');
    expect(await readFile(target, 'utf8')).toBe('something else');
    await save.getByRole('button', { name: 'Replace the file' }).click();
    await expect(save).toBeHidden();
    await expect(names.toolbar.getByRole('status')).toContainText('Saved: Rename');
    expect(await initializerNames(target)).toEqual(expect.arrayContaining(['stem.weight', 'stem.bias']));
  } finally {
    repository.dispose();
  }
});
