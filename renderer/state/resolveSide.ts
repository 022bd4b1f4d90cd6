import { CheckpointError } from '../../shared/contract/errors';
import type { RepositoryDescription } from '../../shared/contract/requests';
import { isCommitHash } from '../../shared/model/commit';
import type { Side } from '../../shared/model/side';
import type { Client } from '../client/client';
import type { SideChoice } from './sideChoice';

/** Repositories other than the opened one that versions are taken from; each is opened once. */
export class OtherRepositories {
  readonly #client: Client;
  readonly #open = new Map<string, RepositoryDescription>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** @throws CheckpointError when no repository can be opened there */
  async open(folder: string, signal?: AbortSignal): Promise<RepositoryDescription> {
    const known = this.#open.get(folder);
    if (known !== undefined) return known;
    const repository = await this.#client.request('repository/open', { path: folder }, signal === undefined ? {} : { signal });
    this.#open.set(folder, repository);
    this.#open.set(repository.path, repository);
    return repository;
  }

  /** The ids end with the connection, and with the opened repository nobody needs the others. */
  forget(opened: string | null): void {
    const ids = new Set([...this.#open.values()].map(({ id }) => id));
    this.#open.clear();
    // The host knows a folder by one id: the opened repository must not be closed behind its back.
    for (const id of ids) if (id !== opened) this.#client.request('repository/close', { repository: id }).catch(() => undefined);
  }
}

interface ResolveContext {
  readonly client: Client;
  readonly others: OtherRepositories;
  /** Id of the opened repository. */
  readonly repository: string;
  readonly signal: AbortSignal;
}

/** What a choice means now. @throws CheckpointError `not-found` for a revision that names no commit */
export async function resolveSide(choice: SideChoice, { client, others, repository, signal }: ResolveContext): Promise<Side> {
  if (choice.kind === 'file') return { kind: 'file', path: choice.path };
  const id = choice.repository === null ? repository : (await others.open(choice.repository, signal)).id;
  if (choice.kind === 'worktree') return { kind: 'worktree', repository: id, path: choice.path };
  const { revision, path } = choice;
  if (isCommitHash(revision)) return { kind: 'version', repository: id, commit: revision, path };
  const { commit } = await client.request('revision/resolve', { repository: id, text: revision }, { signal });
  if (commit === null) {
    throw new CheckpointError('not-found', `“${revision}” names no commit of this repository.`, {
      hint: 'Choose a branch, a tag or a commit. A branch may have been deleted or renamed.',
    });
  }
  return { kind: 'version', repository: id, commit, path };
}
