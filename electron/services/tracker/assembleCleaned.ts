import { formatCount } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import { OWN_KINDS } from '../../../shared/model/update';
import { compareKeys } from '../../theta/compareKeys';
import { formatMetadata } from '../../theta/formatMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import type { UpdateChain } from '../../updates/updateChain';
import { usesOwnTypes } from '../../updates/usesOwnTypes';
import type { CleanedCheckpoint, CleanedGroup } from './cleanRequest';
import { chainOf, type Stored, type Work } from './cleanWork';
import type { Unchanged } from './findUnchanged';
import type { SourceGroup } from './sourceGroup';

const NOT_EXACT = 'Every parameter group comes back bit for bit, but the bytes of the file around them do not: there are too many of them.';

const STORED_WHOLE = 'The value is the same as under its former name. It was stored whole, because updates are found by the name of their group.';

interface Outcome extends Pick<CleanedCheckpoint, 'facts' | 'fileBytes' | 'format'> {
  readonly stored: ReadonlyMap<string, Stored>;
}

/** The metadata, and what became of every group. */
export function assembleCleaned(work: Work, { stored, ...rest }: Outcome): CleanedCheckpoint {
  const { groups, head, candidates, unchanged } = work;
  const before = candidates.find(({ from }) => from === 'head')?.metadata.entries ?? new Map<string, ThetaEntry>();
  const entries: ThetaEntry[] = [];
  const cleaned: CleanedGroup[] = [];
  for (const group of groups.toSorted((a, b) => compareKeys(a.keys, b.keys))) {
    const parts = { stored: stored.get(group.name), kept: unchanged.get(group.name), before: before.get(group.name), work };
    const entry = entryOf(group, parts, head);
    entries.push(entry);
    cleaned.push(describeGroup(group, entry, parts));
  }
  const names = new Set([...groups.map(({ name }) => name), ...[...work.renamed.values()].map(({ from }) => from)]);
  for (const entry of before.values()) if (!names.has(entry.name)) cleaned.push(removedGroup(entry));
  return {
    ...rest,
    metadata: formatMetadata(entries),
    groups: cleaned.sort((a, b) => compareKeys(a.keys, b.keys)),
    declared: new Set([...stored].flatMap(([name, one]) => (one.declared ? [name] : []))),
    unchanged: cleaned.every(({ change }) => change === 'unchanged') && work.carry === null,
    notes: [...(rest.facts.exact === false ? [NOT_EXACT] : []), ...ownTypesNotes(work, stored)],
  };
}

/** Said when a group of this version was stored by a type of our own, or builds on one. */
function ownTypesNotes(work: Work, stored: Outcome['stored']): string[] {
  const chains = work.groups.map(({ name }) => chainAfter(name, { stored: stored.get(name), kept: work.unchanged.get(name), work }));
  const count = chains.filter((chain) => chain !== null && usesOwnTypes(chain)).length;
  if (count === 0) return [];
  const groups = count === 1 ? '1 parameter group is' : `${formatCount(count)} parameter groups are`;
  return [
    `git-theta cannot read this version: ${groups} stored with update types of our own (${OWN_KINDS.join(', ')}), which the setting theta.updates allows.`,
  ];
}

/** How the new value of a group is read; `null` when its entry was kept and cannot be. */
function chainAfter(name: string, { stored, kept, work }: Pick<GroupParts, 'kept' | 'stored' | 'work'>): UpdateChain | null {
  const chain =
    stored === undefined ? (kept?.entries[0]?.candidate.chains.get(name) ?? work.renamed.get(name)?.kept?.chain) : chainOf(name, stored, work.request);
  return chain === undefined || chain instanceof CheckpointError ? null : chain;
}

interface GroupParts {
  readonly stored: Stored | undefined;
  readonly kept: Unchanged | undefined;
  readonly before: ThetaEntry | undefined;
  readonly work: Work;
}

function entryOf({ name, keys, dtype, shape }: SourceGroup, { stored, kept, work }: GroupParts, head: CommitHash | null): ThetaEntry {
  if (stored === undefined) {
    const entry = kept?.entries[0]?.entry ?? work.renamed.get(name)?.kept?.entry;
    if (entry === undefined) throw new CheckpointError('internal', `${name} was neither kept nor stored.`);
    return entry;
  }
  const { kind, oid, bytes, signature } = stored.result;
  return { keys, name, dtype, shape, signature, oid, bytes, updateType: kind, lastCommit: head };
}

function describeGroup(group: SourceGroup, entry: ThetaEntry, { stored, kept, before, work }: GroupParts): CleanedGroup {
  const { name, keys, dtype, shape, bytes, plan } = group;
  const same = before !== undefined && before.oid === entry.oid && before.updateType === entry.updateType;
  const chain = chainAfter(name, { stored, kept, work });
  const base = chain?.steps[0];
  const former = work.renamed.get(name);
  return {
    name,
    keys,
    dtype,
    shape,
    change: former !== undefined ? 'renamed' : before === undefined ? 'added' : same ? 'unchanged' : 'modified',
    ...(former === undefined ? {} : { from: former.from }),
    updateType: entry.updateType,
    bytes,
    storedBytes: entry.bytes,
    fullBytes: base?.object.bytes ?? entry.bytes,
    addedBytes: stored === undefined || same ? 0 : stored.result.bytes,
    notes: [...(former?.kept === null && stored !== undefined ? [STORED_WHOLE] : []), ...(stored?.result.notes ?? [])],
    plan: stored?.declared === true && chain !== null ? { kind: 'chain', chain } : plan,
    sha256: stored?.result.sha256 ?? work.digests.get(name) ?? former?.sha256 ?? null,
  };
}

function removedGroup({ name, keys, dtype, shape }: ThetaEntry): CleanedGroup {
  return {
    name,
    keys,
    dtype,
    shape,
    change: 'removed',
    updateType: null,
    bytes: 0,
    storedBytes: 0,
    fullBytes: 0,
    addedBytes: 0,
    notes: [],
    plan: null,
    sha256: null,
  };
}
