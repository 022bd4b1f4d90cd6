import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { type Method, type Output, type RequestInput, requests } from '../../../shared/contract/requests';
import { createServices } from '../../services/createServices';
import { createInProcessPool } from '../../workers/createInProcessPool';
import { createHandlers } from '../createHandlers';

export interface TestHost {
  /** Data folder, cache and home of the host; removed with it. */
  readonly folder: string;
  /** Through the contract: input and output are validated as they are on the wire. */
  call<M extends Method>(method: M, input: RequestInput<M>): Promise<Output<M>>;
  dispose(): Promise<void>;
}

const context = { signal: new AbortController().signal, onProgress: () => {} };

/** The whole host side without a transport, its tasks in this thread. */
export async function createTestHost(): Promise<TestHost> {
  const folder = await mkdtemp(join(tmpdir(), 'theta-handlers-'));
  const services = createServices({
    dataFolder: folder,
    cacheFolder: join(folder, 'cache'),
    // What is staged here needs no filter, and a checkout that does would need the built program.
    filterCommand: { process: 'false', clean: 'false', smudge: 'false' },
    program: null,
    sampleArchive: fileURLToPath(new URL('../../../assets/sample/digits.zip', import.meta.url)),
    createPool: () => createInProcessPool(),
  });
  const handlers = createHandlers(services, {
    kind: 'served',
    version: '1',
    initialFolder: null,
    homeFolder: folder,
    pickFiles: null,
    pickFolder: null,
    pickSaveFile: null,
    reveal: null,
  });
  return {
    folder,
    async call<M extends Method>(method: M, input: RequestInput<M>): Promise<Output<M>> {
      const handler: (input: unknown, given: typeof context) => Promise<unknown> = handlers[method] as never;
      return v.parse(requests[method].output, await handler(v.parse(requests[method].input, input), context)) as Output<M>;
    },
    async dispose() {
      await services.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
