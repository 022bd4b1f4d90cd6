import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRepository } from '../../openRepository';
import { makeRepository } from '../../testing/testRepository';
import { defaultRemote } from './defaultRemote';
import { type Endpoint, findEndpoint } from './endpoint';
import { readTransferSettings, type Settings } from './transferSettings';
import { gitAt } from './userGit';

const find = (settings: Settings, operation: 'upload' | 'download' = 'download', remote = 'origin') =>
  findEndpoint(settings, { remote, operation, folder: '/work' });

/** Endpoint by git-lfs itself in the words of `git lfs env`; `null` without git-lfs. */
async function byGitLfs(url: string): Promise<string | null> {
  const test = await makeRepository();
  onTestFinished(() => test.dispose());
  await test.git(['remote', 'add', 'origin', url]);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const { stdout } = await promisify(execFile)('git', ['lfs', 'env'], { cwd: test.path, env }).catch(() => ({ stdout: '' }));
  const found = /^Endpoint=(\S*) \(auth=\w+\)\n(?: {2}SSH=(.*)\n)?/m.exec(stdout);
  return found === null ? null : [found[1], ...(found[2] === undefined ? [] : [found[2]])].join(' ');
}

const inTheirWords = (endpoint: Endpoint): string => {
  if (endpoint.kind === 'local') return `file://${endpoint.path}`;
  if (endpoint.kind === 'http') return endpoint.url;
  return `${endpoint.url} ${endpoint.user === null ? '' : `${endpoint.user}@`}${endpoint.host}:${endpoint.path}`;
};

describe('findEndpoint', () => {
  it.each([
    ['https://h.org/a/b', 'https://h.org/a/b.git/info/lfs'],
    ['https://h.org/a/b.git', 'https://h.org/a/b.git/info/lfs'],
    ['https://h.org/a/b.git/', 'https://h.org/a/b.git/info/lfs'],
    ['http://u:p@h.org:8443/a/b.git', 'http://u:p@h.org:8443/a/b.git/info/lfs'],
    ['git@h.org:foo/bar.git', 'https://h.org/foo/bar.git/info/lfs git@h.org:foo/bar.git'],
    ['h.org:foo', 'https://h.org/foo.git/info/lfs h.org:foo'],
    ['ssh://git@h.org:2222/foo/bar.git', 'https://h.org/foo/bar.git/info/lfs git@h.org:/foo/bar.git'],
    ['ssh://h.org/foo/bar', 'https://h.org/foo/bar.git/info/lfs h.org:/foo/bar'],
    ['git+ssh://git@h.org/foo.git', 'https://h.org/foo.git/info/lfs git@h.org:/foo.git'],
    ['git://h.org/foo/bar.git', 'https://h.org/foo/bar.git/info/lfs'],
    ['file:///srv/x.git', 'file:///srv/x.git'],
  ])('of %s, as git-lfs finds it', async (url, expected) => {
    expect(inTheirWords(find([['remote.origin.url', url]]))).toBe(expected);
    const theirs = await byGitLfs(url);
    if (theirs !== null) expect(theirs).toBe(expected);
  });

  it('takes paths as repositories of this machine', () => {
    expect(find([['remote.origin.url', '/srv/x']])).toEqual({ kind: 'local', path: '/srv/x' });
    expect(find([['remote.origin.url', '../x']])).toEqual({ kind: 'local', path: '/x' });
    expect(find([], 'download', './near')).toEqual({ kind: 'local', path: '/work/near' });
    expect(find([['remote.origin.url', '/with:colon/x']])).toEqual({ kind: 'local', path: '/with:colon/x' });
  });

  it('keeps the port of ssh apart from that of https', () => {
    expect(find([['remote.origin.url', 'ssh://git@h.org:2222/foo']])).toMatchObject({ port: '2222', url: 'https://h.org/foo.git/info/lfs' });
  });

  it('prefers what is set for LFS, and for pushing when pushing', () => {
    const settings: [string, string][] = [['remote.origin.url', 'https://git/a']];
    const expectUrls = (download: string, upload: string) => {
      expect(find(settings)).toEqual({ kind: 'http', url: download });
      expect(find(settings, 'upload')).toEqual({ kind: 'http', url: upload });
    };
    expectUrls('https://git/a.git/info/lfs', 'https://git/a.git/info/lfs');
    settings.push(['remote.origin.pushurl', 'https://push/a']);
    expectUrls('https://git/a.git/info/lfs', 'https://push/a.git/info/lfs');
    settings.push(['remote.origin.lfsurl', 'https://lfs/a/']);
    expectUrls('https://lfs/a', 'https://lfs/a');
    settings.push(['remote.origin.lfspushurl', 'https://lfspush/a']);
    expectUrls('https://lfs/a', 'https://lfspush/a');
    settings.push(['lfs.url', 'https://all/a']);
    expectUrls('https://all/a', 'https://all/a');
    settings.push(['lfs.pushurl', 'https://allpush/a']);
    expectUrls('https://all/a', 'https://allpush/a');
  });

  it('applies aliases, the longest first', () => {
    const settings: Settings = [
      ['remote.origin.url', 'gh:a/b'],
      ['url.https://short/.insteadof', 'gh:'],
      ['url.https://long/.insteadof', 'gh:a/'],
      ['url.https://push/.pushinsteadof', 'gh:'],
    ];
    expect(find(settings)).toEqual({ kind: 'http', url: 'https://long/b.git/info/lfs' });
    expect(find(settings, 'upload')).toEqual({ kind: 'http', url: 'https://push/a/b.git/info/lfs' });
  });

  it.each([
    'ssh://-oProxyCommand=touch/x',
    '-oProxyCommand=x:y',
    'git@-h:x',
    'git@h:-x',
    'ext::sh -c x',
    'h\n:x',
    'https://',
    'ftp://h/x',
    'http://h/%zz',
    'ssh://h/%0ax',
  ])('refuses %j', (url) => {
    expect(() => find([['remote.origin.url', url]])).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });

  it('says that a remote is not there', () => {
    expect(() => find([], 'download', 'nowhere')).toThrow(expect.objectContaining({ code: 'not-found' }));
  });
});

