import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { encodeDenseObject } from '../electron/encodings/testing/writeThetaObject';
import { elementCount } from '../shared/model/shape';
import { BERT_410_MB, bertGroups } from './bertGroups';
import { createNormalValues } from './normalValues';

export const MODEL = 'model.safetensors';

/** A repository as git-theta leaves it after one add: metadata in git, one object per group in the LFS store. */
export async function makeBertRepository(folder: string): Promise<void> {
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], { cwd: folder });
  git('init', '-q', '-b', 'main');
  const values = createNormalValues(1);
  const metadata: Record<string, unknown> = {};
  for (const { name, shape } of [...bertGroups(BERT_410_MB)].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const tensor = values(elementCount(shape), name.endsWith('LayerNorm.weight') ? 1 : 0.04);
    const object = encodeDenseObject('float32', shape, new Uint8Array(tensor.buffer));
    const oid = createHash('sha256').update(object).digest('hex');
    const path = join(folder, '.git', 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, object);
    metadata[name] = {
      tensor_metadata: { shape: shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`, dtype: 'float32', hash: new Array(16).fill(0) },
      lfs_metadata: { version: 'https://git-lfs.github.com/spec/v1', oid, size: String(object.byteLength) },
      theta_metadata: { update_type: 'dense', last_commit: null },
    };
  }
  await writeFile(join(folder, '.gitattributes'), `${MODEL} filter=theta merge=theta diff=theta\n`);
  await writeFile(join(folder, MODEL), JSON.stringify(metadata, null, 4));
  // Plumbing: the filter of the attributes need not be installed here.
  const blob = git('hash-object', '-w', '--no-filters', MODEL).toString().trim();
  git('update-index', '--add', '--cacheinfo', `100644,${blob},${MODEL}`);
  git('add', '.gitattributes');
  git('commit', '-q', '-m', 'Add a model of BERT shape');
}
