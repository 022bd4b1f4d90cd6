import { stat } from 'node:fs/promises';

/** Whether something is there that this user can see, symbolic links followed. Only for what may change at once: open a file to be sure of it. */
export function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
