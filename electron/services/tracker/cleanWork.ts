import type { CommitHash } from '../../../shared/model/commit';
import type { StoredGroup } from '../../updates/store/storeRequest';
import type { UpdateChain } from '../../updates/updateChain';
import type { Candidate } from './candidates';
import type { CleanRequest } from './cleanRequest';
import type { DeclaredUpdate } from './declaredUpdates';
import type { Renamed } from './findRenamed';
import type { Unchanged } from './findUnchanged';
import type { Limits } from './readLimits';
import type { SourceGroup } from './sourceGroup';

/** What all stages of one clean know. */
export interface Work {
  readonly request: CleanRequest;
  readonly limits: Limits;
  readonly groups: readonly SourceGroup[];
  readonly head: CommitHash | null;
  readonly candidates: readonly Candidate[];
  readonly declared: ReadonlyMap<string, DeclaredUpdate>;
  readonly unchanged: ReadonlyMap<string, Unchanged>;
  /** Groups that are at HEAD under another name, by their new one. */
  readonly renamed: ReadonlyMap<string, Renamed>;
  /** SHA-256 of values of the file, as far as they were compared; by joined name. */
  readonly digests: ReadonlyMap<string, string>;
  /** Group that carries the facts anew, and these; `null`: they are where they have been, or not needed. */
  readonly carry: { readonly group: string; readonly facts: string } | null;
}

/** What became of one group, and what it builds on. */
export interface Stored {
  readonly result: StoredGroup;
  readonly base: UpdateChain | null;
  /** The value is what a declared update made of the base, not what the file has. */
  readonly declared: boolean;
}

/** How the new value is read. */
export function chainOf(name: string, { result, base }: Pick<Stored, 'base' | 'result'>, { repository }: CleanRequest): UpdateChain {
  const { kind, oid, bytes } = result;
  return { group: name, steps: [...(base?.steps ?? []), { kind, object: { oid, bytes, path: repository.lfs.pathOf(oid) }, commit: null }] };
}
