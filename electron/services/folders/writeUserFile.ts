import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeWhole } from '../../bytes/writeWhole';

/** Writes a small text file of the user's as a whole or not at all; only the user may read it. */
export async function writeUserFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWhole(path, (write) => write(Buffer.from(content)), { mode: 0o600 });
}
