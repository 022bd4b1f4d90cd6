import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Method, type Output, type RequestInput, requests } from '../../shared/contract/requests';
import { makeRepository, type TestRepository } from '../git/testing/testRepository';
import { createServices, type Services } from '../services/createServices';
import { createInProcessPool } from '../workers/createInProcessPool';
import { createHandlers } from './createHandlers';
import type { Handlers } from './handlers';

/** Files that claim sizes that cannot be: what the window gets must still be what the contract allows, or it shows nothing at all. */

let folder: string;
let test: TestRepository;
let services: Services;
let handlers: Handlers;

const context = { signal: new AbortController().signal, onProgress: () => {} };

async function call<M extends Method>(method: M, input: RequestInput<M>): Promise<Output<M>> {
  const handler: (input: unknown, given: typeof context) => Promise<unknown> = handlers[method] as never;
  return v.parse(requests[method].output, await handler(v.parse(requests[method].input, input), context)) as Output<M>;
}

const LARGEST = String(Number.MAX_SAFE_INTEGER);

function metadata(shape: string, size: string) {
  return {
    tensor_metadata: { shape, dtype: 'float32', hash: new Array(16).fill(1) },
    lfs_metadata: { version: 'https://git-lfs.github.com/spec/v1', oid: 'ab'.repeat(32), size },
    theta_metadata: { update_type: 'dense', last_commit: null },
  };
}

/** MessagePack of Flax: `{a: float32 [2^31, 2^31] of 2 bytes, b: float32 [1]}`, arrays as extension 1 of `[shape, type, data]`. */
const FLAX = Buffer.concat([
  Buffer.from([0x82, 0xa1, 0x61, 0xc7, 24, 1, 0x93, 0x92, 0xce, 0x80, 0, 0, 0, 0xce, 0x80, 0, 0, 0, 0xa7]),
  Buffer.from('float32'),
  Buffer.from([0xc4, 0x02, 0, 0]),
  Buffer.from([0xa1, 0x62, 0xc7, 17, 1, 0x93, 0x91, 0x01, 0xa7]),
  Buffer.from('float32'),
  Buffer.from([0xc4, 0x04, 0, 0, 0x80, 0x3f]),
]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-hostile-'));
  services = createServices({ dataFolder: folder, cacheFolder: join(folder, 'cache'), sampleArchive: '', createPool: () => createInProcessPool() });
  handlers = createHandlers(services, {
    kind: 'served',
    version: '1',
    initialFolder: null,
    homeFolder: folder,
    pickFolder: null,
    pickSaveFile: null,
    reveal: null,
  });
  test = await makeRepository();
});
afterAll(async () => {
  await services?.dispose();
  await test?.dispose();
  await rm(folder, { recursive: true, force: true });
});

it('shows a repository whose groups together claim more bytes than a number holds', async () => {
  const groups = { a: metadata('(2251799813685247,)', LARGEST), b: metadata('(2251799813685247,)', LARGEST), c: metadata(`(${LARGEST},)`, '1') };
  const commit = await test.commit('huge', { 'm.pt': JSON.stringify(groups) });
  const { id, checkpoints } = await call('repository/open', { path: test.path });
  expect(checkpoints).toMatchObject([{ path: 'm.pt', storage: 'theta', groups: 2 }]);
  expect(await call('history/changes', { repository: id, path: 'm.pt', commits: [commit] })).toMatchObject([
    { error: null, tallies: { added: { groups: 2 } } },
  ]);
  const { checkpoint } = await call('checkpoint/describe', { repository: id, commit, path: 'm.pt' });
  expect(checkpoint.groups.map(({ name, error }) => [name, error?.code])).toEqual([
    ['a', 'missing-object'],
    ['b', 'missing-object'],
  ]);
  expect(checkpoint.skipped.map(({ name }) => name)).toEqual(['c']);
});

it('gives the other groups of a file that claims an impossible shape', async () => {
  const commit = await test.commit('flax', { 'm.msgpack': FLAX });
  const { id } = await call('repository/open', { path: test.path });
  const { checkpoint } = await call('checkpoint/describe', { repository: id, commit, path: 'm.msgpack' });
  expect(checkpoint).toMatchObject({ format: 'flax', groups: [{ name: 'b', dtype: 'float32', shape: [1], error: null }], skipped: [{ name: 'a' }] });
});
