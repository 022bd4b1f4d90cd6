import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, type CommitInfo, isCommitHash } from '../../../shared/model/commit';
import { parseRawDate } from '../parseSignature';
import { type GitCommand, streamGit } from './gitProcess';

/** NUL before each field: NUL cannot occur in a commit's header, and git ends messages at it. */
const FORMAT = '%x00%H%x00%P%x00%an%x00%ae%x00%ad%x00%s%x00';
const FIELDS = 7;
const FIRST_BATCH = 200;
const LARGEST_BATCH = 4000;

/**
 * Commits reachable from the tips as `git rev-list` orders them: by committer date as they are found, or with `strict`
 * no parent before all its children. rev-list is used because, unlike log, no setting changes what it prints or runs.
 */
export async function* walkNative(
  command: GitCommand,
  tips: readonly CommitHash[],
  options: { readonly strict: boolean; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<readonly CommitInfo[]> {
  if (tips.length === 0) return;
  const args = ['rev-list', '--stdin', '--encoding=UTF-8', '--date=raw', `--format=${FORMAT}`, ...(options.strict ? ['--date-order'] : [])];
  const input = [...new Set(tips)].map((tip) => `${tip}\n`).join('');
  let batch: CommitInfo[] = [];
  let threshold = FIRST_BATCH;
  let pending: Buffer[] = [];
  let fields: string[] = [];
  // Without this, rev-list writes every commit by itself.
  const environment = { GIT_FLUSH: '0' };
  for await (const chunk of streamGit(command, args, { what: 'list the history', input, environment, signal: options.signal })) {
    const last = chunk.lastIndexOf(0);
    pending.push(last === -1 ? chunk : chunk.subarray(0, last));
    if (last === -1) continue;
    // Cut at a NUL, no character is torn; what is not UTF-8 becomes U+FFFD.
    fields.push(...Buffer.concat(pending).toString('utf8').split('\0'));
    pending = [chunk.subarray(last + 1)];
    const whole = fields.length - (fields.length % FIELDS);
    for (let i = 0; i < whole; i += FIELDS) batch.push(commitOf(fields, i));
    fields = fields.slice(whole);
    if (batch.length >= threshold) {
      yield batch;
      batch = [];
      threshold = Math.min(threshold * 2, LARGEST_BATCH);
    }
  }
  if (batch.length > 0) yield batch;
}

/** Field 0 is what stands between two commits: git's own "commit <hash>" line. */
function commitOf(fields: readonly string[], at: number): CommitInfo {
  const text = (field: number) => fields[at + field] ?? '';
  const hash = text(1);
  if (!isCommitHash(hash)) throw new CheckpointError('internal', 'git listed a commit in an unexpected form.', { detail: hash.slice(0, 200) });
  const { time, offset } = parseRawDate(text(5));
  return {
    hash,
    parents: text(2) === '' ? [] : text(2).split(' ').filter(isCommitHash),
    author: { name: text(3).trim(), email: text(4).trim(), time, offset },
    title: text(6).trimEnd(),
  };
}
