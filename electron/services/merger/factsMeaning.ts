import { FORMATS } from '../../formats/registry';
import type { CheckpointFacts } from '../../formats/template/checkpointFacts';
import type { MergeStrategy } from '../../theta/mergeMetadata';

/** What facts say, whatever bytes say it: by what it is about; `[]` never stands. */
export type Meaning = ReadonlyMap<string, Statement>;

export interface Statement {
  readonly part: 'format' | 'metadata' | 'skipped';
  /** Key of a metadata entry, or name of an entry that is no tensor; empty for the format. */
  readonly name: string;
  /** One, or several where a file says a key more than once. */
  readonly values: readonly string[];
}

/** The meaning in the three versions; one without facts says nothing. */
export interface MeaningVersions {
  readonly base: Meaning;
  readonly ours: Meaning;
  readonly theirs: Meaning;
}

export interface MergedMeaning {
  readonly meaning: Meaning;
  /** What both sides changed, each in its own way. */
  readonly contradictions: ReadonlySet<string>;
}

/** Notes about single entries; what follows is counted. */
const MAX_NOTES = 10;
/** Characters of a value in a note. */
const MAX_SHOWN = 60;

export function meaningOf(facts: CheckpointFacts | null): Meaning {
  const meaning = new Map<string, Statement>();
  if (facts === null) return meaning;
  const add = (part: Statement['part'], name: string, value: string) => {
    const id = `${part} ${name}`;
    meaning.set(id, { part, name, values: [...(meaning.get(id)?.values ?? []), value] });
  };
  add('format', '', facts.format);
  for (const { key, value } of facts.metadata) add('metadata', key, value);
  for (const { name, reason } of facts.skipped) add('skipped', name, reason);
  return meaning;
}

/** The three-way rule for each entry: what one side changed is taken from it; what both changed is ours, or as the strategy says. */
export function mergeMeaning({ base, ours, theirs }: MeaningVersions, strategy: MergeStrategy | null): MergedMeaning {
  const meaning = new Map<string, Statement>();
  const contradictions = new Set<string>();
  const chosen = strategy === 'theirs' ? theirs : strategy === 'base' ? base : ours;
  for (const id of new Set([...ours.keys(), ...theirs.keys(), ...base.keys()])) {
    const statement = { base: base.get(id), ours: ours.get(id), theirs: theirs.get(id) };
    let taken = statement.ours;
    if (sameStatement(statement.base, statement.ours)) taken = statement.theirs;
    else if (!sameStatement(statement.ours, statement.theirs) && !sameStatement(statement.base, statement.theirs)) {
      contradictions.add(id);
      taken = chosen.get(id);
    }
    if (taken !== undefined) meaning.set(id, taken);
  }
  // A file has a format, also where the version that was chosen says nothing.
  for (const { values } of [ours, theirs].flatMap((side) => side.get(FORMAT) ?? [])) {
    if (!meaning.has(FORMAT)) meaning.set(FORMAT, { part: 'format', name: '', values });
  }
  return { meaning, contradictions };
}

const FORMAT = 'format ';

function sameStatement(a: Statement | undefined, b: Statement | undefined): boolean {
  return JSON.stringify(a?.values) === JSON.stringify(b?.values);
}

/** What of `wanted` the other does not say, or otherwise, and what it says beyond. */
export function differences(wanted: Meaning, other: Meaning): readonly string[] {
  return [...new Set([...wanted.keys(), ...other.keys()])].filter((id) => !sameStatement(wanted.get(id), other.get(id)));
}

/** Facts with another meaning, for a file whose bytes do not say it. */
export function withMeaning(facts: CheckpointFacts, meaning: Meaning): CheckpointFacts {
  const statements = [...meaning.values()];
  const pairs = (part: Statement['part']) =>
    statements.filter((one) => one.part === part).flatMap(({ name, values }) => values.map((value) => ({ name, value })));
  return {
    ...facts,
    metadata: pairs('metadata').map(({ name, value }) => ({ key: name, value })),
    skipped: pairs('skipped').map(({ name, value }) => ({ name, reason: value })),
  };
}

/** What became of entries that both sides changed, and of those that only one changed and that could not be kept; each a sentence. */
export function meaningNotes(kept: Meaning, versions: MeaningVersions, { meaning, contradictions }: MergedMeaning): readonly string[] {
  const notes: string[] = [];
  for (const id of new Set([...contradictions, ...differences(meaning, kept)])) {
    const show = (side: Meaning) => shown(side.get(id));
    const { base, ours, theirs } = versions;
    const is = show(kept);
    if (contradictions.has(id)) {
      const sides = [
        { name: 'ours', value: show(ours) },
        { name: 'theirs', value: show(theirs) },
        { name: 'the base', value: show(base) },
      ] as const;
      const owner = sides.find(({ value }) => value === is)?.name ?? 'neither';
      const others = sides.slice(0, 2).filter(({ name }) => name !== owner);
      notes.push(
        `${subject(id, versions)} was changed on both sides: ${is} is kept (${owner}), not ${others.map(({ name, value }) => `${value} (${name})`).join(' or ')}.`,
      );
    } else {
      const changer = sameStatement(ours.get(id), meaning.get(id)) ? 'ours' : 'theirs';
      const wanted = meaning.has(id) ? `was changed by ${changer} alone to ${show(meaning)}` : `was removed by ${changer} alone`;
      const stays = kept.has(id) ? `stays ${is}` : 'is not kept';
      notes.push(`${subject(id, versions)} ${wanted}, but ${stays}: the bytes around the tensors can be of one side only.`);
    }
  }
  return notes.length <= MAX_NOTES ? notes : [...notes.slice(0, MAX_NOTES), `The same holds for ${notes.length - MAX_NOTES} more entries.`];
}

/** Names of entries, for a list in a sentence. */
export function namesOf(ids: readonly string[]): string {
  const names = ids.map((id) => clipped(id.slice(id.indexOf(' ') + 1)));
  return names.length <= MAX_NOTES ? names.join(', ') : `${names.slice(0, MAX_NOTES).join(', ')} and ${names.length - MAX_NOTES} more`;
}

function subject(id: string, { base, ours, theirs }: MeaningVersions): string {
  const { part, name } = ours.get(id) ?? theirs.get(id) ?? base.get(id) ?? { part: 'metadata', name: id };
  return part === 'format' ? 'The format of the file' : `The entry ${JSON.stringify(clipped(name))} of the file`;
}

function shown(statement: Statement | undefined): string {
  if (statement === undefined) return 'no value';
  const { part, values } = statement;
  return values.map((value) => (part === 'format' ? labelOf(value) : JSON.stringify(clipped(value)))).join(' and ');
}

function labelOf(format: string): string {
  return FORMATS.find(({ id }) => id === format)?.label ?? format;
}

function clipped(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
