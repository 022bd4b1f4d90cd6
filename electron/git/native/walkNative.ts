import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, type CommitInfo, isCommitHash } from '../../../shared/model/commit';
import { decodeUtf8 } from '../decodeText';
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
  for await (const chunk of streamGit(command, args, { what: 'list the history', input, signal: options.signal })) {
    const last = chunk.lastIndexOf(0);
    if (last === -1) {
      pending.push(chunk);
      continue;
    }
    const fields = splitFields(Buffer.concat([...pending, chunk.subarray(0, last)]));
    const whole = fields.length - (fields.length % FIELDS);
    for (let i = 0; i < whole; i += FIELDS) batch.push(commitOf(fields, i));
    // What belongs to a commit that is not complete yet waits for the next chunk, in the form it came.
    const left = fields.slice(whole);
    pending = [...(left.length === 0 ? [] : [joinFields(left)]), chunk.subarray(last + 1)];
    if (batch.length >= threshold) {
      yield batch;
      batch = [];
      threshold = Math.min(threshold * 2, LARGEST_BATCH);
    }
  }
  if (batch.length > 0) yield batch;
}

const NUL = Buffer.alloc(1);

function splitFields(bytes: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    fields.push(bytes.subarray(start, end));
    start = end + 1;
  }
  fields.push(bytes.subarray(start));
  return fields;
}

function joinFields(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields.flatMap((field) => [field, NUL]));
}

/** Field 0 is what stands between two commits: git's own "commit <hash>" line. */
function commitOf(fields: readonly Buffer[], at: number): CommitInfo {
  const text = (field: number) => decodeUtf8(fields[at + field] ?? NUL);
  const hash = text(1);
  if (!isCommitHash(hash)) throw new CheckpointError('internal', 'git listed a commit in an unexpected form.', { detail: hash.slice(0, 200) });
  const { time, offset } = parseRawDate(text(5));
  return {
    hash,
    parents: text(2).split(' ').filter(isCommitHash),
    author: { name: text(3).trim(), email: text(4).trim(), time, offset },
    title: text(6).trimEnd(),
  };
}
