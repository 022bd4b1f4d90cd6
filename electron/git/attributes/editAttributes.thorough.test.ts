import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGit, makeRepository, type TestRepository } from '../testing/testRepository';
import { attributesOf } from './attributesOf';
import { convertLfs, listTracked, trackPattern, untrackPattern } from './editAttributes';
import { parseAttributes } from './parseAttributes';
import { patternForPath } from './trackedPattern';

/** The same numbers on every run (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below;
  };
}

const PATTERNS = [
  '*.pt',
  'model.pt',
  '/model.pt',
  'models/*.pt',
  '/models/a.pt',
  'models/**',
  '**/a.pt',
  '*',
  'with space.pt',
  '#hash.pt',
  '!not.pt',
  'qu"ote.pt',
  'modèle.pt',
  'a[12].pt',
  'a[!1]?.pt',
  'back\\*star.pt',
  ' lead.pt',
  'tab\t.pt',
  '[attr]x.pt',
  'deep/**/[[:digit:]].pt',
  '*.x',
];
const PATHS = [
  'model.pt',
  'models/a.pt',
  'models/b.pt',
  'models/deep/a.pt',
  'a.pt',
  'with space.pt',
  '#hash.pt',
  '!not.pt',
  'sub/!not.pt',
  'qu"ote.pt',
  'modèle.pt',
  'a1.pt',
  'a2.pt',
  'a21.pt',
  'back*star.pt',
  'backXstar.pt',
  ' lead.pt',
  'tab\t.pt',
  'tx.pt',
  'deep/u/v/7.pt',
  'read.txt',
  'x.x',
];
const WORDS = [
  'filter=theta',
  'diff=theta',
  'merge=theta',
  '-text',
  'filter=lfs',
  'diff=lfs',
  'merge=lfs',
  '-diff',
  '!text',
  'text',
  'eol=lf',
  'binary',
  '-binary',
  '!filter',
  'model',
  '-model',
  'in~valid',
  'x=y=z',
  'text=auto',
];
const OTHER_LINES = [
  '',
  '# comment',
  '   ',
  '#*.pt filter=theta',
  '[attr]model filter=theta diff=theta merge=theta -text',
  '[attr]x~ y',
  '"[attr]model" -diff',
  '"open.pt text',
  'folder/ text',
  '*.pt',
];
const QUOTED: Readonly<Record<string, string>> = {
  'with space.pt': '"with space.pt"',
  'qu"ote.pt': '"qu\\"ote.pt"',
  'modèle.pt': '"mod\\303\\250le.pt"',
  ' lead.pt': '" lead.pt"',
  'tab\t.pt': '"tab\\t.pt"',
  '#hash.pt': '"#hash.pt"',
};

function anyText(next: (below: number) => number): string {
  const pick = <T>(from: readonly T[]) => from[Math.floor(next(from.length))];
  const end = next(3) < 1 ? '\r\n' : '\n';
  const lines = Array.from({ length: Math.floor(next(7)) }, () => {
    if (next(3) < 1) return pick(OTHER_LINES) ?? '';
    const pattern = pick(PATTERNS) ?? '';
    const spelt = next(2) < 1 ? (QUOTED[pattern] ?? pattern) : pattern;
    const words = Array.from({ length: Math.floor(next(5)) }, () => pick(WORDS));
    return `${next(6) < 1 ? '  ' : ''}${spelt}${words.map((word) => (next(5) < 1 ? '\t ' : ' ') + word).join('')}${next(8) < 1 ? ' ' : ''}`;
  });
  const mark = next(6) < 1 ? '\ufeff' : '';
  return mark + lines.map((line, i) => line + (i === lines.length - 1 && next(3) < 1 ? '' : next(12) < 1 ? '\n' : end)).join('');
}

type Attributes = Readonly<Record<string, string>>;
const NAMES = ['filter', 'diff', 'merge', 'text', 'eol', 'binary', 'model', 'x'];
const US: Attributes = { filter: 'theta', diff: 'theta', merge: 'theta', text: 'unset' };
const OTHERS = NAMES.filter((name) => !(name in US));

let test: TestRepository;
beforeAll(async () => {
  test = await makeRepository();
});
afterAll(() => test.dispose());

