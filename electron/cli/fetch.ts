import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import type { CommitHash } from '../../shared/model/commit';
import type { OpenedRepository } from '../services/repositories/openedRepository';
import { fetchObjects } from '../services/transfer/fetchObjects';
import { formatError } from './formatError';
import { createProgressLine } from './progressLine';
import type { Session } from './session';
import { terminalText } from './terminalText';

export interface FetchOptions {
  /** `REMOTE`, `REV[:PATH]`, or both in this order. */
  readonly names: readonly string[];
  readonly groups: string | undefined;
  readonly json: boolean;
}

/** `theta fetch`: downloads the objects of a version, or of some of its parameter groups. Exit code 1 when one could not be had. */
export async function fetch(session: Session, { names, groups, json }: FetchOptions): Promise<number> {
  const repository = await session.repository();
  const { remote, version } = await readNames(repository, names);
  const { commit, path } = await readVersion(repository, version);
  const line = createProgressLine(session.terminal, 'Downloading');
  const { interactive } = session.terminal;
  const fetched = await fetchObjects(repository, { remote, commit, path, groups, interactive, signal: session.signal, onProgress: line.update }).finally(
    line.clear,
  );
  if (json) {
    const { where, paths, present, fetched: objects, fetchedBytes, failed } = fetched;
    const document = {
      remote: where,
      commit,
      paths,
      groups: fetched.groups,
      present,
      fetched: objects,
      fetched_bytes: fetchedBytes,
      failed: failed.map((error) => error.toData()),
    };
    session.terminal.out(`${JSON.stringify(document, null, 2)}\n`);
  } else {
    for (const error of fetched.failed) session.terminal.err(formatError(error));
    const from = fetched.where === null ? '' : ` from ${terminalText(fetched.where)}`;
    const count = `${formatCount(fetched.fetched)} ${fetched.fetched === 1 ? 'object' : 'objects'}`;
    session.terminal.err(`Fetched ${count} (${formatBytes(fetched.fetchedBytes)})${from}; ${formatCount(fetched.present)} here already.\n`);
  }
  return fetched.failed.length === 0 ? 0 : 1;
}

/** One name may be either: what is configured as a remote is one, and so is an address. */
async function readNames({ git }: OpenedRepository, names: readonly string[]): Promise<{ readonly remote: string | null; readonly version: string }> {
  const [first, second] = names;
  if (first === undefined) return { remote: null, version: 'HEAD' };
  if (second !== undefined) return { remote: first, version: second };
  const isRemote = (await git.remotes()).some(({ name }) => name === first) || /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(first);
  return isRemote ? { remote: first, version: 'HEAD' } : { remote: null, version: first };
}

async function readVersion({ git }: OpenedRepository, version: string): Promise<{ readonly commit: CommitHash; readonly path: string | undefined }> {
  const colon = version.indexOf(':');
  if (colon === 0 || colon === version.length - 1) {
    throw new CheckpointError('invalid-request', `${version} names no version.`, { hint: 'Write REV or REV:PATH, for example HEAD:model.pt.' });
  }
  const commit = await git.resolve(colon === -1 ? version : version.slice(0, colon));
  return { commit, path: colon === -1 ? undefined : version.slice(colon + 1) };
}
