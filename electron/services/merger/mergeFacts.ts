import { CheckpointError } from '../../../shared/contract/errors';
import type { FormatId } from '../../../shared/model/checkpoint';
import { FORMATS, formatById } from '../../formats/registry';
import { type CheckpointFacts, serializeFacts } from '../../formats/template/checkpointFacts';
import type { MergeStrategy } from '../../theta/mergeMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import {
  differences,
  type Meaning,
  type MeaningVersions,
  type MergedMeaning,
  meaningNotes,
  meaningOf,
  mergeMeaning,
  namesOf,
  withMeaning,
} from './factsMeaning';
import { type DigestOf, fitsGroups } from './fitsGroups';
import { isInOrder, mergeOrder } from './mergeOrder';
import { plainFacts } from './plainFacts';

export interface FactsVersions {
  readonly base: CheckpointFacts | null;
  readonly ours: CheckpointFacts | null;
  readonly theirs: CheckpointFacts | null;
}

export interface FactsToMerge extends FactsVersions {
  readonly path: string;
  /** The merged groups. */
  readonly entries: readonly ThetaEntry[];
  /** The side that is taken where both would do. */
  readonly preferred: 'ours' | 'theirs' | 'base';
  /** What decides where both sides changed one thing; `null`: ours. */
  readonly strategy: MergeStrategy | null;
  readonly digestOf: DigestOf;
  readonly signal: AbortSignal | undefined;
}

export interface MergedFacts {
  readonly facts: CheckpointFacts;
  /** What could not be kept, each a sentence. */
  readonly notes: readonly string[];
}

type Side = keyof FactsVersions;

/**
 * Merges what three versions say about their file. A checkout must be a file of which the same would be found out, or it looks changed at once:
 * so the result is what one side says, as long as that says all that is to be said and makes a file of the merged groups; else what the format
 * itself makes of them, where that loses nothing; else one side with notes about what it does not say.
 * @throws CheckpointError conflict when nothing makes a file of the merged groups; cancelled
 */
export async function mergeFacts(request: FactsToMerge): Promise<MergedFacts | null> {
  const { entries, digestOf, strategy, signal } = request;
  const versions: MeaningVersions = { base: meaningOf(request.base), ours: meaningOf(request.ours), theirs: meaningOf(request.theirs) };
  const merged = mergeMeaning(versions, strategy);
  const fitting: Candidate[] = [];
  for (const side of sidesOf(request.preferred)) {
    const facts = request[side];
    if (facts !== null && (await fitsGroups(facts, entries, digestOf))) fitting.push({ side, facts, meaning: versions[side] });
  }
  const saysAll = fitting.filter(({ meaning }) => differences(merged.meaning, meaning).length === 0);
  const groups = mergeOrder(request);
  const saying = saysAll.find(({ facts }) => facts.template !== undefined || isInOrder(facts, groups));
  if (saying !== undefined)
    return { facts: saying.facts, notes: [...meaningNotes(saying.meaning, versions, merged), ...layoutNotes(saying, fitting, request)] };

  const format = formatOf(merged);
  if (format === null) return null;
  const said = withMeaning({ v: 1, format, metadata: [], skipped: [] }, merged.meaning);
  const plain = await plainFacts({ format, groups, metadata: said.metadata }, signal);
  const unsaid = plain === null ? [] : differences(merged.meaning, meaningOf(plain));
  if (plain !== null && unsaid.length === 0 && !fitting.some(({ facts }) => mayHoldMore(facts))) {
    const hadBytes = request.ours?.template !== undefined || request.theirs?.template !== undefined;
    return { facts: plain, notes: [...meaningNotes(merged.meaning, versions, merged), ...(hadBytes ? [writtenAnew(format)] : [])] };
  }
  const [first] = [...saysAll, ...fitting];
  if (first !== undefined) return { facts: first.facts, notes: meaningNotes(first.meaning, versions, merged) };
  if (plain === null) throw noFile(format, request.path);
  const kept = withMeaning({ ...plain, exact: false }, merged.meaning);
  return { facts: kept, notes: [...meaningNotes(merged.meaning, versions, merged), writtenAnew(format), unwritten(unsaid)] };
}

/** A pickle may hold objects of which nothing is read, and no other file has them. */
function mayHoldMore({ format, template }: CheckpointFacts): boolean {
  return format === 'pytorch' && template !== undefined;
}

interface Candidate {
  readonly side: Side;
  readonly facts: CheckpointFacts;
  readonly meaning: Meaning;
}

function sidesOf(preferred: Side): readonly Side[] {
  if (preferred === 'ours') return ['ours', 'theirs', 'base'];
  return preferred === 'theirs' ? ['theirs', 'ours', 'base'] : ['base', 'ours', 'theirs'];
}

function formatOf({ meaning }: MergedMeaning): FormatId | null {
  const said = [...meaning.values()].find(({ part }) => part === 'format')?.values[0];
  return FORMATS.find(({ id }) => id === said)?.id ?? null;
}

/** Said where both sides changed the bytes of the file beyond what they say, and either's would do. */
function layoutNotes(chosen: Candidate, fitting: readonly Candidate[], { base, ours, theirs }: FactsToMerge): readonly string[] {
  if (chosen.side === 'base' || ours === null || theirs === null) return [];
  const texts = [base, ours, theirs].map((facts) => (facts === null ? null : serializeFacts(facts)));
  if (new Set(texts).size < 3) return [];
  const other = fitting.find(({ side, meaning }) => side !== chosen.side && side !== 'base' && differences(chosen.meaning, meaning).length === 0);
  return other === undefined
    ? []
    : [`Both sides changed how the file is laid out around the tensors: that of ${chosen.side} is kept, not that of ${other.side}.`];
}

function writtenAnew(format: FormatId): string {
  return `The bytes around the tensors fit the merged version on neither side, so the file is written in the plain form of ${labelOf(format)}.`;
}

function unwritten(ids: readonly string[]): string {
  return `That form has no place for what is no tensor, so a checkout lacks it, while the version keeps it: ${namesOf(ids)}.`;
}

function noFile(format: FormatId, path: string): CheckpointError {
  return new CheckpointError(
    'conflict',
    `${path} cannot be merged: neither side's file has exactly the merged parameter groups, and ${labelOf(format)} files are not written anew.`,
    { place: { file: path }, hint: 'Take one side with "git checkout --ours" or "git checkout --theirs", then "git add".' },
  );
}

function labelOf(format: FormatId): string {
  return formatById(format)?.label ?? format;
}
