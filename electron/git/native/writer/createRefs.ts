import { CheckpointError } from '../../../../shared/contract/errors';
import type { CommitHash } from '../../../../shared/model/commit';
import { decodeUtf8 } from '../../decodeText';
import { requireHash } from '../../objectErrors';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';

/** @throws invalid-request (a name that git does not allow), exists, missing-object, conflict, permission */
export async function createBranch(context: WriterContext, name: string, commit: CommitHash): Promise<void> {
  await requireRefName(context, 'branch', name);
  await runWriter(context, ['branch', '--no-track', '--', name, requireHash(commit)], {
    what: 'create the branch',
    hooks: true,
    explain: taken('branch', name),
  });
}

/** Removes a branch that stands at the commit. @throws conflict when it has moved on or is checked out somewhere, invalid-request, permission */
export async function deleteBranch(context: WriterContext, name: string, commit: CommitHash): Promise<void> {
  await requireRefName(context, 'branch', name);
  const ref = `refs/heads/${name}`;
  const { output } = await runWriter(context, ['for-each-ref', '--format=%(worktreepath)', ref], { what: 'look for the branch' });
  const workTree = decodeUtf8(output).trim();
  if (workTree !== '') {
    throw new CheckpointError('conflict', `The branch "${name}" is checked out: ${workTree}`, { hint: 'Switch to another branch first.' });
  }
  await runWriter(context, ['update-ref', '-d', ref, requireHash(commit)], { what: `remove the branch "${name}"`, hooks: true });
}

/** @param message `null`: a lightweight tag. @throws as createBranch, and invalid-request for an empty message or when signing fails */
export async function createTag(
  context: WriterContext,
  name: string,
  options: { readonly commit: CommitHash; readonly message: string | null },
): Promise<void> {
  const { message } = options;
  const commit = requireHash(options.commit);
  await requireRefName(context, 'tag', name);
  if (message !== null && (message.trim() === '' || message.includes('\0'))) {
    throw new CheckpointError('invalid-request', 'The message of the tag is empty.', { hint: 'Write at least one line, or make a tag without a message.' });
  }
  // A lightweight tag cannot be signed; tag.gpgSign would make it one that asks for a message.
  const kind = message === null ? ['--no-sign'] : ['--annotate', '--cleanup=whitespace', '-F', '-'];
  await runWriter(context, ['tag', ...kind, '--', name, commit], { what: 'create the tag', input: message ?? '', hooks: true, explain: taken('tag', name) });
}

/** git-check-ref-format(1), and what a command line or a person would take for something else. @throws invalid-request */
async function requireRefName(context: WriterContext, kind: 'branch' | 'tag', name: string): Promise<void> {
  const ref = `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`;
  const allowed =
    name !== '' &&
    name !== 'HEAD' &&
    !name.startsWith('-') &&
    !name.includes('\0') &&
    (await runWriter(context, ['check-ref-format', ref], { what: 'check a name', answers: [0, 1] })).code === 0;
  if (allowed) return;
  throw new CheckpointError('invalid-request', `git does not allow this name for a ${kind}: ${JSON.stringify(name)}`, {
    hint: 'Names have no spaces, none of ~ ^ : ? * [ \\ and no "..", do not begin with "-" or ".", and do not end with "/", "." or ".lock".',
  });
}

function taken(kind: 'branch' | 'tag', name: string): (stderr: string) => CheckpointError | null {
  return (stderr) => {
    if (/already exists/i.test(stderr)) {
      return new CheckpointError('exists', `There is a ${kind} "${name}" already.`, { hint: 'Choose another name.', detail: stderr.trim() });
    }
    const other = /'refs\/(?:heads|tags)\/([^']+)' exists; cannot create/.exec(stderr)?.[1];
    if (other === undefined) return null;
    return new CheckpointError('exists', `The ${kind} "${other}" is in the way: one name cannot be the folder of another.`, {
      hint: 'Choose another name.',
      detail: stderr.trim(),
    });
  };
}
