import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeRepository, type TestRepository } from '../git/testing/testRepository';
import { createTestHost, type TestHost } from './testing/testHost';

/** Files that claim sizes that cannot be: what the window gets must still be what the contract allows, or it shows nothing at all. */

let host: TestHost;
let call: TestHost['call'];
let test: TestRepository;

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
  host = await createTestHost();
  ({ call } = host);
  test = await makeRepository();
});
afterAll(async () => {
  await host?.dispose();
  await test?.dispose();
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
