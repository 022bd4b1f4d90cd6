import { type CheckpointFacts, parseFacts, sameMeaning, serializeFacts } from '../../formats/template/checkpointFacts';
import { carrierOf } from '../../theta/carrier';
import { factsOfEntry } from '../checkpoints/factsOfEntry';
import { guessFormat } from '../checkpoints/guessFormat';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { Candidate } from './candidates';
import type { Renamed } from './findRenamed';
import type { Unchanged } from './findUnchanged';
import type { SourceGroup } from './sourceGroup';

export interface FactsQuestion {
  readonly repository: OpenedRepository;
  readonly path: string;
  readonly groups: readonly SourceGroup[];
  readonly candidates: readonly Candidate[];
  readonly unchanged: ReadonlyMap<string, Unchanged>;
  readonly renamed: ReadonlyMap<string, Renamed>;
  readonly declared: ReadonlyMap<string, unknown>;
  readonly facts: CheckpointFacts;
  readonly signal: AbortSignal | undefined;
}

/**
 * Which group's object has to be written with the facts about the file, and these; `null` when they are where they belong already, or say
 * nothing that a reader would not do by itself. A version of git-theta has none: as long as nothing else changes, one that differs from it
 * in layout only is the same version, or every repository of git-theta would look modified at once.
 */
export async function factsToCarry(question: FactsQuestion): Promise<{ readonly group: string; readonly facts: string } | null> {
  const { groups, unchanged, renamed, declared, facts, repository, path, signal } = question;
  const carrier = carrierOf(groups);
  if (carrier === null) return null;
  const text = serializeFacts(facts);
  const carry = { group: carrier.name, facts: text };
  const kept = declared.has(carrier.name) ? undefined : unchanged.get(carrier.name);
  if (kept === undefined) {
    const former = renamed.get(carrier.name)?.kept?.entry;
    return former !== undefined && (await factsOfEntry(repository.lfs, former, signal)) === text ? null : carry;
  }
  const [first] = kept.entries;
  if (first === undefined) return carry;
  const stored = await factsOfEntry(repository.lfs, first.entry, signal);
  if (stored === text) return null;
  if (stored !== null) return isWhatCameBack(parseFacts(stored), facts) ? null : carry;
  const nothingElse = groups.every(({ name }) => unchanged.has(name) && !declared.has(name)) && first.candidate.metadata.entries.size === groups.length;
  return nothingElse && sameMeaning(facts, factsByDefault(question, path)) ? null : carry;
}

/** A file that could not be kept byte for byte comes back in the plain form of its format: that is no change. */
function isWhatCameBack(stored: CheckpointFacts | null, facts: CheckpointFacts): boolean {
  return stored?.exact === false && facts.template === undefined && facts.exact === undefined && sameMeaning(stored, facts);
}

/** What a reader takes for granted where nothing is written. */
function factsByDefault({ groups, facts }: FactsQuestion, path: string): CheckpointFacts {
  const names = groups.map(({ keys }) => keys);
  return { v: 1, format: guessFormat(path, names), metadata: facts.format === 'safetensors' ? facts.metadata.filter(isFramework) : [], skipped: [] };
}

/** What every writer adds, and git-theta drops. */
function isFramework({ key, value }: { readonly key: string; readonly value: string }): boolean {
  return key === 'format' && value === 'pt';
}
