import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../../bytes/systemCode';
import { STAT_BYTES, scanIndex } from '../../index/scanIndex';
import { indexLockPath } from './indexLock';

/** An entry of the index and the file of the work tree whose stat data it is to get. */
export interface StatPatch {
  readonly path: string;
  readonly oid: string;
  readonly stat: BigIntStats;
}

const ATTEMPTS = 10;
const ATTEMPT_DELAY = 50;

/**
 * Enters the stat data of files into the index, as `git add` does after it has run a filter, so that git sees them unchanged without running
 * it. Only entries of stage 0 with the wanted blob are touched; everything else stays byte for byte. Holds `index.lock` while it writes.
 * @returns false when nothing was written: a foreign lock, a split or sparse index, a symbolic link. Then git runs the filter once more,
 *   which costs time and is otherwise as good.
 */
export async function patchIndexStat(gitDir: string, patches: readonly StatPatch[]): Promise<boolean> {
  const index = join(gitDir, 'index');
  const lock = indexLockPath(gitDir);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await lstat(index);
    if (!found.isFile()) return false;
    const handle = await open(lock, 'wx', found.mode & 0o777).catch((error: unknown) => {
      if (systemCode(error) === 'EEXIST') return null;
      throw error;
    });
    if (handle === null) {
      await delay(ATTEMPT_DELAY);
      continue;
    }
    try {
      const patched = patchedIndex(await readFile(index), patches, index);
      if (patched !== null) {
        await handle.writeFile(patched);
        // A group that shares the repository must be able to read it, whatever the umask.
        if (process.platform !== 'win32') await handle.chmod(found.mode & 0o777);
        await handle.sync();
      }
      await handle.close();
      if (patched !== null) await rename(lock, index);
      else await unlink(lock);
      return patched !== null;
    } catch (error) {
      await handle.close().catch(() => {});
      await unlink(lock).catch(() => {});
      throw error;
    }
  }
  return false;
}

/** The index with the stat data entered and its checksum renewed; `null` when it has no such entries, or keeps some in another file. */
export function patchedIndex(bytes: Buffer, patches: readonly StatPatch[], file: string): Buffer | null {
  const wanted = new Map(patches.map((patch) => [patch.path, patch]));
  const hashBytes = (patches[0]?.oid.length ?? 0) / 2;
  const { entries, complete } = scanIndex(bytes, (name) => wanted.has(name.toString('utf8')), { file, hashBytes });
  if (!complete) return null;
  const data = Buffer.from(bytes);
  let count = 0;
  for (const { start, flags, name } of entries) {
    const patch = wanted.get(name.toString('utf8'));
    const stage = (flags >> 12) & 3;
    if (patch === undefined || stage !== 0 || data.toString('hex', start + STAT_BYTES, start + STAT_BYTES + hashBytes) !== patch.oid) continue;
    writeStat(data, start, patch.stat);
    count++;
  }
  if (count === 0) return null;
  const end = data.length - hashBytes;
  // Zeros instead of a checksum: index.skipHash.
  if (data.subarray(end).some((byte) => byte !== 0)) {
    createHash(hashBytes === 20 ? 'sha1' : 'sha256')
      .update(data.subarray(0, end))
      .digest()
      .copy(data, end);
  }
  return data;
}

const BILLION = 1_000_000_000n;

/** Ten numbers of 32 bits, cut as git cuts them (gitformat-index(5)); the mode between them is git's own. */
function writeStat(data: Buffer, start: number, stat: BigIntStats): void {
  // git for Windows takes the time of creation, and knows no device, inode or owner.
  const windows = process.platform === 'win32';
  const changed = windows ? stat.birthtimeNs : stat.ctimeNs;
  const put = (offset: number, value: bigint) => data.writeUInt32BE(Number(BigInt.asUintN(32, value)), start + offset);
  put(0, changed / BILLION);
  put(4, changed % BILLION);
  put(8, stat.mtimeNs / BILLION);
  put(12, stat.mtimeNs % BILLION);
  put(16, windows ? 0n : stat.dev);
  put(20, windows ? 0n : stat.ino);
  put(28, windows ? 0n : stat.uid);
  put(32, windows ? 0n : stat.gid);
  // 0 for a multiple of 4 GiB, which git does not trust: it runs the filter then. (Newer versions keep a number of their own for these.)
  put(36, stat.size);
}
