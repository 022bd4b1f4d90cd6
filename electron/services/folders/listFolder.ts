import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Output } from '../../../shared/contract/requests';
import { fileError } from '../../bytes/fileError';
import { pathExists } from '../../bytes/pathExists';

type Listing = Output<'folders/list'>;
/** More entries than anybody scrolls through in a picker. */
const MAX_ENTRIES = 2000;

/** Folders (repositories marked) and files of a folder on the host's machine, folders first, for the picker of the served host; of a file's folder, for a file. */
export async function listFolder(path: string, showHidden: boolean): Promise<Listing> {
  const asked = resolve(path);
  let folder = asked;
  let names: string[];
  try {
    const info = await stat(asked);
    if (info.isFile()) folder = dirname(asked);
    else if (!info.isDirectory()) throw new CheckpointError('invalid-request', `${asked} is neither a folder nor a file.`);
    names = await readdir(folder);
  } catch (error) {
    throw fileError(error, folder);
  }
  const shown = names.filter((name) => showHidden || !name.startsWith('.')).sort((a, b) => a.localeCompare(b, 'en', { numeric: true, sensitivity: 'base' }));
  const entries = await Promise.all(shown.slice(0, MAX_ENTRIES).map((name) => listEntry(folder, name)));
  const known = entries.filter((entry) => entry !== null);
  const folders = known.filter((entry) => entry.kind !== 'file');
  const parent = dirname(folder);
  return {
    path: folder,
    file: folder === asked ? null : asked,
    parent: parent === folder ? null : parent,
    entries: [...folders, ...known.filter((entry) => entry.kind === 'file')],
    omitted: Math.max(0, shown.length - MAX_ENTRIES),
  };
}

/** `null` for what is neither file nor folder, or has gone in the meantime. */
async function listEntry(folder: string, name: string): Promise<Listing['entries'][number] | null> {
  const path = join(folder, name);
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory()) return { name, path, kind: (await isRepository(path)) ? 'repository' : 'folder', bytes: null };
  return info?.isFile() ? { name, path, kind: 'file', bytes: info.size } : null;
}

/** A work tree (`.git` folder or file), or a bare repository. */
async function isRepository(path: string): Promise<boolean> {
  const exists = (name: string) => pathExists(join(path, name));
  return (await exists('.git')) || ((await exists('HEAD')) && (await exists('objects')) && (await exists('refs')));
}
