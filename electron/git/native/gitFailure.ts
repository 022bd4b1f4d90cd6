import { CheckpointError, type ErrorCode } from '../../../shared/contract/errors';

interface Rule {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

const RULES: readonly Rule[] = [
  {
    pattern: /not a git repository/i,
    code: 'not-found',
    message: 'This folder is not in a git repository.',
    hint: 'Choose a folder that holds a ".git" folder, or one inside it. "git init" makes a new repository.',
  },
  {
    pattern: /unknown repository extension|expected git repo version|unknown object format|unsupported.*(?:ref|object) format|invalid value for 'extensions/i,
    code: 'unsupported-repository',
    message: 'The git on this machine does not understand this repository.',
    hint: 'Install a newer git.',
  },
  {
    pattern: /lazy fetching disabled|promisor|transport '.*' not allowed|could not fetch/i,
    code: 'missing-object',
    message: 'An object of this partial clone is not on this machine.',
    hint: 'Theta Desktop does not fetch by itself. Run "git fetch --refetch --no-filter" in the repository.',
  },
  {
    pattern:
      /corrupt|inflate|unable to unpack|bad object header|garbage at end of|hash mismatch|packed object .* is|bad tree object|bad packed object|mismatch/i,
    code: 'corrupt-object',
    message: 'An object of the repository is damaged.',
    hint: 'Run "git fsck" in the repository; another clone may have the object in good order.',
  },
  {
    pattern:
      /failed to traverse parents|could not read|unable to read|bad object|missing blob|missing tree|unable to find|revision walk setup failed|not a valid object name/i,
    code: 'missing-object',
    message: 'An object that the history refers to is missing from the repository.',
    hint: 'Run "git fsck" in the repository to see what is missing, and fetch it from another clone.',
  },
  {
    pattern: /permission denied|not permitted/i,
    code: 'permission',
    message: 'git is not allowed to read a part of this repository.',
    hint: 'Check who owns the files in the ".git" folder.',
  },
];

/** What git said on its way out, as an error with our words; git's own are the detail. */
export function gitFailure(stderr: string, what: string): CheckpointError {
  const detail = stderr.trim();
  const own = ownershipRefusal(detail);
  if (own !== null) return own;
  for (const { pattern, code, message, hint } of RULES) {
    if (pattern.test(detail)) return new CheckpointError(code, message, { hint, detail });
  }
  return new CheckpointError('internal', `git could not ${what}.`, detail === '' ? {} : { detail });
}

/** git refuses folders of other people (safe.directory) and bare repositories where the user said so; its advice is the hint. */
function ownershipRefusal(detail: string): CheckpointError | null {
  if (/dubious ownership|unsafe repository/i.test(detail)) {
    const command = /git config --global --add safe\.directory .+/.exec(detail)?.[0];
    return new CheckpointError('permission', 'git does not trust this repository, because someone else owns its folder.', {
      hint: command === undefined ? 'Set safe.directory for the folder, if you trust it.' : `If you trust it, run: ${command.trim()}`,
      detail,
    });
  }
  if (/cannot use bare repository|safe\.bareRepository/i.test(detail)) {
    return new CheckpointError('permission', 'Your git configuration does not allow bare repositories that are found by themselves.', {
      hint: 'The setting is safe.bareRepository. Open a clone with a work tree, or change the setting.',
      detail,
    });
  }
  return null;
}
