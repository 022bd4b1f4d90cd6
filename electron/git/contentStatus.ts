import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { isTrue, lastValue } from './configKey';
import type { WorkTreeStatus } from './gitRepository';
import type { IndexEntry } from './index/indexEntry';
import { LFS_POINTER_LIMIT, parseLfsPointer } from './lfs/lfsPointer';

export interface ContentFacts {
  readonly workTree: string;
  /** core.autocrlf is `true` or `input`. */
  readonly convertsLineEnds: boolean;
  attributesOf(path: string): Promise<Readonly<Record<string, string>>>;
  /** A blob, or `null` when it is larger than `limit` or not here. */
  smallBlob(oid: string, limit: number): Promise<Uint8Array | null>;
}

/** What the configuration says about comparing files. */
export function statusSettings(settings: readonly (readonly [string, string])[]): { readonly fileMode: boolean; readonly convertsLineEnds: boolean } {
  return {
    fileMode: isTrue(lastValue(settings, 'core.filemode') ?? 'true'),
    convertsLineEnds: /^(?:input|true|yes|on|1)$/i.test(lastValue(settings, 'core.autocrlf') ?? ''),
  };
}

/** Above this a file is not read to find out; hashing this much takes about 0.05 s. */
const READ_LIMIT = 64 * 2 ** 20;

/** Attributes that decide how a file's content becomes a blob. */
export const CONVERSION_ATTRIBUTES = ['filter', 'text', 'crlf', 'eol', 'ident', 'working-tree-encoding'] as const;

/**
 * State of a file whose stat data does not settle it, from its content. Equal bytes are unmodified whatever the
 * attributes say (an LFS pointer that was never smudged). Behind a content filter another size than at the last checkout
 * means changed; equal size and another time means `unknown`, except for Git LFS, whose rule is known: the pointer has
 * the SHA-256 of the content.
 */
export async function contentStatus(
  facts: ContentFacts,
  file: { readonly entry: IndexEntry; readonly path: string; readonly size: number },
): Promise<WorkTreeStatus> {
  const { entry, path, size } = file;
  const attributes = await facts.attributesOf(path);
  const filter = isValue(attributes.filter) ? attributes.filter : null;
  const full = join(facts.workTree, path);
  if (size > READ_LIMIT) {
    const sizeAtCheckout = entry.size;
    return sizeAtCheckout !== 0 && sizeAtCheckout !== size % 2 ** 32 ? 'modified' : 'unknown';
  }
  const digests = await digestFile(full, size, entry.oid.length).catch(() => null);
  if (digests === null) return 'unknown';
  if (digests.blob === entry.oid) return 'unmodified';
  if (filter === 'lfs') {
    const pointer = parseLfsPointer((await facts.smallBlob(entry.oid, LFS_POINTER_LIMIT)) ?? new Uint8Array());
    if (pointer !== null) return pointer.oid === digests.sha256 ? 'unmodified' : 'modified';
  }
  if (filter !== null) return entry.size !== 0 && entry.size !== size ? 'modified' : 'unknown';
  if (isOn(attributes.ident) || isValue(attributes['working-tree-encoding'])) return 'unknown';
  const mayConvert = facts.convertsLineEnds || [attributes.text, attributes.crlf, attributes.eol].some((value) => value !== undefined && value !== 'unset');
  // Where line ends may be converted, only the converted bytes decide; one without CR is as it would be stored.
  if (mayConvert && digests.withoutCarriageReturns !== null) return digests.withoutCarriageReturns === entry.oid ? 'unmodified' : 'modified';
  return 'modified';
}

interface Digests {
  /** Object id as a blob. */
  readonly blob: string;
  readonly sha256: string;
  /** Object id with CR LF turned into LF; `null` when there is none. */
  readonly withoutCarriageReturns: string | null;
}

/** @throws when the file cannot be read or changes its size meanwhile */
async function digestFile(path: string, size: number, oidDigits: number): Promise<Digests> {
  const algorithm = oidDigits === 64 ? 'sha256' : 'sha1';
  const blob = createHash(algorithm).update(`blob ${size}\0`);
  const sha256 = createHash('sha256');
  let total = 0;
  let pairs = 0;
  let afterReturn = false;
  for await (const chunk of createReadStream(path)) {
    const bytes = chunk as Buffer;
    blob.update(bytes);
    sha256.update(bytes);
    total += bytes.length;
    if (afterReturn && bytes[0] === 0x0a) pairs++;
    for (let at = bytes.indexOf('\r\n'); at !== -1; at = bytes.indexOf('\r\n', at + 2)) pairs++;
    afterReturn = bytes[bytes.length - 1] === 0x0d;
  }
  if (total !== size) throw new RangeError('the file changed while it was read');
  return {
    blob: blob.digest('hex'),
    sha256: sha256.digest('hex'),
    withoutCarriageReturns: pairs === 0 ? null : await digestConverted(path, size - pairs, algorithm),
  };
}

async function digestConverted(path: string, size: number, algorithm: string): Promise<string> {
  const hash = createHash(algorithm).update(`blob ${size}\0`);
  let held = false;
  for await (const chunk of createReadStream(path)) {
    // A CR at the end of a chunk waits for what comes after it.
    const text: string = (held ? '\r' : '') + (chunk as Buffer).toString('latin1');
    held = text.endsWith('\r');
    hash.update((held ? text.slice(0, -1) : text).replaceAll('\r\n', '\n'), 'latin1');
  }
  if (held) hash.update('\r');
  return hash.digest('hex');
}

function isValue(value: string | undefined): value is string {
  return value !== undefined && value !== 'set' && value !== 'unset' && value !== 'unspecified';
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== 'unset' && value !== 'unspecified';
}
