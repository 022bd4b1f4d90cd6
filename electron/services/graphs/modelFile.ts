import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Side } from '../../../shared/model/side';
import { fileError } from '../../bytes/fileError';
import { fileIdentity } from '../../bytes/fileIdentity';
import type { WorkerPool } from '../../workers/workerPool';
import { isPlan, type OpenedCheckpoint } from '../checkpoints/openedCheckpoint';
import type { SideOpener } from '../comparer/openSide';
import type { ExpectedDigest } from '../exporter/copyOriginal';
import { exportVersion } from '../exportVersion';

/** A model on disk. */
export interface ModelFile {
  /** What people call it: the path in the repository, or on the host. */
  readonly name: string;
  readonly path: string;
  /** `fileIdentity` when it was opened. */
  readonly identity: string;
  /** Folder beside which external data is looked for: that of the user's file; `null` for a version in git. */
  readonly folder: string | null;
  /** What the file must hash to, where git or an LFS pointer promises it. */
  readonly expected: ExpectedDigest | null;
  /** Parameter groups whose values lie in other files, as the checkpoint found them. */
  readonly external: readonly { readonly group: string; readonly path: string }[];
}

export interface ModelFileOptions {
  readonly opener: SideOpener;
  readonly pool: WorkerPool;
  /** Made when a version must be reconstructed; the caller removes it. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/**
 * The model of a side as a file. Its content is verified where git or an object id promises it.
 * @throws CheckpointError unsupported-format when it is no ONNX model, and what opening a version or reconstructing it throws
 */
export async function modelFile(side: Side, { opener, pool, scratch, signal }: ModelFileOptions): Promise<ModelFile> {
  const { opened } = await opener.open(side, signal);
  const name = side.path;
  const external = externalOf(opened);
  if (opened.format !== 'onnx') {
    throw new CheckpointError('unsupported-format', `Only ONNX models hold a computation graph; ${name} is a checkpoint of parameter groups alone.`, {
      place: { file: name },
      hint: 'Export the model to ONNX to see its graph.',
    });
  }
  if (opened.original !== null) {
    const { path, expected } = opened.original;
    const { identity } = await fileIdentity(path);
    return { name, path, identity, folder: opened.storage === 'file' ? dirname(path) : null, expected, external };
  }
  await mkdir(scratch, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw fileError(error, scratch);
  });
  const path = join(scratch, basename(name));
  await exportVersion(opened, { destination: path, format: null, overwrite: true, pool, signal, onProgress: () => {} });
  return { name, path, identity: (await fileIdentity(path)).identity, folder: null, expected: null, external };
}

function externalOf({ groups, original }: OpenedCheckpoint): ModelFile['external'] {
  return [...groups.values()].flatMap(({ plan, group }) => {
    const inFile = isPlan(plan) && plan.kind === 'ref' && plan.ref.source.kind === 'file' ? plan.ref.source.path : null;
    return inFile === null || inFile === original?.path ? [] : [{ group: group.name, path: inFile }];
  });
}