/** Of paths, as git says. */
async function judged(text: string, paths: readonly string[] = PATHS, folder = ''): Promise<ReadonlyMap<string, Attributes>> {
  const file = `${folder}.gitattributes`;
  await test.write(file, text);
  const output = await callGit(test.path, ['check-attr', '-z', '--stdin', ...NAMES], { input: paths.map((path) => `${path}\0`).join('') });
  const fields = output.toString('utf8').split('\0');
  const answer = new Map<string, Record<string, string>>(paths.map((path) => [path, {}]));
  for (let i = 0; i + 2 < fields.length; i += 3)
    if (fields[i + 2] !== 'unspecified') (answer.get(fields[i] ?? '') ?? {})[fields[i + 1] ?? ''] = fields[i + 2] ?? '';
  await rm(join(test.path, file));
  return answer;
}

const matched = async (pattern: string): Promise<ReadonlySet<string>> => {
  const { text } = trackPattern('', pattern);
  return new Set([...(await judged(text))].filter(([, found]) => found.filter === 'theta').map(([path]) => path));
};

const without = (found: Attributes | undefined, names: readonly string[]) =>
  Object.fromEntries(Object.entries(found ?? {}).filter(([name]) => !names.includes(name)));

describe('editing attributes, judged by git check-attr', () => {
  it('each pattern is written so that git matches what is meant', async () => {
    const of = async (pattern: string) => [...(await matched(pattern))];
    expect(await of('!not.pt')).toEqual(['!not.pt', 'sub/!not.pt']);
    expect(await of('#hash.pt')).toEqual(['#hash.pt']);
    expect(await of('with space.pt')).toEqual(['with space.pt']);
    expect(await of('qu"ote.pt')).toEqual(['qu"ote.pt']);
    expect(await of(' lead.pt')).toEqual([' lead.pt']);
    expect(await of('tab\t.pt')).toEqual(['tab\t.pt']);
    expect(await of('modèle.pt')).toEqual(['modèle.pt']);
    expect(await of('[attr]x.pt')).toEqual(['tx.pt']);
    expect(await of('back\\*star.pt')).toEqual(['back*star.pt']);
    expect(await of('a[12].pt')).toEqual(['a1.pt', 'a2.pt']);
    for (const path of PATHS) expect(await of(patternForPath(path)), path).toEqual([path]);
    const hard = ['[x].pt', 'a\\b.pt', 'new\nline.pt', '\u0001.pt', 'ä "b" \\ c.pt', '[attr]y', '!', '#', '"', '\\', '*', 'dir with [x]/? *.pt', '\ufeff.pt'];
    for (const path of hard) {
      const { text } = trackPattern('', patternForPath(path));
      const found = await judged(text, [...hard, 'x.pt', 'ay', 'ab.pt', 'dir with x/a b.pt']);
      expect(
        [...found].filter(([, one]) => one.filter === 'theta').map(([one]) => one),
        path,
      ).toEqual([path]);
    }
  });

  it('our reader agrees with git on every generated file', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const text = anyText(numbers(seed));
      const levels = [{ folder: '', file: '', rules: parseAttributes(text, { macros: true, ignoreCase: false }) }];
      const ours = new Map(PATHS.map((path) => [path, Object.fromEntries([...attributesOf(path, levels)].filter(([name]) => NAMES.includes(name)))]));
      expect(ours, JSON.stringify(text)).toEqual(await judged(text));
    }
  });

  it('tracking adds a line that holds, changes no other file, and nothing twice', async () => {
    for (let seed = 1; seed <= 250; seed++) {
      const next = numbers(seed * 7919);
      const text = anyText(next);
      const pattern = PATTERNS[Math.floor(next(PATTERNS.length))] ?? '*.pt';
      const where = `${JSON.stringify(text)} + ${pattern}`;
      const edit = trackPattern(text, pattern);
      expect(trackPattern(edit.text, pattern), where).toEqual({ text: edit.text, changed: false });
      if (!edit.changed) {
        // Some path of the pattern has it all already: nothing that is said for the whole pattern takes it back.
        expect(edit.text).toBe(text);
        continue;
      }
      expect(edit.text.startsWith(text), where).toBe(true);
      const [before, after, matching] = [await judged(text), await judged(edit.text), await matched(pattern)];
      for (const path of PATHS) {
        if (!matching.has(path)) expect(after.get(path), `${where}: ${path}`).toEqual(before.get(path));
        else {
          expect(after.get(path), `${where}: ${path}`).toMatchObject(US);
          expect(without(after.get(path), Object.keys(US)), `${where}: ${path}`).toEqual(without(before.get(path), Object.keys(US)));
        }
      }
      expect(listTracked(edit.text).at(-1)?.line).toBe(edit.text.trimEnd().split('\n').length);
    }
  });

  it('what is said already is in force for a literal path', async () => {
    let unchanged = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const next = numbers(seed * 104_729);
      const text = anyText(next) + (next(2) < 1 ? '' : '\n*.pt filter=theta diff=theta merge=theta -text');
      const path = PATHS[Math.floor(next(PATHS.length))] ?? '';
      const { changed } = trackPattern(text, patternForPath(path));
      const found = (await judged(text)).get(path);
      const holds = Object.entries(US).every(([name, value]) => found?.[name] === value);
      expect(changed, `${JSON.stringify(text)} + ${path}`).toBe(!holds);
      if (!changed) unchanged++;
    }
    expect(unchanged).toBeGreaterThan(20);
  });

  it('untracking takes back what tracking added, and touches no other attribute or line', async () => {
    for (let seed = 1; seed <= 250; seed++) {
      const next = numbers(seed * 15_485_863);
      const text = anyText(next);
      const pattern = PATTERNS[Math.floor(next(PATTERNS.length))] ?? '*.pt';
      const where = `${JSON.stringify(text)} - ${pattern}`;
      const edit = untrackPattern(text, pattern);
      expect(untrackPattern(edit.text, pattern).changed, where).toBe(false);
      expect(
        listTracked(edit.text).some((one) => one.pattern === pattern),
        where,
      ).toBe(false);
      const [before, after] = [await judged(text), await judged(edit.text)];
      const matching = await matched(pattern);
      for (const path of PATHS) {
        if (!matching.has(path)) expect(after.get(path), `${where}: ${path}`).toEqual(before.get(path));
        else
          expect(Object.fromEntries(OTHERS.map((name) => [name, after.get(path)?.[name]])), where).toEqual(
            Object.fromEntries(OTHERS.map((name) => [name, before.get(path)?.[name]])),
          );
      }
      // Every line that does not speak of tracking is still there, in its order.
      const kept = edit.text.split('\n');
      let at = 0;
      for (const line of text.split('\n').filter((one) => !one.includes('=theta'))) {
        at = kept.indexOf(line, at) + 1;
        expect(at, where).toBeGreaterThan(0);
      }
      const clean = untrackPattern(text, pattern).text;
      const again = trackPattern(clean, pattern);
      if (!again.changed) continue;
      const back = untrackPattern(again.text, pattern).text;
      expect([clean, `${clean}\n`, `${clean}\r\n`], where).toContain(back);
    }
  });

  it('converting a line of Git LFS gives its files to us alone', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const next = numbers(seed * 32_452_843);
      const before = anyText(next).replace(/([^\n])$/, '$1\n');
      const pattern = PATTERNS[Math.floor(next(PATTERNS.length))] ?? '*.pt';
      const written = trackPattern('', pattern).text.replaceAll('=theta', '=lfs');
      const text = before + written;
      const edit = convertLfs(text, text.trimEnd().split('\n').length);
      expect(edit.text).toBe(before + written.replaceAll('=lfs', '=theta'));
      const after = await judged(edit.text);
      for (const path of await matched(pattern)) expect(after.get(path)).toMatchObject(US);
    }
  });

  it('holds in the attributes file of a folder', async () => {
    const paths = PATHS.flatMap((path) => [path, `models/${path}`, `models/deep/${path}`]);
    for (const pattern of PATTERNS) {
      const given = pattern.includes('/') ? `models/${pattern.replace(/^\//, '')}` : pattern;
      const atRoot = await judged(trackPattern('', given).text, paths);
      const inFolder = await judged(trackPattern('', given, { folder: 'models/' }).text, paths, 'models/');
      const tracked = (found: ReadonlyMap<string, Attributes>) =>
        [...found].filter(([path, one]) => path.startsWith('models/') && one.filter === 'theta').map(([path]) => path);
      expect(tracked(inFolder), pattern).toEqual(tracked(atRoot));
      expect([...inFolder].filter(([path, one]) => !path.startsWith('models/') && one.filter !== undefined)).toEqual([]);
    }
  });
});
