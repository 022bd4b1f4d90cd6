import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeUtf8 } from '../decodeText';
import type { RepositoryPlace } from '../gitRepository';
import type { IndexEntry, IndexSnapshot } from '../index/indexEntry';
import { type GitCommand, runGit } from './gitProcess';

const SKIP_WORKTREE = 0x40000000;
/** Paths a command line can hold on every system. */
const CHUNK = 200;

/**
 * Index entries of some paths through `git ls-files --stage --debug -z`, which also reads split and sparse indexes and
 * touches no file of the work tree. The stat data after each name is meant for people: where it cannot be read, the entry
 * gets zeros, which agree with no file.
 */
export async function readNativeIndex(command: GitCommand, place: RepositoryPlace, paths: readonly string[]): Promise<IndexSnapshot> {
  const written = await stat(join(place.gitDir, 'index'), { bigint: true }).catch(() => null);
  const nanoseconds = written?.mtimeNs ?? 0n;
  const entries = new Map<string, IndexEntry[]>();
  for (let i = 0; i < paths.length; i += CHUNK) {
    const args = ['ls-files', '--stage', '--debug', '--full-name', '-z', '--', ...paths.slice(i, i + CHUNK)];
    const { output } = await runGit(command, args, { what: 'read the index' });
    for (const entry of parseListing(output)) entries.set(entry.path, [...(entries.get(entry.path) ?? []), entry]);
  }
  return { entries, writtenSeconds: Number(nanoseconds / 1_000_000_000n), writtenNanoseconds: Number(nanoseconds % 1_000_000_000n) };
}

/** `mode oid stage TAB path NUL`, then lines of stat data up to the next entry. */
function* parseListing(output: Buffer): Generator<IndexEntry> {
  let position = 0;
  while (position < output.length) {
    const nul = output.indexOf(0, position);
    if (nul === -1) return;
    const tab = output.indexOf(0x09, position);
    const head = /^([0-7]+) ([0-9a-f]{40,64}) ([0-3])$/.exec(output.toString('latin1', position, tab));
    const debug = /^ {2}ctime: .*\n {2}mtime: (\d+):(\d+)\n {2}dev: .*\n {2}uid: .*\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n/.exec(
      output.toString('latin1', nul + 1, nul + 400),
    );
    if (head === null) return;
    const [, mode = '', oid = '', stage = ''] = head;
    yield {
      path: decodeUtf8(output.subarray(tab + 1, nul)),
      stage: Number(stage),
      mode: Number.parseInt(mode, 8),
      oid,
      mtimeSeconds: Number(debug?.[1] ?? 0),
      mtimeNanoseconds: Number(debug?.[2] ?? 0),
      size: Number(debug?.[3] ?? 0),
      skipWorkTree: (Number.parseInt(debug?.[4] ?? '0', 16) & SKIP_WORKTREE) !== 0,
    };
    position = nul + 1 + (debug?.[0].length ?? 0);
  }
}
