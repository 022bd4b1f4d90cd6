import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestRepository } from '../../git/testing/testRepository';
import { parseMetadata } from '../../theta/parseMetadata';
import { fetchMissing } from './fetchMissing';
import { fetchObjects } from './fetchObjects';
import { pushObjects, type RefUpdate } from './pushObjects';
import { cloneOf, localObjects, removeObjects, servedRepository } from './testing/servedRepository';

const ZERO = '0'.repeat(40);

async function update(test: TestRepository, revision = 'HEAD', remoteOid = ZERO): Promise<RefUpdate> {
  return { localRef: 'refs/heads/main', localOid: await test.git(['rev-parse', revision]), remoteRef: 'refs/heads/main', remoteOid };
}

/** Oids in a metadata file of a commit, by a reading of its JSON that shares nothing with ours. */
async function oidsAt(test: TestRepository, version: string): Promise<ReadonlySet<string>> {
  const oids = new Set<string>();
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if ('oid' in value && typeof value.oid === 'string') oids.add(value.oid);
    else Object.values(value).forEach(visit);
  };
  visit(JSON.parse(await test.git(['show', version])));
  return oids;
}

describe('pushObjects', () => {
  it.each(['a-pt-linear', 'b-st-merge', 'e-two-files', 'e2-rename-after-sparse'])('uploads all that a history needs to be read elsewhere: %s', async (name) => {
    const served = await servedRepository(name);
    const { server, test, repository } = served;
    const needed = new Set<string>();
    for (const commit of (await test.git(['rev-list', 'HEAD'])).split('\n')) {
      for (const path of (await test.git(['ls-tree', '-r', '--name-only', commit])).split('\n')) {
        if (path !== '.gitattributes') for (const oid of await oidsAt(test, `${commit}:${path}`)) needed.add(oid);
      }
    }
    const pushed = await pushObjects(repository, { remote: null, updates: [await update(test)], interactive: false });
    expect(new Set(server.objects.keys())).toEqual(needed);
    expect(pushed).toMatchObject({ objects: needed.size, uploaded: needed.size, where: `${server.remote}.git/info/lfs` });
    const files = await readdir(join(test.path, '.git', 'theta', 'commits'));
    expect(new Set(files)).toEqual(new Set((await test.git(['rev-list', 'HEAD'])).split('\n')));
    const again = await pushObjects(repository, { remote: 'origin', updates: [await update(test)], interactive: false });
    expect(again).toMatchObject({ objects: needed.size, uploaded: 0 });
  });

  it('sends only what the remote does not have: by its branches, or by what git says', async () => {
    const { server, test, repository } = await servedRepository('a-pt-linear');
    const before = new Set<string>();
    for (const commit of (await test.git(['rev-list', 'HEAD~1'])).split('\n')) for (const oid of await oidsAt(test, `${commit}:model.pt`)) before.add(oid);
    const added = [...(await oidsAt(test, 'HEAD:model.pt'))].filter((oid) => !before.has(oid));
    const base = await test.git(['rev-parse', 'HEAD~1']);
    const byOid = await pushObjects(repository, { remote: null, updates: [await update(test, 'HEAD', base)], interactive: false });
    expect(byOid.commits).toBe(1);
    expect([...server.objects.keys()].sort()).toEqual(added.sort());
    server.objects.clear();
    await test.git(['update-ref', 'refs/remotes/origin/main', base]);
    const byRef = await pushObjects(repository, { remote: null, updates: [await update(test)], interactive: false });
    expect(byRef.commits).toBe(1);
    expect([...server.objects.keys()].sort()).toEqual(added.sort());
    const unknown = await pushObjects(repository, { remote: null, updates: [await update(test, 'HEAD', 'f'.repeat(40))], interactive: false });
    expect(unknown.commits).toBe(1);
    const all = await pushObjects(repository, { remote: null, updates: [await update(test)], everything: true, interactive: false });
    expect(all.commits).toBe(6);
  });

  it('follows tags, and has nothing to do for refs that are deleted', async () => {
    const { server, test, repository } = await servedRepository('a-pt-linear');
    await test.git(['tag', '-a', '-m', 'first', 'v1', 'HEAD~5']);
    const nothing = await pushObjects(repository, {
      remote: null,
      updates: [{ localRef: '(delete)', localOid: ZERO, remoteRef: 'refs/heads/x', remoteOid: await test.hash('HEAD') }],
      interactive: false,
    });
    expect(nothing).toMatchObject({ where: null, objects: 0, commits: 0 });
    await pushObjects(repository, { remote: null, updates: [await update(test, 'v1')], interactive: false });
    expect(new Set(server.objects.keys())).toEqual(await oidsAt(test, 'v1:model.pt'));
  });

  it('takes along bases whose commit was left behind', async () => {
    const { server, test, repository } = await servedRepository('d-st-chain40');
    // The last two commits as one, as a squash makes it: the entry still names the commit in between.
    const tree = await test.git(['rev-parse', 'HEAD^{tree}']);
    const squashed = await test.git(['commit-tree', tree, '-p', 'HEAD~2', '-m', 'squashed']);
    const older = await oidsAt(test, 'HEAD~2:chain.safetensors');
    const between = [...(await oidsAt(test, 'HEAD~1:chain.safetensors'))].filter((oid) => !older.has(oid));
    expect(between.length).toBeGreaterThan(0);
    await test.git(['update-ref', 'refs/remotes/origin/main', 'HEAD~2']);
    await pushObjects(repository, { remote: null, updates: [await update(test, squashed)], interactive: false });
    for (const oid of between) expect([oid, server.objects.has(oid)]).toEqual([oid, true]);
  });

  it('says which object is missing on both sides, and does not mind one that the server has', async () => {
    const { server, test, repository } = await servedRepository('a-pt-linear');
    const commit = await test.hash('HEAD~5');
    const entries = Object.entries(JSON.parse(await test.git(['show', `${commit}:model.pt`])) as Record<string, { lfs_metadata: { oid: string } }>);
    const [group = '', { lfs_metadata }] = entries[0] ?? ['', { lfs_metadata: { oid: '' } }];
    const path = repository.lfs.pathOf(lfs_metadata.oid);
    await rm(path);
    const push = () =>
      pushObjects(repository, { remote: null, updates: [{ localRef: 'x', localOid: commit, remoteRef: 'refs/heads/x', remoteOid: ZERO }], interactive: false });
    await expect(push()).rejects.toMatchObject({ code: 'missing-object', place: { group, file: 'model.pt', commit, oid: lfs_metadata.oid } });
    await test.git(['config', 'lfs.allowincompletepush', 'true']);
    expect((await push()).notes).toEqual([expect.stringContaining(group)]);
    await test.git(['config', '--unset', 'lfs.allowincompletepush']);
    server.objects.set(lfs_metadata.oid, Buffer.alloc(0));
    expect(await push()).toMatchObject({ notes: [] });
    await writeFile(path, 'damaged');
    server.objects.delete(lfs_metadata.oid);
    await expect(push()).rejects.toMatchObject({ code: 'corrupt-object', place: { group, file: 'model.pt', commit } });
  });
});

