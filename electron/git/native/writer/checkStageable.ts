import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CheckpointError } from '../../../../shared/contract/errors';
import { fileError } from '../../../bytes/fileError';
import { pathExists } from '../../../bytes/pathExists';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';
import { nulFields, nulInput } from './writerPaths';

/**
 * Refuses what `git add` would refuse or take for something else: ignored files, files of a repository inside this one or behind a symbolic
 * link. @throws invalid-request
 */
export async function refuseIgnored(context: WriterContext, paths: readonly string[], signal?: AbortSignal): Promise<void> {
  const { output } = await runWriter(context, ['check-ignore', '-z', '-v', '--stdin'], {
    what: 'read the rules for ignored files',
    // It takes pathspecs, but none that are literal by magic or by environment; with this in front none of them has magic.
    input: nulInput(paths.map((path) => `./${path}`)),
    answers: [0, 1],
    signal,
  });
  const fields = nulFields(output);
  for (let i = 0; i + 3 < fields.length; i += 4) {
    const [source = '', line = '', pattern = '', name = ''] = fields.slice(i, i + 4);
    const path = name.replace(/^\.\//, '');
    // The rule that decides may be one that takes the file back in.
    if (pattern.startsWith('!')) continue;
    throw new CheckpointError('invalid-request', `git is told to ignore this file: ${path}`, {
      place: { file: path },
      hint: `Line ${line} of ${source} says "${pattern}". Remove the line, or add "!/${path}" below it.`,
    });
  }
}

/** @throws internal when git would not send one of the paths through our filter, so that the prepared content would be replaced at the next add */
export async function requireThetaAttribute(context: WriterContext, paths: readonly string[], signal?: AbortSignal): Promise<void> {
  const { output } = await runWriter(context, ['check-attr', '-z', '--stdin', 'filter'], {
    what: 'read attributes',
    input: nulInput(paths),
    signal,
  });
  const fields = nulFields(output);
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [path = '', , value = ''] = fields.slice(i, i + 3);
    if (value === 'theta') continue;
    throw new CheckpointError('internal', `The file is not tracked with filter=theta in .gitattributes: ${path}`, { place: { file: path } });
  }
}

/**
 * Refuses what is no regular file of this work tree itself. @throws not-found, invalid-request, permission
 */
export async function requireOwnFiles(context: WriterContext, paths: readonly string[]): Promise<void> {
  const root = await realpath(context.workTree);
  const foldersSeen = new Set<string>();
  for (const path of paths) {
    const file = join(context.workTree, path);
    const found = await lstat(file).catch((error: unknown) => {
      throw fileError(error, file);
    });
    if (!found.isFile()) throw new CheckpointError('invalid-request', `This is not a regular file: ${path}`, { place: { file: path } });
    for (let folder = dirname(path); folder !== '.' && !foldersSeen.has(folder); folder = dirname(folder)) {
      foldersSeen.add(folder);
      const real = await realpath(join(root, folder));
      if (real === join(root, folder) && !(await pathExists(join(real, '.git')))) continue;
      throw new CheckpointError('invalid-request', `The file is behind a symbolic link or in another repository inside this one: ${path}`, {
        place: { file: path },
        hint: `Open the folder "${folder}" instead.`,
      });
    }
  }
}

/** Where capitals make no difference, git knows a file by the spelling of the index. @throws invalid-request for another one */
export async function refuseOtherSpelling(context: WriterContext, paths: readonly string[]): Promise<void> {
  const folded = new Map(paths.map((path) => [path.toLowerCase(), path]));
  const listed = await runWriter(context, ['ls-files', '-z', '--full-name'], { what: 'read the index' });
  for (const name of nulFields(listed.output)) {
    const path = folded.get(name.toLowerCase());
    if (path === undefined || path === name) continue;
    throw new CheckpointError('invalid-request', `The repository has this file under another spelling, ${name}: ${path}`, { place: { file: path } });
  }
}
