import { CheckpointError } from '../../../shared/contract/errors';
import { configKey } from '../configKey';

export type Setting = readonly [key: string, value: string];

/**
 * Settings of a configuration file in their order (git-config(1), "Syntax"): sections, quoted subsections, comments,
 * quotes, escapes and continued lines. A key without a value is `true`. @throws malformed with the line
 */
export function parseConfig(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  let section: string | null = null;
  let position = 0;
  const fail = () => {
    const line = source.slice(0, position).split('\n').length;
    return new CheckpointError('malformed', `Line ${line} of the git configuration cannot be read.`, {
      hint: 'Run "git config --list" to see what git says about it.',
    });
  };
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(source);
    if (match === null) return null;
    position += match[0].length;
    return match[0];
  };
  while (position < source.length) {
    if (take(/[ \t\n]+/y) !== null || take(/[#;][^\n]*/y) !== null) continue;
    if (source.charAt(position) === '[') {
      const header = take(/\[[A-Za-z0-9.-]+(?:[ \t]+"(?:[^"\\\n]|\\[^\n])*")?[ \t]*\]/y);
      if (header === null) throw fail();
      section = sectionName(header);
      continue;
    }
    const name = take(/[A-Za-z][A-Za-z0-9-]*/y);
    if (name === null) throw fail();
    take(/[ \t]+/y);
    // git takes a key before any section, though nothing can ask for it.
    const key = section === null ? name.toLowerCase() : configKey(`${section}.${name}`);
    if (key === null) throw fail();
    if (take(/=/y) === null) {
      if (position < source.length && source.charAt(position) !== '\n') throw fail();
      settings.push([key, 'true']);
      continue;
    }
    const value = readValue(source, position);
    if (value === null) throw fail();
    settings.push([key, value.text]);
    position = value.next;
  }
  return settings;
}

function sectionName(header: string): string {
  const match = /^\[([^ \t"\]]+)(?:[ \t]+"(.*)")?[ \t]*\]$/s.exec(header);
  const name = match?.[1] ?? '';
  const subsection = match?.[2]?.replace(/\\(.)/gs, '$1');
  // `[section.Sub]` is the old spelling; its subsection is folded to lower case.
  return subsection === undefined ? name.toLowerCase() : `${name}.${subsection}`;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"' };

function readValue(source: string, start: number): { readonly text: string; readonly next: number } | null {
  let text = '';
  let blanks = '';
  let quoted = false;
  let i = start;
  const append = (part: string) => {
    text += blanks + part;
    blanks = '';
  };
  while (i < source.length) {
    const char = source.charAt(i++);
    if (char === '\n') {
      if (quoted) return null;
      return { text, next: i };
    }
    if (!quoted && (char === '#' || char === ';')) {
      while (i < source.length && source.charAt(i) !== '\n') i++;
    } else if (!quoted && (char === ' ' || char === '\t')) {
      if (text !== '') blanks += char;
    } else if (char === '"') {
      append('');
      quoted = !quoted;
    } else if (char === '\\') {
      const next = source.charAt(i++);
      if (next === '\n') continue;
      const meaning = ESCAPES[next];
      if (meaning === undefined) return null;
      append(meaning);
    } else append(char);
  }
  return quoted ? null : { text, next: i };
}
