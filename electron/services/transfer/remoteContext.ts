import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import { defaultRemote } from '../../git/lfs/transfer/defaultRemote';
import { isConfiguredRemote, type TransferOperation } from '../../git/lfs/transfer/endpoint';
import { openTransfer } from '../../git/lfs/transfer/openTransfer';
import { readTransferSettings, type Settings } from '../../git/lfs/transfer/transferSettings';
import type { Transfer } from '../../git/lfs/transfer/transferTypes';
import { gitAt } from '../../git/lfs/transfer/userGit';
import type { GitCommand } from '../../git/native/gitProcess';
import type { OpenedRepository } from '../repositories/openedRepository';

/** A repository's git and settings as far as they concern its remotes. */
export interface RemoteContext {
  readonly command: GitCommand;
  readonly settings: Settings;
  /** Name of the remote, or an address. */
  readonly remote: string;
  /** Whether the name has an entry in the configuration, and so branches of its own. */
  readonly configured: boolean;
}

/** @param remote `null`: the one that git would take. @throws not-found when there is none, or no git */
export async function findRemote(repository: OpenedRepository, remote: string | null, operation: TransferOperation): Promise<RemoteContext> {
  const found = await findRemoteIfAny(repository, remote, operation);
  if (found === null) throw new CheckpointError('not-found', 'This repository has no remote.', { hint: 'Add one: git remote add origin ADDRESS.' });
  return found;
}

/** The same; `null` when none is named and there is none. */
export async function findRemoteIfAny(repository: OpenedRepository, remote: string | null, operation: TransferOperation): Promise<RemoteContext | null> {
  const command = await gitAt(repository.git.place);
  const settings = await readTransferSettings(command, repository.git.place);
  const head = await repository.git.head();
  const branch = head.kind === 'detached' ? null : head.name;
  const chosen = remote ?? defaultRemote(settings, { branch, operation });
  return chosen === null ? null : { command, settings, remote: chosen, configured: isConfiguredRemote(settings, chosen) };
}

export function openRemote(
  repository: OpenedRepository,
  context: RemoteContext,
  options: { readonly operation: TransferOperation; readonly interactive: boolean },
): Promise<Transfer> {
  const { command, settings, remote } = context;
  return openTransfer({ place: repository.git.place, store: repository.lfs }, { ...options, remote, git: { command, settings } });
}

/** An object, and where it is needed: for messages. */
export interface NeededObject {
  readonly oid: string;
  readonly bytes: number;
  /** Joined name; `null`: a whole file that Git LFS keeps. */
  readonly group: string | null;
  readonly path: string;
  readonly commit: CommitHash | null;
}

/** The error with the place where its object is needed. */
export function atPlace(error: CheckpointError, { oid, group, path, commit }: NeededObject): CheckpointError {
  return error.at({ oid, file: path, ...(group === null ? {} : { group }), ...(commit === null ? {} : { commit }) });
}
