import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '../fixtures/test';
import { WorkspacePage } from '../pages/workspacePage';

/** Large enough that an export takes seconds; a hole in the file, so that making it does not. */
const TENSOR_BYTES = 1_500_000_000;

/** A repository with one large safetensors file kept by Git LFS. */
async function makeRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'theta-large-'));
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args]);
  git('init', '-q', '-b', 'main');
  const header = Buffer.from(JSON.stringify({ w: { dtype: 'F32', shape: [TENSOR_BYTES / 4], data_offsets: [0, TENSOR_BYTES] } }));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.byteLength));
  const draft = join(folder, '.git', 'draft');
  const handle = await open(draft, 'w');
  await handle.write(Buffer.concat([size, header]));
  await handle.truncate(8 + header.byteLength + TENSOR_BYTES);
  await handle.close();
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(draft, { highWaterMark: 4 << 20 })) hash.update(chunk);
  const oid = hash.digest('hex');
  const object = join(folder, '.git', 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
  await mkdir(dirname(object), { recursive: true });
  await rename(draft, object);
  await writeFile(
    join(folder, 'large.safetensors'),
    `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${8 + header.byteLength + TENSOR_BYTES}\n`,
  );
  git('add', '-A');
  git('commit', '-q', '-m', 'A large model');
  return folder;
}

test('a cancelled export says so and leaves nothing behind', async ({ launch, folder }) => {
  const repository = await makeRepository();
  try {
    const page = await launch(repository);
    const workspace = new WorkspacePage(page);
    await workspace.isReady();
    await expect(workspace.groups).toContainText('w');
    await workspace.exportTo(join(folder, 'large.npz'), /NumPy|npz/i);
    const dialog = page.getByRole('dialog', { name: 'Export version' });
    await expect(dialog.getByRole('progressbar')).toBeVisible();
    await dialog
      .getByRole('button', { name: /^Cancel/ })
      .first()
      .click();
    await expect(dialog.getByRole('progressbar')).toBeHidden();
    await expect.poll(() => readdir(folder)).toEqual([]);
    await expect(page.getByText('Export cancelled')).toBeVisible();
  } finally {
    await rm(repository, { recursive: true, force: true });
  }
});
