import { resolve } from 'node:path';
import { filterProcess } from './filterProcess';
import type { Terminal } from './session';
import { exitCodeOf, startThreads, withSession } from './withSession';

/** `theta filter-process` by itself, the same as `run` makes of it: git starts it for every add, checkout and status, and waits for it. */
export async function run(_: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const options = { terminal, folder: resolve('.'), backend: 'auto', createPool: startThreads, once: true } as const;
    return await withSession(options, (session) => filterProcess(session, terminal.streams()));
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}
