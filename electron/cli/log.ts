import { formatBytes } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import { CHANGE_KINDS, type CommitChange } from '../../shared/model/checkpoint';
import type { CommitInfo } from '../../shared/model/commit';
import { changesOfCommits } from '../services/history/changesOfCommits';
import type { OpenedRepository } from '../services/repositories/openedRepository';
import { namedPaths } from './namedPaths';
import type { Session } from './session';
import { terminalText } from './terminalText';

const BATCH = 200;

export interface LogOptions {
  readonly json: boolean;
  /** Most commits to list; `null`: all. */
  readonly limit: number | null;
}

/** `theta log`: commits of all refs, newest first; with a path, those that changed it and how. */
export async function log(session: Session, path: string | undefined, options: LogOptions): Promise<number> {
  const listed = path === undefined ? await list(session, path, options) : await listNamed(session, path, options);
  session.terminal.out(options.json ? `${JSON.stringify(listed.map(toJson), null, 2)}\n` : listed.map(toText).join(''));
  return 0;
}

interface Listed {
  readonly commit: CommitInfo;
  readonly change: CommitChange | null;
}

async function listNamed(session: Session, name: string, options: LogOptions): Promise<readonly Listed[]> {
  for (const path of await namedPaths(session, name)) {
    const listed = await list(session, path, options);
    if (listed !== null) return listed;
  }
  throw new CheckpointError('not-found', `No commit has a file ${name}.`, {
    place: { file: name },
    hint: 'Paths start at the current folder, or at the root of the repository.',
  });
}

/** `null`: no commit has a file of this path. */
async function list(session: Session, path: string, options: LogOptions): Promise<readonly Listed[] | null>;
async function list(session: Session, path: undefined, options: LogOptions): Promise<readonly Listed[]>;
async function list(session: Session, path: string | undefined, options: LogOptions): Promise<readonly Listed[] | null> {
  const repository = await session.repository();
  const listed: Listed[] = [];
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  let existed = false;
  for (let offset = 0; listed.length < limit; ) {
    const { commits, total } = await repository.history.page(offset, BATCH, session.signal);
    for (const item of await withChanges(repository, { commits, path, signal: session.signal })) {
      existed ||= item.change?.present === true;
      if (item.change !== null && !touched(item.change)) continue;
      if (listed.length < limit) listed.push(item);
    }
    offset += commits.length;
    if (commits.length === 0 || (total !== null && offset >= total)) break;
  }
  return path !== undefined && listed.length === 0 && !existed ? null : listed;
}

async function withChanges(repository: OpenedRepository, page: { commits: readonly CommitInfo[]; path: string | undefined; signal: AbortSignal }) {
  const { commits, path, signal } = page;
  if (path === undefined) return commits.map((commit) => ({ commit, change: null }));
  const context = { repository: repository.git, metadata: repository.metadata, storedAs: repository.storedAs };
  const hashes = commits.map((commit) => commit.hash);
  const changes = await changesOfCommits(context, path, hashes, signal);
  return commits.map((commit, index) => ({ commit, change: changes[index] ?? null }));
}

function touched(change: CommitChange): boolean {
  return change.error !== null || Object.keys(change.tallies).length > 0;
}

function toJson({ commit, change }: { commit: CommitInfo; change: CommitChange | null }) {
  const { hash, parents, author, title } = commit;
  return {
    commit: hash,
    parents,
    author: author.name,
    email: author.email,
    date: new Date(author.time * 1000).toISOString(),
    title,
    ...(change === null
      ? {}
      : { storage: change.storage, unchanged: change.unchanged, changes: change.tallies, ...(change.error === null ? {} : { error: change.error }) }),
  };
}

function toText({ commit, change }: { commit: CommitInfo; change: CommitChange | null }): string {
  const date = new Date((commit.author.time + commit.author.offset * 60) * 1000).toISOString().slice(0, 16).replace('T', ' ');
  const head = `${commit.hash.slice(0, 10)}  ${date}  ${terminalText(commit.author.name)}  ${terminalText(commit.title)}\n`;
  return change === null ? head : `${head}            ${describeChange(change)}\n`;
}

/** `2 sparse (1.3 kB), 1 added (310 B), 15 unchanged`. */
function describeChange({ tallies, unchanged, error, storage }: CommitChange): string {
  if (error !== null) return terminalText(error.message);
  const parts = CHANGE_KINDS.flatMap((kind) => {
    const tally = tallies[kind];
    if (tally === undefined) return [];
    const what = `${tally.groups > 0 ? `${tally.groups} ` : ''}${kind}`;
    return [kind === 'renamed' && tally.bytes === 0 ? what : `${what} (${formatBytes(tally.bytes)})`];
  });
  if (storage === 'theta' && unchanged > 0) parts.push(`${unchanged} unchanged`);
  return parts.join(', ');
}
