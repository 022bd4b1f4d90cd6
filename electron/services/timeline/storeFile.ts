import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { errorDataSchema } from '../../../shared/contract/errors';
import { commitHash, storageKind } from '../../../shared/contract/schemas';
import type { CommitHash } from '../../../shared/model/commit';
import { readSmallFile } from '../../bytes/readSmallFile';
import { writeWhole } from '../../bytes/writeWhole';
import { Contents } from './contents';
import { growingBytes, growingFloat64, growingUint32 } from './growing';
import { Names } from './names';
import { type RowRename, type Step, TimelineStore } from './timelineStore';

/** Changes with every change of what is noted, or how. */
const MAGIC = 'theta timeline 2\n';
/** Larger files are not kept; the files of all paths together have the same limit. */
const MAX_FILE_BYTES = 1024 ** 3;
const EIGHT = 8;

const head = v.object({
  path: v.string(),
  rows: v.array(v.string()),
  forms: v.array(v.string()),
  updateTypes: v.array(v.string()),
  bases: v.array(v.string()),
  /** One after another, `hashLength` digits each. */
  commits: v.string(),
  hashLength: v.picklist([40, 64]),
  /** Blobs that commits and steps name by their place from 1 on; 0: none. */
  blobs: v.array(v.string()),
  storages: v.record(v.string(), storageKind),
  errors: v.record(v.string(), errorDataSchema),
  /** Place of a step, and rows of the former and new name. */
  renames: v.array(v.tuple([v.number(), v.number(), v.number()])),
  counts: v.object({ commits: v.number(), steps: v.number(), changes: v.number(), contents: v.number() }),
});

