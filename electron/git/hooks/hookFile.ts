import { lstat, readFile } from 'node:fs/promises';
import { systemCode } from '../../bytes/systemCode';

/** A hook as it stands in its folder; links are not followed to tell whether it is there, only to read it. */
export interface HookFile {
  readonly path: string;
  /** `null`: nothing has this name. What cannot be read as text (a program, a link that leads nowhere) has its bytes as Latin-1, or none. */
  readonly content: string | null;
  readonly isLink: boolean;
}

export async function readHook(path: string): Promise<HookFile> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return { path, content: null, isLink: false };
  return { path, content: await readFile(path, 'latin1').catch(() => ''), isLink: found.isSymbolicLink() };
}

/** Whether two files are certainly the same hook; of what could not be read nothing is certain. */
export function isSameHook(one: HookFile, other: HookFile): boolean {
  return one.content !== null && one.content !== '' && one.content === other.content && one.isLink === other.isLink;
}
