import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { temporaryFolder } from './testRepository';

/** For one test: an empty home folder, whose file `config` is the global configuration of every git that is started. The system's counts for nothing. */
export async function userHome(): Promise<string> {
  const home = await temporaryFolder();
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(home, 'config'));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true, force: true });
  });
  return home;
}
