import { spawnSync } from 'node:child_process';

/** What `use` gives when the program runs on this machine; otherwise `null`, after saying that it is missing. */
export async function whenPresent<T>(program: string, probe: readonly string[], use: () => Promise<T>): Promise<T | null> {
  if (spawnSync(program, probe, { stdio: 'ignore' }).status === 0) return use();
  console.error(`${program} is not on this machine: nothing is compared with it.`);
  return null;
}
