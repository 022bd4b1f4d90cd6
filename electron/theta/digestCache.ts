import { appendFile, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { readSmallFile } from '../bytes/readSmallFile';
import { chainKey } from '../updates/chainKey';
import type { UpdateChain } from '../updates/updateChain';

/** About 350,000 values; a larger file is begun anew, because nothing in it is needed. */
const MAX_FILE_BYTES = 48 * 1024 * 1024;
const LINE = /^([0-9a-f]{64}) ([0-9a-f]{64}) ([0-9a-f]{8})$/;

/**
 * SHA-256 of reconstructed values by what they are reconstructed from, so that an unchanged group is recognised without touching its objects.
 * A file of lines beside the repository; safe to delete, shared by all processes, and bounded.
 */
export interface DigestCache {
  /** Digest of the value of a chain; `null` when it is not known. */
  get(chain: UpdateChain): Promise<string | null>;
  /** Remembers digests; written with the next `save`. */
  set(chain: UpdateChain, sha256: string): void;
  /** Writes what was added. Never fails: a cache that cannot be written costs time only. */
  save(): Promise<void>;
}

export function createDigestCache(file: string): DigestCache {
  let loaded: Promise<Map<string, string>> | null = null;
  const added = new Map<string, string>();
  const load = () => {
    loaded ??= readLines(file);
    return loaded;
  };
  return {
    async get(chain) {
      const key = chainKey(chain);
      return added.get(key) ?? (await load()).get(key) ?? null;
    },
    set(chain, sha256) {
      added.set(chainKey(chain), sha256);
    },
    async save() {
      const known = await load();
      const lines = [...added].filter(([key, digest]) => known.get(key) !== digest).map(([key, digest]) => lineOf(key, digest));
      for (const [key, digest] of added) known.set(key, digest);
      added.clear();
      if (lines.length > 0) await append(file, lines.join('')).catch(() => {});
    },
  };
}

/** A line that was torn by a crash, or damaged, must not make two different values look equal: each has a checksum. */
function lineOf(key: string, digest: string): string {
  return `${key} ${digest} ${checksum(key, digest)}\n`;
}

function checksum(key: string, digest: string): string {
  return crc32(`${key}${digest}`).toString(16).padStart(8, '0');
}

async function readLines(file: string): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  const text = await readSmallFile(file, MAX_FILE_BYTES * 2).then(
    (bytes) => Buffer.from(bytes).toString('latin1'),
    () => '',
  );
  for (const line of text.split('\n')) {
    const [, key, digest, check] = LINE.exec(line) ?? [];
    if (key !== undefined && digest !== undefined && check === checksum(key, digest)) digests.set(key, digest);
  }
  return digests;
}

async function append(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const size = await stat(file).then(
    ({ size: bytes }) => bytes,
    () => 0,
  );
  if (size <= MAX_FILE_BYTES) return appendFile(file, text);
  const fresh = `${file}.${process.pid}.partial`;
  await writeFile(fresh, text);
  await rename(fresh, file);
}
