import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { readSmallFile } from '../../bytes/readSmallFile';
import { isTrue, lastValue } from '../configKey';
import type { RepositoryPlace } from '../gitRepository';
import type { Setting } from './parseConfig';
import { RefFiles } from './readRefs';

/** isomorphic-git keeps a pack in one Buffer read at once, which Node limits to 2 GiB. */
const LARGEST_PACK = 2 ** 31 - 1;

/** Extensions that change nothing for reading with this back end (gitrepository-layout; technical/repository-version). */
const HARMLESS = new Set(['noop', 'noop-v1', 'preciousobjects', 'worktreeconfig', 'relativeworktrees']);

/**
 * Refuses what isomorphic-git would read wrongly or not at all: it would show another history or report objects as missing.
 * @throws unsupported-repository, saying what it is; installing git lifts all of these
 */
export async function refuseUnsupported(place: RepositoryPlace, settings: readonly Setting[]): Promise<void> {
  refuseExtensions(settings);
  const promisor = settings.some(([key, value]) => /^remote\..+\.promisor$/s.test(key) && isTrue(value));
  const packs = join(place.commonDir, 'objects', 'pack');
  const files = await readdir(packs).catch(() => []);
  if (promisor || files.some((file) => file.endsWith('.promisor'))) throw refusal('is a partial clone, in which objects may be missing on purpose');
  const alternates = await readSmallFile(join(place.commonDir, 'objects', 'info', 'alternates')).then(String, () => '');
  if (alternates.split('\n').some((line) => line.trim() !== '' && !line.startsWith('#'))) throw refusal('borrows objects from another repository (alternates)');
  if ((await new RefFiles(place).list('refs/replace')).size > 0) throw refusal('replaces some of its objects by others (refs/replace)');
  for (const file of files) {
    if (file.endsWith('.pack')) await refusePack(join(packs, file));
  }
}

function refuseExtensions(settings: readonly Setting[]): void {
  const version = lastValue(settings, 'core.repositoryformatversion') ?? '0';
  if (version !== '0' && version !== '1') throw refusal(`has the repository format ${version}; 0 and 1 are known`);
  for (const [key, value] of settings) {
    const name = /^extensions\.([^.]+)$/.exec(key)?.[1];
    if (name === undefined || HARMLESS.has(name)) continue;
    const setting = value.toLowerCase();
    if (name === 'objectformat') {
      if (setting !== 'sha1') throw refusal(`names its objects by ${setting === 'sha256' ? 'SHA-256' : value} (extensions.objectFormat)`);
    } else if (name === 'refstorage') {
      if (setting !== 'files') throw refusal(`keeps its branches in the form "${value}" (extensions.refStorage)`);
    } else if (name === 'partialclone') throw refusal('is a partial clone, in which objects may be missing on purpose');
    // Format 0 predates extensions: git ignores the ones it does not know there.
    else if (version === '1') throw refusal(`uses the extension "${name}"`);
  }
}

async function refusePack(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found !== null && found.size > LARGEST_PACK) throw refusal('has a pack file larger than 2 GiB');
}

function refusal(what: string): CheckpointError {
  return new CheckpointError('unsupported-repository', `This repository ${what}. Theta Desktop can read that only with git installed.`, {
    hint: 'Install git and open the repository again.',
  });
}
