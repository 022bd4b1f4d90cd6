import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';
import { literalPathspecs, nulFields, nulInput, requirePaths } from './writerPaths';

/**
 * Looks at what the index has for some paths, conflicts included. @returns what puts just that back; writes nothing where it is there still
 * @throws conflict, permission, no-space
 */
export async function rememberIndex(context: WriterContext, paths: readonly string[]): Promise<() => Promise<void>> {
  requirePaths(paths);
  const before = await linesOf(context, paths);
  return async () => {
    const now = await linesOf(context, paths);
    const lines = paths.flatMap((path) => {
      const [was, is] = [before.get(path) ?? [], now.get(path) ?? []];
      return was.join('\0') === is.join('\0') ? [] : [...removal(path, was[0] ?? is[0] ?? ''), ...was];
    });
    if (lines.length > 0) await runWriter(context, ['update-index', '--replace', '-z', '--index-info'], { what: 'put the index back', input: nulInput(lines) });
  };
}

/** Of all stages, without which entries of a conflict would stay. */
function removal(path: string, line: string): readonly string[] {
  const [, oid = ''] = line.split(' ');
  return [`0 ${'0'.repeat(oid.length)}\t${path}`];
}

/** Entries by path, in the form that `update-index --index-info` takes. */
async function linesOf(context: WriterContext, paths: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>(paths.map((path) => [path, []]));
  for (const group of literalPathspecs(paths)) {
    const { output } = await runWriter(context, ['ls-files', '-s', '-z', '--full-name', '--', ...group], { what: 'read the index' });
    // A pathspec that is a folder lists what is in it.
    for (const line of nulFields(output)) found.get(line.slice(line.indexOf('\t') + 1))?.push(line);
  }
  return found;
}
