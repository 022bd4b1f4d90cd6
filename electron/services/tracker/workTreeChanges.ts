import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import type { Output } from '../../../shared/contract/requests';
import type { WorkChange } from '../../../shared/contract/trackRequests';
import type { FormatId } from '../../../shared/model/checkpoint';
import { formatOfContent, HEAD_BYTES } from '../../formats/registry';
import type { GitWriter, StatusEntry } from '../../git/gitWriter';
import { formatByExtension, guessFormat } from '../checkpoints/guessFormat';
import { mapLimited } from '../mapLimited';
import type { OpenedRepository } from '../repositories/openedRepository';

/** Files without a checkpoint's extension whose first bytes are looked at. */
const MAX_SNIFFED = 2000;
const CONCURRENT = 16;

/** What differs from HEAD among the checkpoints of a work tree, and whether it could be committed now. */
export async function workTreeChanges(
  repository: OpenedRepository,
  openWriter: () => Promise<GitWriter>,
  signal?: AbortSignal,
): Promise<Output<'worktree/status'>> {
  const obstacle = await obstacleOf(repository);
  // Then nothing can be told of the working tree either.
  if (obstacle?.code === 'unsupported-repository') return { changes: [], otherStaged: 0, identity: null, obstacle };
  const writer = await openWriter();
  const [entries, identity] = await Promise.all([writer.status(signal), writer.identity()]);
  const filters = await repository.git.attributes(
    entries.map(({ path }) => path),
    ['filter'],
  );
  const budget = { sniffs: MAX_SNIFFED };
  const looked = await mapLimited(entries, (entry) => describeChange(repository, entry, { filter: filters.get(entry.path)?.filter, budget }), {
    limit: CONCURRENT,
  });
  const changes = looked.filter((change) => change !== null);
  const shown = new Set(changes.map(({ path }) => path));
  const otherStaged = entries.filter(({ path, staged }) => staged !== 'unchanged' && !shown.has(path)).length;
  return { changes, otherStaged, identity, obstacle };
}

interface Looking {
  readonly filter: string | undefined;
  readonly budget: { sniffs: number };
}

/** `null` for what is no checkpoint. */
async function describeChange({ git }: OpenedRepository, entry: StatusEntry, { filter, budget }: Looking): Promise<WorkChange | null> {
  const { path, staged, work } = entry;
  const file = join(git.place.workTree ?? '', path);
  const tracked = filter === 'theta';
  const format = tracked || formatByExtension(path) !== null ? await formatOf(file, path) : budget.sniffs-- > 0 ? await formatOf(file, null) : null;
  if (format === null) return null;
  const bytes = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  return { path, kind: kindOf(entry), staged: staged !== 'unchanged' && work === 'unchanged', format, bytes, filter: filterOf(filter) };
}

function kindOf({ staged, work }: StatusEntry): WorkChange['kind'] {
  if (staged === 'conflict' || work === 'conflict') return 'conflict';
  if (work === 'untracked') return 'untracked';
  if (work === 'deleted' || staged === 'deleted') return 'deleted';
  return staged === 'added' ? 'added' : 'modified';
}

function filterOf(filter: string | undefined): WorkChange['filter'] {
  if (filter === undefined || filter === 'unset' || filter === 'set') return 'none';
  return filter === 'theta' || filter === 'lfs' ? filter : 'other';
}

/** By content; for a file that is gone or damaged by `path`, where one is given. */
async function formatOf(file: string, path: string | null): Promise<FormatId | null> {
  const guess = path === null ? null : guessFormat(path, []);
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return guess;
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.min(HEAD_BYTES, size));
    await handle.read(head, 0, head.length, 0);
    return formatOfContent(head, size)?.id ?? guess;
  } catch {
    return guess;
  } finally {
    await handle.close();
  }
}

const UNDER_WAY = [
  ['MERGE_HEAD', 'merge', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick', 'cherry-pick'],
  ['REVERT_HEAD', 'revert', 'revert'],
] as const;

/** Why no commit can be made now. */
async function obstacleOf({ git }: OpenedRepository): Promise<ErrorData | null> {
  const { place } = git;
  const there = (name: string) => stat(join(place.gitDir, name)).catch(() => null);
  const refuse = (code: 'unsupported-repository' | 'conflict', message: string, hint: string) => new CheckpointError(code, message, { hint }).toData();
  if (place.bare) return refuse('unsupported-repository', 'A bare repository has no working tree.', 'Clone it, and track checkpoints in the clone.');
  if (git.backend !== 'native') return refuse('unsupported-repository', 'git was not found on this machine.', 'Install git: tracking a checkpoint needs it.');
  const lock = await there('index.lock');
  if (lock !== null) {
    return refuse(
      'conflict',
      `Another git program is working in this repository: it holds ${join(place.gitDir, 'index.lock')} since ${lock.mtime.toISOString()}.`,
      'Wait until it has ended. If none runs any more, it was killed: then remove this file.',
    );
  }
  for (const [name, what, command] of UNDER_WAY) {
    if ((await there(name)) !== null) {
      return refuse(
        'conflict',
        `A ${what} is under way; a commit would conclude it.`,
        `Finish it on the command line: "theta merge", then "git commit". To give it up: "git ${command} --abort".`,
      );
    }
  }
  if ((await there('rebase-merge')) !== null || (await there('rebase-apply')) !== null)
    return refuse('conflict', 'A rebase is under way.', 'Finish it with "git rebase --continue", or give it up with "git rebase --abort".');
  return null;
}
