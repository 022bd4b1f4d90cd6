import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, isCommitHash } from '../../../shared/model/commit';
import { decodeUtf8 } from '../decodeText';
import { ambiguousRevision, missingObject, noSuchRevision } from '../objectErrors';
import type { CommitCache } from './commitCache';
import type { IsomorphicObjects } from './isomorphicObjects';
import type { RefFiles } from './readRefs';

export interface RevisionSource {
  readonly objects: IsomorphicObjects;
  readonly commits: CommitCache;
  readonly refs: RefFiles;
}

/** Where git looks for a short name, in this order (gitrevisions(7), "<refname>"). */
const PLACES = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'] as const;

/** More steps than any history has commits in a line; git has the same limit, that of its int. */
const MOST_STEPS = 2 ** 31 - 1;

/**
 * The commit that a revision names: hash, unique prefix, ref, `git describe` output, each with any number of `~N`, `^N`,
 * `^{commit}`, `^{}` and `^0` behind it. @throws not-found; unsupported-repository for the rest of gitrevisions(7), which
 * needs reflogs, searches or the index
 */
export async function resolveRevision(source: RevisionSource, revision: string): Promise<CommitHash> {
  const match = /^(.*?)((?:~\d*|\^\d*|\^\{(?:commit)?\})*)$/s.exec(revision);
  const [, base = '', suffixes = ''] = match ?? [];
  // A caret or tilde that is no known step, a reflog, a search, a range: git's own syntax, which ref names cannot hold.
  if (/@\{|[~^:?*[\\]|\.\./.test(base)) {
    throw new CheckpointError('unsupported-repository', `The revision "${revision}" can be looked up only with git installed.`, {
      place: { commit: revision },
      hint: 'Give a branch, a tag or a commit id, with ~N and ^N behind it as needed, or install git.',
    });
  }
  let commit = await resolveBase(source, base, revision);
  for (const step of suffixes.match(/~\d*|\^\{(?:commit)?\}|\^\d*/g) ?? []) {
    if (step.startsWith('^{')) continue;
    const count = step.length === 1 ? 1 : Number(step.slice(1));
    if (count > MOST_STEPS) throw noSuchRevision(revision);
    commit = step.startsWith('~') ? await ancestor(source.commits, { commit, count }, revision) : await parent(source.commits, { commit, count }, revision);
  }
  return commit;
}

async function ancestor(commits: CommitCache, from: { readonly commit: CommitHash; readonly count: number }, revision: string): Promise<CommitHash> {
  let { commit } = from;
  for (let i = 0; i < from.count; i++) commit = await parent(commits, { commit, count: 1 }, revision);
  return commit;
}

async function parent(commits: CommitCache, from: { readonly commit: CommitHash; readonly count: number }, revision: string): Promise<CommitHash> {
  if (from.count === 0) return from.commit;
  const found = (await commits.read(from.commit)).parents[from.count - 1];
  if (found === undefined) throw noSuchRevision(revision);
  return found;
}

async function resolveBase(source: RevisionSource, base: string, revision: string): Promise<CommitHash> {
  if (isCommitHash(base)) return existing(await peelToCommit(source.objects, base), revision);
  const name = base === '@' ? 'HEAD' : base;
  for (const place of [...PLACES.map((folder) => `${folder}${name}`), `refs/remotes/${name}/HEAD`]) {
    const oid = await source.refs.resolve(await source.refs.read(place));
    if (oid !== null) return existing(await peelToCommit(source.objects, oid), revision);
  }
  const prefix = /^[0-9a-fA-F]{4,40}$/.test(base) ? base.toLowerCase() : /-g([0-9a-f]{4,40})$/.exec(base)?.[1];
  if (prefix === undefined) throw noSuchRevision(revision);
  const candidates = new Set<CommitHash>();
  for (const oid of prefix.length === 40 ? [prefix] : await source.objects.expand(prefix)) {
    const commit = await peelToCommit(source.objects, oid);
    if (commit !== null) candidates.add(commit);
  }
  const [only, another] = candidates;
  if (another !== undefined) {
    throw ambiguousRevision(revision);
  }
  return existing(only ?? null, revision);
}

function existing(commit: CommitHash | null, revision: string): CommitHash {
  if (commit === null) throw noSuchRevision(revision);
  return commit;
}

const LONGEST_TAG_CHAIN = 1000;

/** Commit at the end of tags of tags; `null` when the object is not here or ends elsewhere. @throws corrupt-object */
export async function peelToCommit(objects: IsomorphicObjects, start: string): Promise<CommitHash | null> {
  let oid = start;
  for (let i = 0; i < LONGEST_TAG_CHAIN; i++) {
    const found = await objects.read(oid).catch((error: unknown) => {
      if (error instanceof CheckpointError && error.code === 'missing-object') return null;
      throw error;
    });
    if (found === null) return null;
    if (found.type === 'commit') return isCommitHash(oid) ? oid : null;
    if (found.type !== 'tag') return null;
    const target = /^object ([0-9a-f]{40})\n/.exec(decodeUtf8(found.bytes.subarray(0, 64)))?.[1];
    if (target === undefined) throw missingObject(oid);
    oid = target;
  }
  return null;
}