describe('readTransferSettings', () => {
  it('takes addresses from .lfsconfig of the work tree, the index and HEAD, below the user’s own, and nothing else from there', async () => {
    const test = await makeRepository();
    onTestFinished(() => test.dispose());
    const git = await openRepository(test.path);
    onTestFinished(() => git.close());
    const command = await gitAt(git.place);
    const url = async () => findEndpoint(await readTransferSettings(command, git.place), { remote: 'origin', operation: 'download', folder: test.path });
    await test.git(['remote', 'add', 'origin', 'https://git/a']);
    const hostile = '\n[core]\n\tsshCommand = touch x\n[http]\n\tsslVerify = false\n[lfs]\n\tstorage = /x\n\tpushurl = file:///etc\n';
    await test.commit('config', { '.lfsconfig': `[lfs]\n\turl = https://committed/a${hostile}` });
    await test.git(['rm', '-q', '--cached', '.lfsconfig']);
    expect(await url()).toEqual({ kind: 'http', url: 'https://committed/a' });
    const settings = await readTransferSettings(command, git.place);
    const keys = settings.map(([key]) => key);
    expect(keys).not.toContain('core.sshcommand');
    expect(keys).not.toContain('http.sslverify');
    expect(keys).not.toContain('lfs.storage');
    expect(keys).not.toContain('lfs.pushurl');
    await test.git(['reset', '-q']);
    await test.write('.lfsconfig', '[lfs]\n\turl = https://changed/a\n');
    expect(await url()).toEqual({ kind: 'http', url: 'https://changed/a' });
    await test.git(['rm', '-q', '--cached', '.lfsconfig']);
    await test.git(['clean', '-fdq']);
    expect(await url()).toEqual({ kind: 'http', url: 'https://committed/a' });
    await test.git(['config', 'lfs.url', 'https://own/a']);
    expect(await url()).toEqual({ kind: 'http', url: 'https://own/a' });
  });
});

describe('defaultRemote', () => {
  const two: Settings = [
    ['remote.one.url', 'x'],
    ['remote.origin.url', 'y'],
  ];
  it.each([
    ['nothing', [], 'download', null],
    ['the only one', [['remote.one.url', 'x']], 'download', 'one'],
    ['origin', two, 'download', 'origin'],
    ['the branch’s', [...two, ['branch.main.remote', 'one']], 'upload', 'one'],
    ['that for pushing', [...two, ['branch.main.remote', 'one'], ['branch.main.pushremote', 'other']], 'upload', 'other'],
    ['not that for pushing', [...two, ['branch.main.remote', 'one'], ['branch.main.pushremote', 'other']], 'download', 'one'],
    ['not the branch of this repository', [...two, ['branch.main.remote', '.']], 'download', 'origin'],
  ] as const)('is %s', (_, settings, operation, expected) => {
    expect(defaultRemote(settings, { branch: 'main', operation })).toBe(expected);
  });
});
