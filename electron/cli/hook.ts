import { CheckpointError } from '../../shared/contract/errors';
import { isCommitHash } from '../../shared/model/commit';
import { pushObjects, type RefUpdate } from '../services/transfer/pushObjects';
import { writeCommitFile } from '../services/transfer/writeCommitFile';
import type { HookName } from './hookNames';
import { createProgressLine } from './progressLine';
import { describePush } from './push';
import type { Session } from './session';
import { terminalText } from './terminalText';

/** A push of every ref of a large repository stays far below it. */
const LARGEST_INPUT = 64 * 1024 * 1024;

/** `theta hook`: what git's hooks call (githooks(5)). Anything but 0 from `pre-push` stops the push. */
export async function hook(session: Session, name: HookName, args: readonly string[]): Promise<number> {
  switch (name) {
    case 'pre-push':
      return prePush(session, args);
    case 'post-commit':
    case 'post-merge':
      return afterCommit(session);
    case 'post-rewrite':
      return afterRewrite(session);
  }
}

/** Arguments: name of the remote, or its address when it has none, and its address. Input: a line for each ref. */
async function prePush(session: Session, [remote]: readonly string[]): Promise<number> {
  const updates = parseUpdates(await readInput(session));
  if (updates.length === 0) return 0;
  const line = createProgressLine(session.terminal, 'Uploading');
  const { interactive } = session.terminal;
  const pushed = await pushObjects(await session.repository(), {
    remote: remote ?? null,
    updates,
    interactive,
    signal: session.signal,
    onProgress: line.update,
  }).finally(line.clear);
  for (const note of pushed.notes) session.terminal.err(`theta: ${terminalText(note)}\n`);
  if (pushed.uploaded > 0) session.terminal.err(`theta: ${describePush(pushed)}\n`);
  return 0;
}

/** `<local ref> <local oid> <remote ref> <remote oid>`, a line each. @throws invalid-request for other lines: to let them pass would lose objects */
export function parseUpdates(input: string): readonly RefUpdate[] {
  return input
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const match = /^(.+) ([0-9a-f]{40,64}) (\S+) ([0-9a-f]{40,64})$/.exec(line);
      if (match === null)
        throw new CheckpointError('invalid-request', 'git told the pre-push hook something that cannot be understood.', { detail: line.slice(0, 500) });
      const [, localRef = '', localOid = '', remoteRef = '', remoteOid = ''] = match;
      return { localRef, localOid, remoteRef, remoteOid };
    });
}

async function afterCommit(session: Session): Promise<number> {
  const repository = await session.repository();
  const head = await repository.git.head();
  if (head.kind !== 'unborn') await writeCommitFile(repository, head.commit);
  return 0;
}

/** Input: `<old> <new>`, a line for each commit that was rewritten. */
async function afterRewrite(session: Session): Promise<number> {
  const repository = await session.repository();
  const rewritten = (await readInput(session)).split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const commit of new Set(rewritten)) if (isCommitHash(commit)) await writeCommitFile(repository, commit);
  return 0;
}

async function readInput(session: Session): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of session.terminal.streams().input as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LARGEST_INPUT) throw new CheckpointError('too-large', 'git told the hook more than 64 MiB.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
