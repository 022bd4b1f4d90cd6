import { describe, expect, it } from 'vitest';
import { seeded } from '../../encodings/testing/seeded';
import { sameEntry } from '../../theta/diffMetadata';
import { formatMetadata } from '../../theta/formatMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import { parseMetadata } from '../../theta/parseMetadata';
import { parseVersion } from './parseVersion';
import { MemberReader } from './readMembers';
import { TimelineStore } from './timelineStore';
import type { Version } from './version';

const TYPES = ['dense', 'sparse', 'low-rank', 'ia3', 'sparse-values', 'of another tool'];
const SHAPES = [[], [3], [4, 5], [0, 2]];

function hex(random: () => number, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
}

function entry(name: string, random: () => number): ThetaEntry {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const lastCommit = random() < 0.3 ? null : (hex(random, 40) as ThetaEntry['lastCommit']);
  return {
    keys: [name],
    name,
    dtype: pick(['float32', 'bfloat16', 'int64'] as const),
    shape: pick(SHAPES),
    signature: random() < 0.1 ? null : Array.from({ length: 16 }, () => BigInt(Math.floor((random() - 0.5) * 2 ** 53)) * 1021n),
    oid: hex(random, 64),
    bytes: Math.floor(random() * 1e9),
    updateType: pick(TYPES),
    lastCommit,
  };
}

const NAMES = ['w', 'a/b', 'quote " \\ tab \t', 'größe', '', '__proto__', 'constructor', '\u{1f600}', 'lfs', '0'];

/** Some edits of a checkpoint: changed, new, removed groups; a merge that gives a group a base of another name. */
function edited(entries: ReadonlyMap<string, ThetaEntry>, random: () => number): Map<string, ThetaEntry> {
  const next = new Map(entries);
  const names = [...entries.keys()];
  for (let edit = Math.floor(random() * 6); edit > 0; edit--) {
    const chosen = names[Math.floor(random() * names.length)];
    const kind = random();
    if (kind < 0.35 || chosen === undefined) {
      const name = `${NAMES[Math.floor(random() * NAMES.length)]}${Math.floor(random() * 40)}`;
      next.set(name, entry(name, random));
    } else if (kind < 0.55) next.delete(chosen);
    else if (kind < 0.8) next.set(chosen, entry(chosen, random));
    else {
      const old = entries.get(chosen);
      if (old !== undefined) next.set(chosen, { ...old, lastCommit: hex(random, 40) as ThetaEntry['lastCommit'] });
    }
  }
  return next;
}

/** What other writers and accidents do to a text: the full parser must then say the same, or fail the same. */
function spoiled(text: string, random: () => number): string {
  const lines = text.split('\n');
  const at = Math.floor(random() * lines.length);
  const swap = (index: number, line: string) => [...lines.slice(0, index), line, ...lines.slice(index + 1)].join('\n');
  switch (Math.floor(random() * 12)) {
    case 0:
      return `${text}\n`;
    case 1:
      return text.replaceAll('\n', '\r\n');
    case 2:
      return JSON.stringify(JSON.parse(text));
    case 3:
      return JSON.stringify(JSON.parse(text), null, 2);
    case 4:
      return swap(at, `${lines[at]} `);
    case 5:
      return swap(at, '');
    case 6:
      return [...lines.slice(0, at), '<<<<<<< HEAD', ...lines.slice(at)].join('\n');
    case 7:
      return swap(at, (lines[at] ?? '').replace('"', "'"));
    case 8:
      return text.slice(0, Math.floor(random() * text.length));
    case 9: {
      // One group once more, elsewhere in the file.
      const members = text.slice(2, -2).split(/(?<=\n {4}\},)\n/);
      const member = members[Math.floor(random() * members.length)] ?? '';
      return `{\n${member.replace(/,$/, '')},\n${members.join('\n')}\n}`;
    }
    case 10:
      return swap(at, (lines[at] ?? '').replace(/\d/, 'x'));
    default:
      return text.replace(/\n {4}\}(?=,)/, '\n    }\n   ');
  }
}

type Read = { readonly version: Version } | { readonly error: string };

function reading(store: TimelineStore, reader: MemberReader, bytes: Buffer, base: Version | null): Read {
  try {
    return { version: parseVersion(store, reader, { blob: '', bytes, file: 'm' }, base) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** By name, what the columns say of it. */
function said(store: TimelineStore, { rows, contents }: Version) {
  return new Map(Array.from(rows, (row, index) => [store.tables.rows.texts[row] ?? '', contents[index] ?? 0]));
}

describe('a metadata file read as far as it differs from another', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('says what the full parser says, whatever the edits were (%i)', (seed) => {
    const random = seeded(seed);
    const store = new TimelineStore();
    const reader = new MemberReader(store);
    let entries = new Map(Array.from({ length: Math.floor(random() * 30) }, (_, index) => [`layer.${index}`, entry(`layer.${index}`, random)]));
    let base: Version | null = null;
    let baseEntries: ReadonlyMap<string, ThetaEntry> = new Map();
    for (let round = 0; round < 25; round++) {
      entries = edited(entries, random);
      const whole = formatMetadata(entries.values());
      const text = random() < 0.3 ? spoiled(whole, random) : whole;
      const bytes = Buffer.from(text);
      const read = reading(store, reader, bytes, base);
      const parsed = (() => {
        try {
          return parseMetadata(bytes, 'm').entries;
        } catch (error) {
          return (error as Error).message;
        }
      })();
      if ('error' in read) {
        expect(read.error).toBe(parsed);
        continue;
      }
      if (typeof parsed === 'string') throw new Error(`the full parser says: ${parsed}`);
      const now = said(store, read.version);
      expect([...now.keys()].sort()).toEqual([...parsed.keys()].sort());
      for (const [name, content] of now) {
        const { dtype, shape, bytes: stored } = parsed.get(name) ?? entry('none', random);
        expect(store.tables.forms.texts[store.tables.contents.formOf(content)]).toBe(`${dtype} ${shape.join(',')}`);
        expect(store.tables.contents.bytesOf(content)).toBe(stored);
      }
      if (base !== null) {
        const before = said(store, base);
        for (const [name, was] of baseEntries) {
          const is = parsed.get(name);
          if (is !== undefined) expect(now.get(name) === before.get(name)).toBe(sameEntry(was, is));
        }
      }
      base = read.version;
      baseEntries = parsed;
    }
  });

  it('takes the whole text of git-theta by members, and what is nested by the full parser', () => {
    const random = seeded(7);
    const store = new TimelineStore();
    const flat = Buffer.from(formatMetadata(['a', 'b', 'c'].map((name) => entry(name, random))));
    expect(new MemberReader(store).read(flat, null)?.rows).toHaveLength(3);
    const nested = Buffer.from(formatMetadata([{ ...entry('x', random), keys: ['a', 'x'], name: 'a/x' }]));
    expect(new MemberReader(store).read(nested, null)).toBeNull();
    expect(parseVersion(store, new MemberReader(store), { blob: '', bytes: nested, file: 'm' }, null).rows).toHaveLength(1);
  });
});
