import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import { fileError } from '../../bytes/fileError';
import { openSource } from '../../bytes/openSource';
import { type Piece, piecesLength, piecesSource } from '../../bytes/pieces';
import { readInto } from '../../bytes/readInto';
import { openModelRef } from '../../onnx/model/modelRef';
import { readModel } from '../../onnx/model/readModel';
import type { WorkerPool } from '../../workers/workerPool';
import { fileIdentity } from '../comparer/fileIdentity';
import { checkDestination } from '../exporter/checkDestination';
import { copyOriginal, corruptError } from '../exporter/copyOriginal';
import { withPartialFile } from '../exporter/partialFile';
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
 * beside its destination and takes its name when it is whole; what cannot be finished leaves what was there.
 * @throws CheckpointError conflict when the file that was opened has been written since; exists, no-space, permission, cancelled ...
 */
export async function saveGraph(graph: OpenGraph, options: SaveOptions): Promise<SavedGraph> {
  const { path, signal } = options;
  await checkUnchanged(graph, options);
  const step = graph.at === 0 ? undefined : graph.steps[graph.at - 1];
  const folder = dirname(path);
  const files: string[] = [];
  for (const { name, pieces } of step?.files ?? []) {
    const file = join(folder, name);
    await writePieces(graph, pieces, { ...options, path: file, overwrite: false });
    files.push(file);
  }
  files.push(...(await copyExternal(graph, { ...options, fresh: new Set(files) })));
  throwIfCancelled(signal);
  const pieces = step?.pieces ?? [{ kind: 'copy' as const, offset: 0, length: (await stat(graph.file.path)).size }];
  return { path, bytes: await writePieces(graph, pieces, options), files };
}

async function checkUnchanged({ file }: OpenGraph, { pool, signal }: SaveOptions): Promise<void> {
  const { identity } = await fileIdentity(file.path);
  if (identity !== file.identity) {
    throw new CheckpointError('conflict', `${file.name} was written by another program after it was opened.`, {
      place: { file: file.name },
      hint: 'Open it again and repeat the edits.',
    });
  }
  if (file.expected === null) return;
  const found = await pool.run('fileDigest', { file: file.path, kind: file.expected.kind }, { signal });
  if (found.digest !== file.expected.digest) throw corruptError(file.expected, found, { kind: 'file', path: file.path }).at({ file: file.name });
}

async function writePieces(graph: OpenGraph, pieces: readonly Piece[], { path, overwrite, signal, onProgress }: SaveOptions): Promise<number> {
  const bytes = piecesLength(pieces);
  const destination = await checkDestination(path, { overwrite, bytes });
  const source = piecesSource(await openSource({ kind: 'file', path: graph.file.path }), pieces, graph.file.name);
  try {
    await withPartialFile(destination, bytes, async (partial) => {
      const block = new Uint8Array(Math.min(BLOCK_BYTES, bytes));
      for (let at = 0; at < bytes; at += block.byteLength) {
        throwIfCancelled(signal);
        const part = block.subarray(0, Math.min(block.byteLength, bytes - at));
        await readInto(source, at, part);
        for (let done = 0; done < part.byteLength; ) done += (await partial.handle.write(part, done, part.byteLength - done, at + done)).bytesWritten;
        onProgress({ phase: `Writing ${basename(path)}`, done: at + part.byteLength, total: bytes, unit: 'bytes' });
      }
      await partial.publish();
    });
  } finally {
    await source.close();
  }
  return bytes;
}

/** External data that the model still refers to, when it goes to another folder. */
async function copyExternal(graph: OpenGraph, options: SaveOptions & { readonly fresh: ReadonlySet<string> }): Promise<string[]> {
  const from = graph.file.folder;
  const to = dirname(options.path);
  const source = await openModelRef(modelRefOf(graph));
  const model = await readModel(source, { file: graph.file.name, signal: options.signal }).finally(() => source.close());
  const locations = new Set(model.graphs.flatMap(({ initializers }) => initializers.flatMap(({ external }) => (external === null ? [] : [external.location]))));
  const copied: string[] = [];
  for (const location of locations) {
    const target = join(to, location);
    if (location === '' || options.fresh.has(target) || from === to) continue;
    if (from === null) {
      throw new CheckpointError('unsupported-format', `Values of the model lie in ${location}, which is not part of the version that was opened.`, {
        place: { file: graph.file.name },
        hint: 'Check the version out, open the model from the working tree, and save it there.',
      });
    }
    const origin = join(from, location);
    const inside = relative(from, origin);
    if (isAbsolute(location) || inside.startsWith('..'))
      throw new CheckpointError('invalid-request', `The model refers to ${location}, which lies outside its folder.`, { place: { file: graph.file.name } });
    const size = await stat(origin).then(
      (info) => info.size,
      (error: unknown) => {
        throw fileError(error, origin);
      },
    );
    await copyOriginal({ ...options, source: { kind: 'file', path: origin }, bytes: size, expected: null, destination: target, overwrite: false });
    copied.push(target);
  }
  return copied;
}
