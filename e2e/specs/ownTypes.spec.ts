import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { accessibilityFaults, expect, test } from '../fixtures/test';
import { unpackRepository } from '../fixtures/unpackRepository';
import { TrackDialog } from '../pages/trackDialog';
import { WorkspacePage } from '../pages/workspacePage';

/** Some elements of this step change their sign or nearly vanish: no difference gives their bits. */
const FISH = fileURLToPath(new URL('../fixtures/digits/checkpoints/04_fish.pt', import.meta.url));

for (const scheme of ['light', 'dark'] as const) {
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme, contextOptions: { reducedMotion: 'reduce' } });

    test('an update type of our own is named in preview, history and groups, and said to be none of git-theta', async ({ launch, hostKind }) => {
      test.skip(hostKind !== 'served', 'the drop is made by the protocol of a browser');
      test.slow();
      const repository = await unpackRepository('digits');
      try {
        const git = (...args: string[]) => execFileSync('git', ['-C', repository.path, ...args], { encoding: 'utf8' }).trim();
        const before = git('log', '--format=%H', '--reverse', '--first-parent').split('\n')[2] ?? '';
        git('update-ref', 'HEAD', before);
        git('read-tree', before);
        git('config', 'user.name', 'Ada');
        git('config', 'user.email', 'ada@example.org');
        git('config', 'theta.updates', 'all');
        const page = await launch(repository.path);
        const workspace = new WorkspacePage(page);
        await workspace.isReady();
        const track = new TrackDialog(page);
        await track.drop(FISH);
        await track.place.fill('model.pt');
        await track.isCompared();
        await expect(track.preview.getByRole('list', { name: 'Notes' })).toContainText('git-theta cannot read this version');
        const row = track.groups.getByRole('row', { name: /, modified, sparse values, float32/ }).first();
        await expect(row).toBeVisible();
        await expect(row).toContainText('Sparse values');
        expect(await accessibilityFaults(page)).toEqual([]);
        await track.message.fill('Fish');
        await track.commit();

        await expect(workspace.history.getByRole('row', { selected: true })).toContainText('Fish');
        await expect(workspace.history.getByRole('row', { selected: true })).toContainText(/sparse values/);
        expect(git('show', 'HEAD:model.pt')).toContain('"update_type": "sparse-values"');
        await page.keyboard.press('?');
        await expect(page.getByRole('list', { name: 'Legend' })).toContainText('Sparse values');
        expect(await accessibilityFaults(page)).toEqual([]);
      } finally {
        await repository.dispose();
      }
    });
  });
}
