import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { LfsServer, type LfsServerOptions } from '../../../../e2e/fixtures/lfsServer';
import { unpackRepository } from '../../../../e2e/fixtures/unpackRepository';
import { TestRepository, temporaryFolder } from '../../../git/testing/testRepository';
import type { OpenedRepository } from '../../repositories/openedRepository';
import { openOne } from '../../repositories/repositoryCache';

export interface ServedRepository {
  readonly server: LfsServer;
  readonly test: TestRepository;
  readonly repository: OpenedRepository;
  /** Bare repository that `origin` pushes refs to; its objects are with the server. */
  readonly bare: TestRepository;
}

/** A fixture repository with a remote `origin` that has nothing yet, without the hooks that came with it. No configuration of the machine counts. */
export async function servedRepository(name: string, options: LfsServerOptions = {}): Promise<ServedRepository> {
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  vi.stubEnv('GIT_AUTHOR_NAME', 'Ada');
  vi.stubEnv('GIT_AUTHOR_EMAIL', 'ada@example.org');
  vi.stubEnv('GIT_COMMITTER_NAME', 'Ada');
  vi.stubEnv('GIT_COMMITTER_EMAIL', 'ada@example.org');
  const server = await LfsServer.start(options);
  const unpacked = await unpackRepository(name);
  const test = new TestRepository(unpacked.path);
  const bare = new TestRepository(await temporaryFolder());
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await server.stop();
    await unpacked.dispose();
    await bare.dispose();
  });
  const hooks = join(test.path, '.git', 'hooks');
  await rm(hooks, { recursive: true, force: true });
  await bare.git(['init', '-q', '--bare', '.']);
  await test.git(['remote', 'add', 'origin', bare.path]);
  await test.git(['config', 'remote.origin.lfsurl', `${server.remote}.git/info/lfs`]);
  await test.git(['config', 'lfs.transfer.maxretrydelay', '0']);
  return { server, test, bare, repository: await opened(test.path) };
}

export async function opened(path: string): Promise<OpenedRepository> {
  const repository = await openOne(path);
  onTestFinished(() => repository.dispose());
  return repository;
}

/** Oids of the objects in a repository's own store. */
export async function localObjects(repository: OpenedRepository): Promise<ReadonlySet<string>> {
  const names = await readdir(repository.lfs.folder, { recursive: true }).catch(() => []);
  return new Set(names.map((name) => name.slice(-64)).filter((name) => /^[0-9a-f]{64}$/.test(name)));
}

export async function removeObjects(repository: OpenedRepository): Promise<void> {
  await rm(dirname(repository.lfs.folder), { recursive: true, force: true });
}

/** A clone of the bare repository without any object. */
export async function cloneOf({ bare, server }: ServedRepository, ...args: readonly string[]): Promise<OpenedRepository> {
  const folder = await temporaryFolder();
  const clone = new TestRepository(folder);
  onTestFinished(() => clone.dispose());
  await clone.git(['clone', '-q', '--no-checkout', ...args, `file://${bare.path}`, '.']);
  await clone.git(['config', 'remote.origin.lfsurl', `${server.remote}.git/info/lfs`]);
  await clone.git(['config', 'lfs.transfer.maxretrydelay', '0']);
  return opened(folder);
}
