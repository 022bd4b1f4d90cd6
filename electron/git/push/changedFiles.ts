import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, isCommitHash } from '../../../shared/model/commit';
import { decodeUtf8 } from '../decodeText';
import { type GitCommand, streamGit } from '../native/gitProcess';

/** A file of a commit that none of its parents has like that. */
export interface ChangedFile {
  readonly commit: CommitHash;
  readonly path: string;
  readonly blob: string;
  /** What the parents have at this path; those that have nothing there are left out. */
  readonly before: readonly string[];
}

/** A commit, and what is to count as its parents; default: those that it has. */
export interface CommitToCompare {
  readonly commit: CommitHash;
  readonly parents?: readonly CommitHash[];
}

/**
 * Regular files that commits changed or added against all of their parents: what a merge took over from one of them, that one's history brings
 * along. A renamed file counts as added. Deleted ones, symlinks and submodules hold nothing. @throws as runGit
 */
export async function changedFiles(command: GitCommand, commits: readonly CommitToCompare[], signal?: AbortSignal): Promise<readonly ChangedFile[]> {
  if (commits.length === 0) return [];
  const input = commits.map(({ commit, parents }) => `${[commit, ...(parents ?? [])].join(' ')}\n`).join('');
  const args = ['diff-tree', '--stdin', '-r', '-c', '--root', '--raw', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const files: ChangedFile[] = [];
  let commit: CommitHash | null = null;
  let entry: string | null = null;
  for await (const token of tokens(streamGit(command, args, { what: 'compare commits', input, signal }))) {
    if (entry !== null) {
      const file = fileOf(entry);
      if (file !== null && commit !== null) files.push({ commit, path: decodeUtf8(token), ...file });
      entry = null;
      continue;
    }
    const text = token.toString('latin1');
    if (text.startsWith(':')) entry = text;
    else if (isCommitHash(text)) commit = text;
    else throw new CheckpointError('internal', 'git compared commits in an unexpected form.', { detail: text.slice(0, 200) });
  }
  return files;
}

/** `:mode mode oid oid status`, with as many colons as parents (git-diff-tree(1), "Raw output format" and "diff format for merges"). */
function fileOf(entry: string): Pick<ChangedFile, 'blob' | 'before'> | null {
  const parents = /^:+/.exec(entry)?.[0].length ?? 0;
  const fields = entry.slice(parents).split(' ');
  const mode = fields[parents] ?? '';
  const blob = fields[2 * parents + 1] ?? '';
  if (!mode.startsWith('100')) return null;
  const before = Array.from({ length: parents }, (_, index) => (fields[index]?.startsWith('100') === true ? fields[parents + 1 + index] : undefined));
  return { blob, before: before.filter((oid) => oid !== undefined) };
}

async function* tokens(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      pending.push(chunk.subarray(start, end));
      yield pending.length === 1 ? (pending[0] ?? chunk) : Buffer.concat(pending);
      pending = [];
      start = end + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
}
