import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';
import { literalPathspecs, requirePaths } from './writerPaths';

/** Gives paths of the index what HEAD has, or takes them out of it; on an unborn branch HEAD has nothing. @throws conflict, permission, no-space */
export async function unstageFiles(context: WriterContext, paths: readonly string[]): Promise<void> {
  requirePaths(paths);
  for (const group of literalPathspecs(paths)) await runWriter(context, ['reset', '-q', '--', ...group], { what: 'take files out of the index' });
}
