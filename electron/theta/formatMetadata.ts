import { CheckpointError } from '../../shared/contract/errors';
import type { Shape } from '../../shared/model/shape';
import { compareKeys } from './compareKeys';
import type { ThetaEntry } from './metadata';

/** A dictionary with this key is a parameter group, so no level may be called so. */
const GROUP_MARK = 'lfs_metadata';
const LFS_VERSION = 'https://git-lfs.github.com/spec/v1';
const STEP = '    ';

/**
 * The metadata file of these entries, byte for byte what git-theta's clean writes: Python's `json.dumps(…, indent=4)` of nested
 * dictionaries, ASCII only, groups sorted by the tuple of their keys by code point, no line break at the end.
 * @throws CheckpointError `invalid-request` when two names exclude each other (`a` and `a/b` as a group and a level, or one name twice)
 */
export function formatMetadata(entries: Iterable<ThetaEntry>): string {
  const sorted = [...entries].sort((a, b) => compareKeys(a.keys, b.keys));
  const lines: string[] = [];
  /** Levels that are open, outermost first. */
  let open: readonly string[] = [];
  let before: ThetaEntry | null = null;
  for (const entry of sorted) {
    checkKeys(entry, before);
    const levels = entry.keys.slice(0, -1);
    const shared = sharedLevels(open, levels);
    for (let depth = open.length; depth > shared; depth--) lines.push(`${STEP.repeat(depth)}}`);
    if (before !== null) lines.push(`${lines.pop() ?? ''},`);
    for (let depth = shared; depth < levels.length; depth++) lines.push(`${STEP.repeat(depth + 1)}${quote(levels[depth] ?? '')}: {`);
    pushEntry(lines, entry, STEP.repeat(entry.keys.length));
    open = levels;
    before = entry;
  }
  if (before === null) return '{}';
  for (let depth = open.length; depth > 0; depth--) lines.push(`${STEP.repeat(depth)}}`);
  return `{\n${lines.join('\n')}\n}`;
}

/** In sorted order whatever would stand inside a group follows it directly, as does the same name. */
function checkKeys({ keys, name }: ThetaEntry, before: ThetaEntry | null): void {
  if (keys.length === 0 || keys.includes(GROUP_MARK)) {
    throw new CheckpointError('invalid-request', `No parameter group of a metadata file can be called ${JSON.stringify(name)}.`, { place: { group: name } });
  }
  if (before?.keys.every((key, level) => key === keys[level])) {
    throw new CheckpointError(
      'invalid-request',
      before.keys.length === keys.length
        ? `There are two parameter groups ${name}.`
        : `${before.name} is a parameter group, so ${name} cannot be one inside it.`,
      { place: { group: name } },
    );
  }
}

function sharedLevels(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return shared;
}

function pushEntry(lines: string[], entry: ThetaEntry, indent: string): void {
  const inner = indent + STEP;
  const item = inner + STEP;
  lines.push(`${indent}${quote(entry.keys.at(-1) ?? '')}: {`, `${inner}"tensor_metadata": {`);
  lines.push(
    `${item}"shape": "${formatTuple(entry.shape)}",`,
    `${item}"dtype": ${quote(entry.dtype)},`,
    `${item}"hash": ${formatSignature(entry.signature, item)}`,
  );
  lines.push(`${inner}},`, `${inner}"${GROUP_MARK}": {`);
  lines.push(`${item}"version": "${LFS_VERSION}",`, `${item}"oid": "${entry.oid}",`, `${item}"size": "${entry.bytes}"`);
  lines.push(`${inner}},`, `${inner}"theta_metadata": {`);
  lines.push(`${item}"update_type": ${quote(entry.updateType)},`, `${item}"last_commit": ${entry.lastCommit === null ? 'null' : `"${entry.lastCommit}"`}`);
  lines.push(`${inner}}`, `${indent}}`);
}

/** `null` stays what another writer made of it: nothing that could pass for a signature. */
function formatSignature(signature: readonly bigint[] | null, indent: string): string {
  if (signature === null) return 'null';
  return signature.length === 0 ? '[]' : `[\n${signature.map((number) => `${indent}${STEP}${number}`).join(',\n')}\n${indent}]`;
}

/** Python's text of a tuple: `()`, `(3,)`, `(3, 4)`. */
function formatTuple(shape: Shape): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
}

const SHORT: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\f': '\\f', '\b': '\\b' };

/** As Python's `ensure_ascii`: everything but printable ASCII is escaped, beyond the basic plane as two surrogates. */
function quote(text: string): string {
  const escaped = text.replace(/[^ !#-[\]-~]/g, (unit) => SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${escaped}"`;
}
