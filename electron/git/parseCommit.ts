import { CheckpointError } from '../../shared/contract/errors';
import { type CommitDetail, type CommitHash, isCommitHash } from '../../shared/model/commit';
import { decodeText, decodeUtf8 } from './decodeText';
import { parseSignature } from './parseSignature';
import { splitMessage } from './splitMessage';

export interface ParsedCommit extends CommitDetail {
  readonly tree: string;
}

const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * A commit object's content (gitformat: `tree`, `parent`*, `author`, `committer`, other headers, blank line, message).
 * Tolerant of broken people and dates, as git is. @throws corrupt-object without a tree or with a broken parent
 */
export function parseCommit(bytes: Uint8Array, hash: CommitHash): ParsedCommit {
  let tree: string | null = null;
  const parents: CommitHash[] = [];
  let author: Uint8Array = new Uint8Array();
  let committer: Uint8Array = new Uint8Array();
  let encoding: string | null = null;
  let position = 0;
  while (position < bytes.length && bytes[position] !== NEWLINE) {
    const found = bytes.indexOf(NEWLINE, position);
    const end = found === -1 ? bytes.length : found;
    const space = bytes.indexOf(SPACE, position);
    // A line that starts with a space continues the header before it (signatures); none of those is of interest.
    if (space > position && space < end) {
      const key = decodeUtf8(bytes.subarray(position, space));
      const value = bytes.subarray(space + 1, end);
      if (key === 'tree') tree ??= decodeUtf8(value);
      else if (key === 'parent') parents.push(parentHash(decodeUtf8(value), hash));
      else if (key === 'author' && author.length === 0) author = value;
      else if (key === 'committer' && committer.length === 0) committer = value;
      else if (key === 'encoding') encoding ??= decodeUtf8(value);
    }
    position = end + 1;
  }
  if (tree === null || !isCommitHash(tree)) throw corrupt(hash, 'names no tree');
  const message = bytes.subarray(Math.min(position + 1, bytes.length));
  // git reads messages as C strings.
  const nul = message.indexOf(0);
  const { title, body } = splitMessage(decodeText(nul === -1 ? message : message.subarray(0, nul), encoding));
  return { hash, parents, tree, author: parseSignature(decodeText(author, encoding)), committer: parseSignature(decodeText(committer, encoding)), title, body };
}

function parentHash(text: string, hash: CommitHash): CommitHash {
  if (!isCommitHash(text)) throw corrupt(hash, 'has a parent that is no hash');
  return text;
}

function corrupt(hash: CommitHash, what: string): CheckpointError {
  return new CheckpointError('corrupt-object', `Commit ${hash} is damaged: it ${what}.`, {
    place: { commit: hash },
    hint: 'Run "git fsck" in the repository; another clone may have the commit in good order.',
  });
}