describe('fetchObjects', () => {
  async function pushed(name: string) {
    const served = await servedRepository(name);
    await served.test.git(['push', '-q', 'origin', 'HEAD:refs/heads/main']);
    await pushObjects(served.repository, { remote: null, updates: [await update(served.test)], everything: true, interactive: false });
    return { ...served, clone: await cloneOf(served, '-b', 'main') };
  }

  it('downloads whole chains of a version, and then nothing more', async () => {
    const { clone, test, server } = await pushed('d-st-chain40');
    const commit = await test.hash('HEAD');
    const fetched = await fetchObjects(clone, { remote: null, commit, interactive: false });
    expect(fetched).toMatchObject({ failed: [], present: 0, paths: ['chain.safetensors'] });
    expect(await localObjects(clone)).toEqual(new Set(server.objects.keys()));
    const requests = server.requests.length;
    expect(await fetchObjects(clone, { remote: null, commit, path: 'chain.safetensors', interactive: false })).toMatchObject({
      fetched: 0,
      where: null,
      present: server.objects.size,
    });
    expect(server.requests.length).toBe(requests);
  });

  it('downloads only the groups asked for', async () => {
    const { clone, test } = await pushed('a-pt-linear');
    const commit = await test.hash('HEAD~5');
    const all = JSON.parse(await test.git(['show', `${commit}:model.pt`])) as Record<string, { lfs_metadata: { oid: string } }>;
    const names = Object.keys(all);
    const [name = ''] = names;
    const start = `${name.slice(0, 3)}*`;
    const fetched = await fetchObjects(clone, { remote: 'origin', commit, path: 'model.pt', groups: start, interactive: false });
    const wanted = names.filter((other) => other.startsWith(name.slice(0, 3)));
    expect(wanted.length).toBeLessThan(names.length);
    expect(fetched.groups).toBe(wanted.length);
    expect(await localObjects(clone)).toEqual(new Set(wanted.map((other) => all[other]?.lfs_metadata.oid)));
    await expect(fetchObjects(clone, { remote: null, commit, groups: 'none of them', interactive: false })).rejects.toMatchObject({ code: 'not-found' });
    await expect(fetchObjects(clone, { remote: null, commit, path: 'other.pt', interactive: false })).rejects.toMatchObject({ code: 'not-found' });
    await expect(fetchObjects(clone, { remote: null, commit, path: '.gitattributes', interactive: false })).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('says where an object is needed that the server does not have, and gets the others', async () => {
    const { clone, test, server } = await pushed('a-pt-linear');
    const commit = await test.hash('HEAD~5');
    const [oid = ''] = await oidsAt(test, `${commit}:model.pt`);
    server.objects.delete(oid);
    const fetched = await fetchObjects(clone, { remote: null, commit, interactive: false });
    expect(fetched.failed).toMatchObject([{ code: 'missing-object', place: { oid, file: 'model.pt', commit } }]);
    expect(fetched.failed[0]?.place.group).toBeDefined();
    expect(fetched.fetched).toBe((await oidsAt(test, `${commit}:model.pt`)).size - 1);
  });

  it('downloads a file that Git LFS keeps, when it is named', async () => {
    const { repository, test, server } = await servedRepository('a-pt-linear');
    const object = server.add(Buffer.from('a whole checkpoint'));
    const blob = await test.git(['hash-object', '-w', '--stdin'], {
      input: `version https://git-lfs.github.com/spec/v1\noid sha256:${object.oid}\nsize ${object.bytes}\n`,
    });
    const commit = await test.git(['commit-tree', await test.git(['mktree'], { input: `100644 blob ${blob}\tbig.bin\n` }), '-m', 'big']);
    expect(await fetchObjects(repository, { remote: null, commit: await test.hash(commit), path: 'big.bin', interactive: false })).toMatchObject({
      fetched: 1,
      failed: [],
      groups: 0,
    });
    expect((await localObjects(repository)).has(object.oid)).toBe(true);
  });
});

describe('fetchMissing', () => {
  it('gets what git’s filter needs, unless the user said no', async () => {
    const { repository, test, server } = await servedRepository('d-st-chain40');
    await pushObjects(repository, { remote: null, updates: [await update(test)], interactive: false });
    await removeObjects(repository);
    const path = 'chain.safetensors';
    const metadata = parseMetadata(await test.bytes(['show', `HEAD:${path}`]), path);
    const version = { metadata, path, commit: await test.hash('HEAD'), blob: await test.git(['rev-parse', `HEAD:${path}`]) };
    await test.git(['config', 'theta.autofetch', 'false']);
    await fetchMissing(repository, version);
    expect((await localObjects(repository)).size).toBe(0);
    await test.git(['config', '--unset', 'theta.autofetch']);
    await fetchMissing(repository, version);
    expect(await localObjects(repository)).toEqual(new Set(server.objects.keys()));
    await removeObjects(repository);
    const [oid = ''] = await oidsAt(test, 'HEAD:chain.safetensors');
    server.objects.delete(oid);
    await expect(fetchMissing(repository, version)).rejects.toMatchObject({
      code: 'missing-object',
      place: { oid, file: 'chain.safetensors' },
    });
    await test.git(['remote', 'remove', 'origin']);
    await fetchMissing(repository, version);
  });
});
