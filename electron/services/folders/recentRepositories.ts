import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import type { Output } from '../../../shared/contract/requests';
import { pathExists } from '../../bytes/pathExists';
import { writeUserFile } from './writeUserFile';

const MAX_RECENT = 20;
const fileSchema = v.array(v.object({ path: v.string(), openedAt: v.number() }));
type Stored = v.InferOutput<typeof fileSchema>;

export interface RecentRepositories {
  list(): Promise<Output<'recent/list'>>;
  add(path: string): Promise<void>;
  forget(path: string): Promise<void>;
}

/** The repositories opened last, newest first, in a JSON file of the user's. A file that cannot be read is an empty list. */
export function createRecentRepositories(dataFolder: string): RecentRepositories {
  const file = join(dataFolder, 'recent.json');
  // One change after the other, so that two windows do not lose each other's.
  let last: Promise<void> = Promise.resolve();

  const read = async (): Promise<Stored> => {
    try {
      const parsed = v.safeParse(fileSchema, JSON.parse(await readFile(file, 'utf8')));
      return parsed.success ? parsed.output : [];
    } catch {
      return [];
    }
  };
  const change = (edit: (recent: Stored) => Stored): Promise<void> => {
    const next = last.then(async () => writeUserFile(file, `${JSON.stringify(edit(await read()).slice(0, MAX_RECENT), null, 2)}\n`));
    last = next.catch(() => {});
    return next;
  };

  return {
    async list() {
      await last;
      const recent = await read();
      return Promise.all(
        recent.map(async ({ path, openedAt }) => ({
          path,
          openedAt,
          name: basename(path.replace(/[\\/]\.git$/, '')) || path,
          exists: await pathExists(path),
        })),
      );
    },
    add: (path) => change((recent) => [{ path, openedAt: Date.now() }, ...recent.filter((item) => item.path !== path)]),
    forget: (path) => change((recent) => recent.filter((item) => item.path !== path)),
  };
}
