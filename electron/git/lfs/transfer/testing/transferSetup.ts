import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { LfsServer, type LfsServerOptions } from '../../../../../e2e/fixtures/lfsServer';
import { openRepository } from '../../../openRepository';
import { makeRepository, type TestRepository } from '../../../testing/testRepository';
import { type LfsStore, openLfsStore } from '../../lfsStore';
import type { TransferOperation } from '../endpoint';
import { openTransfer } from '../openTransfer';
import type { TransferObject, TransferOptions, TransferReport } from '../transferTypes';

export interface TransferSetup {
  readonly test: TestRepository;
  readonly store: LfsStore;
  /** Puts content into the repository's own store. */
  keep(content: Buffer): Promise<TransferObject>;
  move(operation: TransferOperation, objects: readonly TransferObject[], options?: TransferOptions): Promise<TransferReport>;
  /** Names of the files with parts of objects. */
  parts(): Promise<readonly string[]>;
}

/** A repository with a remote `origin`, and no configuration of the machine. Pauses between attempts are left out. */
export async function transferSetup(remote: string): Promise<TransferSetup> {
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  vi.stubEnv('GIT_SSL_CAINFO', undefined);
  const test = await makeRepository();
  await test.git(['remote', 'add', 'origin', remote]);
  await test.git(['config', 'lfs.transfer.maxretrydelay', '0']);
  const git = await openRepository(test.path);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await git.close();
    await test.dispose();
  });
  const store = await openLfsStore(git);
  return {
    test,
    store,
    async keep(content) {
      const object = pointerOf(content);
      const path = store.pathOf(object.oid);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return object;
    },
    async move(operation, objects, options = {}) {
      const transfer = await openTransfer({ place: git.place, store }, { remote: 'origin', operation, interactive: false });
      try {
        return await transfer.move(objects, options);
      } finally {
        transfer.close();
      }
    },
    parts: () => readdir(join(dirname(store.folder), 'incomplete')).catch(() => []),
  };
}

export async function startServer(options: LfsServerOptions = {}): Promise<LfsServer> {
  const server = await LfsServer.start(options);
  onTestFinished(() => server.stop());
  return server;
}

export function pointerOf(content: Buffer): TransferObject {
  return { oid: createHash('sha256').update(content).digest('hex'), bytes: content.length };
}

export function contents(count: number, bytes: number): readonly Buffer[] {
  return Array.from({ length: count }, () => randomBytes(bytes));
}