export function storeFileName(folder: string, path: string): string {
  return join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.bin`);
}

/** What was noted about a path; an empty store when there is nothing, or nothing that is whole. */
export async function loadStore(folder: string, path: string): Promise<TimelineStore> {
  const file = storeFileName(folder, path);
  try {
    const store = unpack(await readSmallFile(file, MAX_FILE_BYTES), path);
    const now = new Date();
    await utimes(file, now, now).catch(() => {});
    return store;
  } catch {
    return new TimelineStore();
  }
}

/** Writes the store beside those of other paths, whole or not at all. Never fails: a file that cannot be written costs time only. */
export async function saveStore(folder: string, path: string, store: TimelineStore): Promise<void> {
  store.dirty = false;
  try {
    const parts = pack(store, path);
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    if (bytes > MAX_FILE_BYTES) return;
    await mkdir(folder, { recursive: true });
    await makeRoom(folder, bytes);
    await writeWhole(storeFileName(folder, path), async (write) => {
      for (const part of parts) await write(part);
    });
  } catch {
    // The next look finds everything out anew.
  }
}

/** Head as JSON, then the columns, each on a multiple of eight bytes, and a checksum of it all. */
function pack(store: TimelineStore, path: string): Uint8Array[] {
  const { rows, forms, updateTypes, bases, contents, changed, renames, blobs, storages, errors } = store.tables;
  const steps = [...store.finalSteps()];
  const hashes = [...blobs.keys()];
  const names = new Names();
  const place = (blob: string | null) => (blob === null || blob === '' ? 0 : names.number(blob) + 1);
  const blobOf = Uint32Array.from(hashes, (hash) => place(blobs.get(hash) ?? null));
  const ends = new Uint32Array(steps.length * 4);
  for (const [index, [key, step]] of steps.entries()) {
    const [before = '', after = ''] = key.split(':');
    ends.set([place(before), place(after), step.start, step.end], index * 4);
  }
  const counts = { commits: hashes.length, steps: steps.length, changes: changed.rows.length, contents: contents.count };
  const json: v.InferOutput<typeof head> = {
    path,
    rows: rows.texts,
    forms: forms.texts,
    updateTypes: updateTypes.texts,
    bases: bases.texts,
    commits: hashes.join(''),
    hashLength: hashes[0]?.length === 64 ? 64 : 40,
    blobs: names.texts,
    storages: Object.fromEntries(storages),
    errors: Object.fromEntries(errors),
    renames: steps.flatMap(([key], index) => (renames.get(key) ?? []).map(({ from, to }): [number, number, number] => [index, from, to])),
    counts,
  };
  const text = Buffer.from(JSON.stringify(json));
  const begin = Buffer.alloc(aligned(MAGIC.length + 8));
  begin.write(MAGIC);
  begin.writeUInt32LE(text.length, MAGIC.length);
  const columns = [contents.storedBytes, contents.words, contents.forms, changed.rows, changed.contents].map((column) => column.view());
  const parts = [begin, padded(text), ...[...columns, blobOf, ends, changed.kinds.view()].map((column) => padded(asBytes(column)))];
  const end = Buffer.alloc(EIGHT);
  end.writeUInt32LE(parts.reduce((sum, part) => crc32(part, sum), 0));
  return [...parts, end];
}

function unpack(file: Uint8Array, path: string): TimelineStore {
  // The columns need a buffer that begins where the file does.
  const bytes = file.byteOffset % EIGHT === 0 ? Buffer.from(file.buffer, file.byteOffset, file.byteLength) : Buffer.from(Uint8Array.from(file).buffer);
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new TypeError('another version');
  if (bytes.readUInt32LE(bytes.length - EIGHT) !== crc32(bytes.subarray(0, -EIGHT))) throw new TypeError('damaged');
  let at = aligned(MAGIC.length + 8);
  const take = (length: number) => {
    if (at + length > bytes.length - EIGHT) throw new TypeError('too short');
    const start = bytes.byteOffset + at;
    at += aligned(length);
    // A copy: the file's buffer may be one that others share.
    return bytes.buffer.slice(start, start + length) as ArrayBuffer;
  };
  const json = v.parse(head, JSON.parse(Buffer.from(take(bytes.readUInt32LE(MAGIC.length))).toString('utf8')));
  if (json.path !== path) throw new TypeError('another path');
  const { counts } = json;
  const words32 = (count: number) => new Uint32Array(take(count * 4));
  const storedBytes = new Float64Array(take(counts.contents * 8));
  const contents = new Contents(growingUint32(words32(counts.contents * 4)), growingUint32(words32(counts.contents)), growingFloat64(storedBytes));
  const changedRows = growingUint32(words32(counts.changes));
  const changedContents = growingUint32(words32(counts.changes));
  const blobOf = words32(counts.commits);
  const ends = words32(counts.steps * 4);
  const kinds = growingBytes(new Uint8Array(take(counts.changes)));
  const blobAt = (place: number | undefined) => (place === undefined || place === 0 ? null : (json.blobs[place - 1] ?? null));
  const blobs = new Map<CommitHash, string | null>();
  for (let index = 0; index < counts.commits; index++) {
    blobs.set(v.parse(commitHash, json.commits.slice(index * json.hashLength, (index + 1) * json.hashLength)), blobAt(blobOf[index]));
  }
  const steps = new Map<string, Step>();
  const keyAt = (step: number) => `${blobAt(ends[step * 4]) ?? ''}:${blobAt(ends[step * 4 + 1]) ?? ''}`;
  for (let step = 0; step * 4 < ends.length; step++) steps.set(keyAt(step), { start: ends[step * 4 + 2] ?? 0, end: ends[step * 4 + 3] ?? 0 });
  const renames = new Map<string, RowRename[]>();
  for (const [step, from, to] of json.renames) renames.set(keyAt(step), [...(renames.get(keyAt(step)) ?? []), { from, to }]);
  return new TimelineStore({
    rows: new Names(json.rows),
    forms: new Names(json.forms),
    updateTypes: new Names(json.updateTypes),
    bases: new Names(json.bases),
    contents,
    changed: { rows: changedRows, kinds, contents: changedContents },
    steps,
    renames,
    blobs,
    storages: new Map(Object.entries(json.storages)),
    errors: new Map(Object.entries(json.errors)),
  });
}

function aligned(length: number): number {
  return Math.ceil(length / EIGHT) * EIGHT;
}

function asBytes(column: ArrayBufferView): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length % EIGHT === 0) return bytes;
  const longer = new Uint8Array(aligned(bytes.length));
  longer.set(bytes);
  return longer;
}

/** Removes the timelines that were not looked at the longest until the new one has room. */
async function makeRoom(folder: string, needed: number): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).filter((name) => name.endsWith('.bin')).map(async (name) => ({ path: join(folder, name), info: await stat(join(folder, name)) })),
  );
  files.sort((a, b) => a.info.mtimeMs - b.info.mtimeMs);
  let total = needed + files.reduce((sum, { info }) => sum + info.size, 0);
  for (const { path, info } of files) {
    if (total <= MAX_FILE_BYTES) return;
    await rm(path, { force: true });
    total -= info.size;
  }
}
