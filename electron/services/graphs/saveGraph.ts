import { createHash } from 'node:crypto';
import { rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import type { ByteSource } from '../../bytes/byteSource';
import { fileIdentity } from '../../bytes/fileIdentity';
import { openSource } from '../../bytes/openSource';
import { type Piece, piecesSource } from '../../bytes/pieces';
import { readInto } from '../../bytes/readInto';
import { openModelRef, writtenSince } from '../../onnx/model/modelRef';
import type { WorkerPool } from '../../workers/workerPool';
import { checkDestination } from '../exporter/checkDestination';
import { corruptError } from '../exporter/copyOriginal';
import { withPartialFile } from '../exporter/partialFile';
import { removeStalePartials } from '../exporter/removeStalePartials';
import { externalFiles } from './externalFiles';
import { holdsSame } from './holdsSame';
import { modelRefOf, type OpenGraph } from './openGraph';

const BLOCK_BYTES = 4 * 1024 * 1024;

export interface SaveOptions {
  /** Absolute path. */
  readonly path: string;
  readonly overwrite: boolean;
  readonly pool: WorkerPool;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface SavedGraph {
  readonly path: string;
  readonly bytes: number;
  /** New and copied files of external data, beside the model. */
  readonly files: string[];
}

/**
 * Writes the model as it is after its edits, its external data first, so that a model is never there without its data. Every file is made
 * beside its destination, read again, and takes its name when it is whole; what cannot be finished leaves what was there, and no new file.
 * External data that is at its place already is left as it is when it is the same, and never replaced when it is not.
 * @throws CheckpointError conflict when a file that the model is made of has been written since; exists, no-space, permission, cancelled ...
 */
export async function saveGraph(graph: OpenGraph, options: SaveOptions): Promise<SavedGraph> {
  const { path, signal } = options;
  await checkUnchanged(graph);
  await checkDigest(graph, options);
  await checkDestination(path, { overwrite: options.overwrite, bytes: 0 });
  const step = graph.at === 0 ? undefined : graph.steps[graph.at - 1];
  const files: string[] = [];
  /** What is removed again when the model cannot be written. */
  const made: string[] = [];
  const add = async (target: string, open: () => Promise<ByteSource>) => {
    if (!(await writeData(graph, await open(), { ...options, path: target }))) return;
    files.push(target);
    made.push(target);
  };
  try {
    for (const { name, pieces } of step?.files ?? []) await add(join(dirname(path), name), () => openPieces(graph, pieces));
    const fresh = (step?.files ?? []).map(({ name }) => name);
    for await (const { origin, target, folders } of externalFiles(graph, { to: dirname(path), fresh, signal })) {
      made.push(...folders);
      await add(target, () => openSource({ kind: 'file', path: origin }));
    }
    throwIfCancelled(signal);
    const source = await openModelRef(modelRefOf(graph));
    const bytes = source.length;
    await write(graph, source, options).finally(() => source.close());
    return { path, bytes, files };
  } catch (error) {
    // Nothing refers to them.
    for (const each of made.reverse()) await remove(each);
    throw error;
  }
}

/** A file, or a folder when nothing is in it. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch(() => rmdir(path).catch(() => {}));
}

/** The files that the model is made of are those that the edits were planned for. */
async function checkUnchanged(graph: OpenGraph): Promise<void> {
  const { file } = graph;
  if ((await fileIdentity(file.path)).identity !== file.identity) throw writtenSince(file.name);
  const step = graph.at === 0 ? undefined : graph.steps[graph.at - 1];
  for (const [path, identity] of step?.sources ?? []) if ((await fileIdentity(path)).identity !== identity) throw writtenSince(path);
}

async function checkDigest({ file }: OpenGraph, { pool, signal }: SaveOptions): Promise<void> {
  if (file.expected === null) return;
  const found = await pool.run('fileDigest', { file: file.path, kind: file.expected.kind }, { signal });
  if (found.digest !== file.expected.digest) throw corruptError(file.expected, found, { kind: 'file', path: file.path }).at({ file: file.name });
}

async function openPieces({ file }: OpenGraph, pieces: readonly Piece[]): Promise<ByteSource> {
  return piecesSource(await openSource({ kind: 'file', path: file.path }), pieces, file.name);
}

/**
 * @returns whether the file was written: not when it is there, the same
 * @throws CheckpointError conflict when it holds something else
 */
async function writeData(graph: OpenGraph, source: ByteSource, options: SaveOptions): Promise<boolean> {
  const { path } = options;
  try {
    if (await holdsSame(path, source, options.signal)) return false;
    await write(graph, source, { ...options, overwrite: false });
    return true;
  } catch (error) {
    if (!isCheckpointError(error, 'exists')) throw error;
    // Another model may need what is there, so that no answer about the model's own file is one about this one.
    throw new CheckpointError('conflict', `${path} exists already and holds something else; a file of external data is never replaced.`, {
      place: { file: path },
      hint: 'Save the model in another folder, or remove the file if nothing needs it.',
      cause: error,
    });
  } finally {
    await source.close();
  }
}

/** Writes all of a source; the caller closes it. */
async function write(graph: OpenGraph, source: ByteSource, { path, overwrite, pool, signal, onProgress }: SaveOptions): Promise<void> {
  const bytes = source.length;
  const destination = await checkDestination(path, { overwrite, bytes });
  await removeStalePartials(destination);
  await withPartialFile(destination, bytes, async (partial) => {
    const hash = createHash('sha256');
    const block = new Uint8Array(Math.min(BLOCK_BYTES, bytes));
    for (let at = 0; at < bytes; at += block.byteLength) {
      throwIfCancelled(signal);
      const part = block.subarray(0, Math.min(block.byteLength, bytes - at));
      await readInto(source, at, part);
      hash.update(part);
      for (let done = 0; done < part.byteLength; ) done += (await partial.handle.write(part, done, part.byteLength - done, at + done)).bytesWritten;
      onProgress({ phase: `Writing ${basename(path)}`, done: at + part.byteLength, total: bytes, unit: 'bytes' });
    }
    const found = await pool.run('fileDigest', { file: partial.path, kind: 'sha256' }, { signal });
    if (found.digest !== hash.digest('hex'))
      throw new CheckpointError('internal', 'The file read back differently from what was written.', { place: { file: path } });
    // What was read above may have been half the old content and half a new one.
    await checkUnchanged(graph);
    throwIfCancelled(signal);
    await partial.publish();
  });
}
