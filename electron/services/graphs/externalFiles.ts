import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { allTensors } from '../../onnx/edits/allTensors';
import { openModelRef } from '../../onnx/model/modelRef';
import { readModel } from '../../onnx/model/readModel';
import { diskSiblings } from '../checkpoints/diskSiblings';
import { shownLocation, siblingParts } from '../checkpoints/siblingParts';
import { modelRefOf, type OpenGraph } from './openGraph';

export interface ExternalFile {
  readonly origin: string;
  readonly target: string;
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
}

export interface ExternalOptions {
  /** Folder that the model goes to. */
  readonly to: string;
  /** Locations of files that are written with the model. */
  readonly fresh: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * The files of external data that a model refers to and that must be copied, one after the other, when it goes to another folder. None when it
 * stays where it is.
 * @throws CheckpointError invalid-request for one that lies outside the model's folder, or would; unsupported-format when the model has none
 */
export async function* externalFiles(graph: OpenGraph, { to, fresh, signal }: ExternalOptions): AsyncGenerator<ExternalFile> {
  const { file } = graph;
  const source = await openModelRef(modelRefOf(graph));
  const model = await readModel(source, { file: file.name, signal }).finally(() => source.close());
  const locations = new Set<string>();
  for (const { tensor } of allTensors(model)) if (tensor.external !== null) locations.add(tensor.external.location);
  for (const name of fresh) locations.delete(name);
  if (locations.size === 0) return;
  const folder = await realpath(to).catch((error: unknown) => {
    throw fileError(error, to);
  });
  if (file.folder !== null && (await realpath(file.folder).catch(() => null)) === folder) return;
  for (const location of locations) {
    if (file.folder === null) {
      throw new CheckpointError(
        'unsupported-format',
        `Values of the model lie in ${shownLocation(location)}, which is not part of the version that was opened.`,
        {
          place: { file: file.name },
          hint: 'Check the version out, open the model from the working tree, and save it there.',
        },
      );
    }
    const parts = siblingParts(location);
    const { path: origin } = await diskSiblings(file.path)(location);
    const target = join(folder, ...parts);
    await refuseOutside(await existing(dirname(target)), folder, location);
    const made = await mkdir(dirname(target), { recursive: true }).catch((error: unknown) => {
      throw fileError(error, dirname(target));
    });
    yield { origin, target, folders: made === undefined ? [] : foldersBetween(made, dirname(target)) };
  }
}

function foldersBetween(outer: string, inner: string): string[] {
  return inner.length <= outer.length ? [outer] : [...foldersBetween(outer, dirname(inner)), inner];
}

/** The innermost folder on the way that is there. */
async function existing(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  return real ?? existing(dirname(path));
}

async function refuseOutside(path: string, folder: string, location: string): Promise<void> {
  const way = relative(folder, path);
  if (way !== '..' && !way.startsWith(`..${sep}`)) return;
  throw new CheckpointError('invalid-request', `A link leads out of ${folder}, so ${shownLocation(location)} was not written there.`, {
    place: { file: path },
  });
}
