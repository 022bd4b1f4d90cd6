import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfCancelled } from '../../../../shared/contract/cancelled';
import { CheckpointError } from '../../../../shared/contract/errors';
import { fileError } from '../../../bytes/fileError';
import type { PreparedFile } from '../../gitWriter';
import { refuseIgnored, refuseOtherSpelling, requireOwnFiles, requireThetaAttribute } from './checkStageable';
import { coreSettings } from './coreSettings';
import { patchIndexStat } from './patchIndexStat';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';
import { literalPathspecs, nulFields, nulInput, requirePaths } from './writerPaths';

/**
 * Puts prepared contents into the index as `git add` with our filter would: blobs first, then all entries at once, then the stat data of the
 * files, so that nothing is filtered again. (`git add` itself cannot be told to take a prepared content: a configured
 * `filter.theta.process` cannot be unset on the command line, an empty one switches the whole filter off, and one that answers with prepared
 * contents is still sent the whole file.)
 * @throws invalid-request (ignored, not a regular file of this repository), internal (not filter=theta), not-found, conflict, permission, no-space
 */
export async function stageFiles(context: WriterContext, files: readonly PreparedFile[], signal?: AbortSignal): Promise<void> {
  const paths = files.map((file) => file.path);
  requirePaths(paths);
  await requireOwnFiles(context, paths);
  const [settings] = await Promise.all([coreSettings(context), refuseIgnored(context, paths, signal), requireThetaAttribute(context, paths, signal)]);
  if (settings.ignoreCase) await refuseOtherSpelling(context, paths);
  const oids = await writeBlobs(context, files, signal);
  const stats = await Promise.all(files.map((file) => statOf(context, file.path)));
  const modes = await modesOf(context, paths, { stats, fileMode: settings.fileMode });
  const zero = '0'.repeat(oids[0]?.length ?? 40);
  throwIfCancelled(signal);
  // Entries of a conflict go first: the new one does not replace them by itself.
  const lines = files.flatMap(({ path }, i) => [`0 ${zero}\t${path}`, `${modes[i]} ${oids[i]}\t${path}`]);
  await runWriter(context, ['update-index', '--replace', '-z', '--index-info'], { what: 'stage the files', input: nulInput(lines), signal });
  // Where the file is no longer the one that the content was made of, git has to look for itself.
  const patches = files.flatMap(({ path, seen }, i) => {
    const [stat, oid] = [stats[i], oids[i]];
    return stat === undefined || oid === undefined || (seen !== undefined && !sameFile(stat, seen)) ? [] : [{ path, oid, stat }];
  });
  if (patches.length > 0) await enterStats(context, patches);
}

/** The files are staged by now: what goes wrong here costs a run of the filter, nothing else. */
async function enterStats(context: WriterContext, patches: Parameters<typeof patchIndexStat>[1]): Promise<void> {
  await patchIndexStat(context.place.gitDir, patches).catch(() => false);
}

async function writeBlobs(context: WriterContext, files: readonly PreparedFile[], signal: AbortSignal | undefined): Promise<readonly string[]> {
  const oids: string[] = [];
  for (const { path, content } of files) {
    await lstat(content).catch((error: unknown) => {
      throw fileError(error, content);
    });
    const { output } = await runWriter(context, ['hash-object', '-w', '-t', 'blob', '--no-filters', '--', content], {
      what: `store what was prepared for ${path}`,
      signal,
    });
    oids.push(output.toString('latin1').trim());
  }
  return oids;
}

function statOf(context: WriterContext, path: string): Promise<BigIntStats> {
  const file = join(context.workTree, path);
  return lstat(file, { bigint: true }).catch((error: unknown) => {
    throw fileError(error, file);
  });
}

/** git keeps only whether the owner may execute a file; where the file system cannot say, what the index has. */
async function modesOf(
  context: WriterContext,
  paths: readonly string[],
  { stats, fileMode }: { stats: readonly BigIntStats[]; fileMode: boolean },
): Promise<readonly string[]> {
  if (fileMode) return stats.map((stat) => ((stat.mode & 0o100n) === 0n ? '100644' : '100755'));
  const known = new Map<string, string>();
  for (const group of literalPathspecs(paths)) {
    const { output } = await runWriter(context, ['ls-files', '-s', '-z', '--full-name', '--', ...group], { what: 'read the index' });
    for (const line of nulFields(output)) known.set(line.slice(line.indexOf('\t') + 1), line.slice(0, 6));
  }
  return paths.map((path) => (known.get(path) === '100755' ? '100755' : '100644'));
}

function sameFile(now: BigIntStats, seen: BigIntStats): boolean {
  return now.ino === seen.ino && now.size === seen.size && now.mtimeNs === seen.mtimeNs && now.ctimeNs === seen.ctimeNs;
}

/**
 * `git add` of files as they are, deletions included.
 * @throws invalid-request (ignored, or nothing of that name), conflict, permission, no-space
 */
export async function stagePlainFiles(context: WriterContext, paths: readonly string[], signal?: AbortSignal): Promise<void> {
  requirePaths(paths);
  await refuseIgnored(context, paths, signal);
  for (const group of literalPathspecs(paths)) {
    await runWriter(context, ['add', '--', ...group], { what: 'stage the files', signal, explain: noSuchFile });
  }
}

function noSuchFile(stderr: string): CheckpointError | null {
  const path = /pathspec ':\(top,literal\)([\s\S]*?)' did not match any files/.exec(stderr)?.[1];
  return path === undefined ? null : new CheckpointError('not-found', `There is no such file in the work tree: ${path}`, { place: { file: path } });
}
