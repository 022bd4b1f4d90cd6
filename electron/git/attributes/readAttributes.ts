import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readSmallFile } from '../../bytes/readSmallFile';
import { decodeUtf8 } from '../decodeText';
import { type AttributeLevel, attributesOf } from './attributesOf';
import { ATTRIBUTES_FILE_LIMIT, isAttributeName, parseAttributes } from './parseAttributes';

export interface AttributeSource {
  readonly commonDir: string;
  config(key: string): Promise<string | null>;
  /** Text of a `.gitattributes` of the work tree or of HEAD, by its repository path; `null` when there is none. */
  attributesFile(path: string): Promise<string | null>;
}

/**
 * Attributes of paths from all places that git reads, weakest first: system, user, `.gitattributes` from the root down to
 * the path's folder, `info/attributes`. For back ends or repositories in which `git check-attr` cannot answer.
 */
export async function readAttributes(source: AttributeSource, paths: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const ignoreCase = (await source.config('core.ignorecase'))?.toLowerCase() === 'true';
  const levelOf = (text: string | null, folder: string, macros: boolean): AttributeLevel | null =>
    text === null ? null : { folder, rules: parseAttributes(text, { macros, ignoreCase }) };
  const present = (levels: readonly (AttributeLevel | null)[]) => levels.filter((level) => level !== null);
  const outer = present([
    levelOf(await readText(process.env.GIT_ATTR_NOSYSTEM === undefined ? systemAttributesFile() : null), '', true),
    levelOf(await readText(await userAttributesFile(source)), '', true),
  ]);
  const info = present([levelOf(await readText(join(source.commonDir, 'info', 'attributes')), '', true)]);
  const inner = new Map<string, Promise<AttributeLevel | null>>();
  const answer = new Map<string, ReadonlyMap<string, string>>();
  for (const path of paths) {
    const levels = await Promise.all(
      foldersOf(path).map((folder) => {
        const known = inner.get(folder) ?? source.attributesFile(`${folder}.gitattributes`).then((text) => levelOf(text, folder, folder === ''));
        inner.set(folder, known);
        return known;
      }),
    );
    answer.set(path, attributesOf(path, [...outer, ...present(levels), ...info]));
  }
  return answer;
}

/** Keeps the wanted attributes, in an object that no attribute name can harm. */
export function pickAttributes(all: ReadonlyMap<string, string>, names: readonly string[]): Readonly<Record<string, string>> {
  const picked: Record<string, string> = Object.create(null);
  for (const name of names) {
    const value = all.get(name);
    if (isAttributeName(name) && value !== undefined) picked[name] = value;
  }
  return picked;
}

/** `''`, `a/`, `a/b/` for `a/b/c`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return ['', ...parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`)];
}

function systemAttributesFile(): string {
  return process.platform === 'win32' ? 'C:\\Program Files\\Git\\etc\\gitattributes' : '/etc/gitattributes';
}

async function userAttributesFile(source: AttributeSource): Promise<string> {
  const configured = await source.config('core.attributesfile');
  if (configured !== null && configured !== '') return configured.replace(/^~(?=[/\\])/, () => homedir());
  const base = process.env.XDG_CONFIG_HOME;
  return join(base === undefined || base === '' ? join(homedir(), '.config') : base, 'git', 'attributes');
}

async function readText(path: string | null): Promise<string | null> {
  if (path === null) return null;
  return readSmallFile(path, ATTRIBUTES_FILE_LIMIT).then(decodeUtf8, () => null);
}

/** A `.gitattributes` of the work tree; links are not followed, as in git. */
export async function readWorkTreeAttributes(workTree: string, path: string): Promise<string | null> {
  const full = join(workTree, path);
  const found = await lstat(full).catch(() => null);
  return found?.isFile() && found.size <= ATTRIBUTES_FILE_LIMIT ? readText(full) : null;
}
