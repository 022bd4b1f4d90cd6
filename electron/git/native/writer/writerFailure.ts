import { statfs } from 'node:fs/promises';
import { CheckpointError, type ErrorCode } from '../../../../shared/contract/errors';
import { gitFailure } from '../gitFailure';
import { lockedError, lockInTheWay } from './indexLock';

interface Rule {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

const NO_SPACE: Rule = {
  pattern: /no space left on device|disk quota exceeded|not enough space/i,
  code: 'no-space',
  message: 'The disk of the repository is full.',
  hint: 'Make space, then try again. Nothing that was committed is lost.',
};

const RULES: readonly Rule[] = [
  NO_SPACE,
  {
    pattern: /(?:clean|smudge) filter .* failed|external filter '.*' failed|remote end hung up/i,
    code: 'internal',
    message: 'The filter that git runs for this file failed.',
    hint: 'What it said is in the detail. If files are missing in the work tree now, they can be restored from HEAD.',
  },
  {
    pattern: /read-only file system|permission denied|insufficient permission|operation not permitted|access is denied/i,
    code: 'permission',
    message: 'git is not allowed to write in this repository.',
    hint: 'Check who owns the files in the ".git" folder, and whether the disk is read-only.',
  },
  {
    pattern: /failed to sign|unable to sign|signingkey|couldn't load public key|cannot (?:run|exec) .*(?:gpg|ssh-keygen)/i,
    code: 'invalid-request',
    message: 'Your git configuration asks for a signature, and signing failed.',
    hint: 'Check user.signingKey and gpg.format, and that the key can be used without a question in a terminal; or set commit.gpgSign to false.',
  },
  {
    pattern: /tell me who you are|unable to auto-detect email|empty ident|auto-detection is disabled|no (?:email|name) was given/i,
    code: 'invalid-request',
    message: 'git does not know your name and email address, which every commit carries.',
    hint: 'Run: git config --global user.name "Your Name" and git config --global user.email you@example.org',
  },
  {
    pattern: /needs merge|unmerged|resolve your current index first|error building trees/i,
    code: 'conflict',
    message: 'Files are in conflict from a merge that is not finished.',
    hint: 'Resolve and stage them first, or give the merge up with "git merge --abort".',
  },
  {
    pattern: /empty commit message/i,
    code: 'invalid-request',
    message: 'The message of the commit is empty.',
    hint: 'Write at least one line. A hook of the repository may have emptied it.',
  },
  {
    pattern: /beyond a symbolic link|is in submodule|does not have a commit checked out/i,
    code: 'invalid-request',
    message: 'The file does not belong to this repository, but to another one inside it or behind a symbolic link.',
    hint: 'Open the folder that holds the file.',
  },
  {
    pattern: /appears as both a file and as a directory/i,
    code: 'conflict',
    message: 'What is a folder in one version is a file in the other, so these changes cannot be taken apart.',
    hint: 'Commit or unstage the other changes first.',
  },
  {
    pattern: /not a valid branch point|nonexistent object/i,
    code: 'missing-object',
    message: 'There is no such commit in the repository.',
    hint: 'Look at the history again: it may have changed.',
  },
  {
    pattern: /cannot lock ref '[^\n]*(?:is at|but expected|unable to resolve)/i,
    code: 'conflict',
    message: 'Another program moved the branch at the same time.',
    hint: 'Look at the new state, then try again.',
  },
];

/** What git said when it did not do as asked. Errors that name no reason are checked against the free space. */
export async function writerFailure(stderr: string, what: string, gitDir: string): Promise<CheckpointError> {
  const detail = stderr.trim();
  const lock = lockInTheWay(detail);
  if (lock !== null) return lockedError(lock, detail);
  const rule = RULES.find(({ pattern }) => pattern.test(detail)) ?? (await unexplainedWrite(detail, gitDir));
  if (rule === null) return gitFailure(detail, what);
  const onDisk = rule.code === 'no-space' || rule.code === 'permission';
  return new CheckpointError(rule.code, rule.message, { hint: rule.hint, detail, ...(onDisk ? { place: { file: gitDir } } : {}) });
}

/** "Unable to write new index file" and the like come without the system's reason. */
async function unexplainedWrite(detail: string, gitDir: string): Promise<Rule | null> {
  if (!/(?:unable to|could not|couldn't|failed to|cannot) (?:write|create)|write error/i.test(detail)) return null;
  const disk = await statfs(gitDir).catch(() => null);
  return disk !== null && disk.bavail * disk.bsize < 256 * 1024 ? NO_SPACE : null;
}

/** A hook of the repository said no; what it printed is the detail. */
export function hookRefusal(hook: string, what: string, stderr: string): CheckpointError {
  const detail = stderr.trim();
  return new CheckpointError('invalid-request', `The ${hook} hook of this repository did not let git ${what}.`, {
    hint: detail === '' ? 'It printed no reason.' : 'What the hook printed is in the detail.',
    ...(detail === '' ? {} : { detail }),
  });
}
