import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readSmallFile } from '../../bytes/readSmallFile';
import { decodeUtf8 } from '../decodeText';
import { type AttributeLevel, attributesOf, type ExplainedAttribute, explainAttributes } from './attributesOf';
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
  const answer = new Map<string, ReadonlyMap<string, string>>();
  for (const [path, levels] of await readLevels(source, paths)) answer.set(path, attributesOf(path, levels));
  return answer;
}

/** The same with the file and line that settles each attribute. */
export async function readExplainedAttributes(
  source: AttributeSource,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, ExplainedAttribute>>> {
  const answer = new Map<string, ReadonlyMap<string, ExplainedAttribute>>();
  for (const [path, levels] of await readLevels(source, paths)) answer.set(path, explainAttributes(path, levels));
  return answer;
}

async function readLevels(source: AttributeSource, paths: readonly string[]): Promise<ReadonlyMap<string, readonly AttributeLevel[]>> {
  const ignoreCase = (await source.config('core.ignorecase'))?.toLowerCase() === 'true';
  const levelOf = (text: string | null, file: string, folder: string): AttributeLevel | null =>
    text === null ? null : { file, folder, rules: parseAttributes(text, { macros: folder === '', ignoreCase }) };
  const outside = async (file: string) => levelOf(await readText(file), file, '');
  const present = (levels: readonly (AttributeLevel | null)[]) => levels.filter((level) => level !== null);
  const outer = present([
    process.env.GIT_ATTR_NOSYSTEM === undefined ? await outside(systemAttributesFile()) : null,
    await outside(await userAttributesFile(source)),
  ]);
  const info = present([await outside(join(source.commonDir, 'info', 'attributes'))]);
  const inner = new Map<string, Promise<AttributeLevel | null>>();
  const answer = new Map<string, readonly AttributeLevel[]>();
  for (const path of paths) {
    const levels = await Promise.all(
      foldersOf(path).map((folder) => {
        const file = `${folder}.gitattributes`;
        const known = inner.get(folder) ?? source.attributesFile(file).then((text) => levelOf(text, file, folder));
        inner.set(folder, known);
        return known;
      }),
    );
    answer.set(path, [...outer, ...present(levels), ...info]);
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
export function foldersOf(path: string): readonly string[] {
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

async function readText(path: string): Promise<string | null> {
  return readSmallFile(path, ATTRIBUTES_FILE_LIMIT).then(decodeUtf8, () => null);
}

/** A `.gitattributes` of the work tree; links are not followed, as in git. */
export async function readWorkTreeAttributes(workTree: string, path: string): Promise<string | null> {
  const full = join(workTree, path);
  const found = await lstat(full).catch(() => null);
  return found?.isFile() && found.size <= ATTRIBUTES_FILE_LIMIT ? readText(full) : null;
}
