import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

const FOLDER = fileURLToPath(new URL('../../../e2e/fixtures/vectors/merge/', import.meta.url));
const manifest = v.object({
  cases: v.array(v.object({ case: v.string(), result: v.optional(v.record(v.string(), v.object({ values: v.array(v.number()) }))) })),
});

/** Metadata of one side of git-theta's merge vectors: `ancestor`, `current`, `other`. */
export function mergeVector(name: string): Promise<string> {
  return readFile(join(FOLDER, `${name}.json`), 'utf8');
}

/** Values of a parameter group after one of git-theta's merges; none when it gave no such group. */
export async function mergedValues(name: string, group: string): Promise<readonly number[]> {
  const { cases } = v.parse(manifest, JSON.parse(await mergeVector('manifest')));
  return cases.find((one) => one.case === name)?.result?.[group]?.values ?? [];
}

/** Puts the objects of the vectors, and `more` by their ids, into the store of a repository. */
export async function addVectorObjects(repository: string, more: Readonly<Record<string, Uint8Array>> = {}): Promise<void> {
  const add = async (oid: string, content: Uint8Array) => {
    const parent = join(repository, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4));
    await mkdir(parent, { recursive: true });
    await writeFile(join(parent, oid), content);
  };
  for (const oid of await readdir(join(FOLDER, 'objects'))) await add(oid, await readFile(join(FOLDER, 'objects', oid)));
  for (const [oid, content] of Object.entries(more)) await add(oid, content);
}
