import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import { NO_COMMIT } from '../../shared/model/commit';
import type { OpenedRepository } from '../services/repositories/openedRepository';
import { pushObjects, type RefUpdate } from '../services/transfer/pushObjects';
import { createProgressLine } from './progressLine';
import type { Session } from './session';
import { terminalText } from './terminalText';

export interface PushOptions {
  /** Name of a remote, or an address; `null`: the one that git would push to. */
  readonly remote: string | null;
  /** Of all branches and tags, whatever the remote is thought to have. */
  readonly all: boolean;
  readonly json: boolean;
}

/** `theta push`: uploads the objects of what would be pushed, and moves no ref. */
export async function push(session: Session, { remote, all, json }: PushOptions): Promise<number> {
  const repository = await session.repository();
  const updates = all ? await everyRef(repository) : await currentBranch(repository);
  const line = createProgressLine(session.terminal, 'Uploading');
  const { interactive } = session.terminal;
  try {
    const { signal } = session;
    // No hook runs here that could call git-lfs.
    const pushed = await pushObjects(repository, { remote, updates, everything: all, pointers: 'always', interactive, signal, onProgress: line.update });
    line.clear();
    if (json) {
      const { where, commits, objects, uploaded, uploadedBytes, notes } = pushed;
      session.terminal.out(`${JSON.stringify({ remote: where, commits, objects, uploaded, uploaded_bytes: uploadedBytes, notes }, null, 2)}\n`);
    } else {
      for (const note of pushed.notes) session.terminal.err(`theta: ${terminalText(note)}\n`);
      session.terminal.err(`${describePush(pushed)}\n`);
    }
    return 0;
  } catch (error) {
    line.clear();
    throw error;
  }
}

export function describePush(pushed: {
  readonly where: string | null;
  readonly objects: number;
  readonly uploaded: number;
  readonly uploadedBytes: number;
}): string {
  if (pushed.where === null) return 'No objects to upload. If the remote was pushed to without its objects, give --all.';
  const objects = `${formatCount(pushed.uploaded)} ${pushed.uploaded === 1 ? 'object' : 'objects'}`;
  return `Uploaded ${objects} (${formatBytes(pushed.uploadedBytes)}) of ${formatCount(pushed.objects)} to ${terminalText(pushed.where)}; the others were there.`;
}

async function currentBranch({ git }: OpenedRepository): Promise<readonly RefUpdate[]> {
  const head = await git.head();
  if (head.kind === 'unborn') throw new CheckpointError('not-found', `The branch ${head.name} has no commit yet.`);
  const ref = head.kind === 'branch' ? `refs/heads/${head.name}` : 'HEAD';
  return [{ localRef: ref, localOid: head.commit, remoteRef: ref, remoteOid: NO_COMMIT }];
}

async function everyRef({ git }: OpenedRepository): Promise<readonly RefUpdate[]> {
  const refs = (await git.refs()).filter(({ kind }) => kind !== 'remote-branch');
  return refs.map(({ kind, name, commit }) => {
    const ref = `refs/${kind === 'tag' ? 'tags' : 'heads'}/${name}`;
    return { localRef: ref, localOid: commit, remoteRef: ref, remoteOid: NO_COMMIT };
  });
}
