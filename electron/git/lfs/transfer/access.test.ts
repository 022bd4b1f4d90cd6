import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { reply } from '../../../../e2e/fixtures/lfsServer';
import { startServer, transferSetup } from './testing/transferSetup';

const LOGIN = { username: 'ada', password: 'p:ß w' };

describe('credentials', () => {
  it('come from the address', async () => {
    const server = await startServer({ login: LOGIN });
    const here = await transferSetup(server.remote.replace('//', `//ada:${encodeURIComponent(LOGIN.password)}@`));
    const object = server.add(Buffer.from('content'));
    expect((await here.move('download', [object])).failed).toEqual([]);
    expect(server.requests.find(({ method }) => method === 'GET')?.headers.authorization).toBeUndefined();
  });

  it('come from git’s helper, which hears whether they were right', async () => {
    const server = await startServer({ login: LOGIN });
    const here = await transferSetup(server.remote);
    const file = join(here.test.path, 'credentials');
    const host = server.origin.replace('http://', '');
    await here.test.git(['config', 'credential.helper', `store --file='${file}'`]);
    await writeFile(file, `http://ada:wrong@${host}\n`);
    const object = server.add(Buffer.from('content'));
    await expect(here.move('download', [object])).rejects.toMatchObject({ code: 'permission' });
    // git credential-store forgets what was rejected.
    expect(await readFile(file, 'utf8')).not.toContain('wrong');
    const helper = join(here.test.path, 'helper.sh');
    const log = join(here.test.path, 'log');
    await writeFile(
      helper,
      `#!/bin/sh\necho "$1" >> '${log}'\ncat >> '${log}'\n[ "$1" = get ] && printf 'username=ada\\npassword=%s\\n' '${LOGIN.password}'\nexit 0\n`,
    );
    await chmod(helper, 0o755);
    await here.test.git(['config', 'credential.helper', helper]);
    expect((await here.move('download', [object])).failed).toEqual([]);
    const lines = (await readFile(log, 'utf8')).split('\n');
    expect(lines[0]).toBe('get');
    expect(lines).toContain('store');
    expect(lines).toContain(`host=${host}`);
  });

  it('may stand in http.extraHeader', async () => {
    const server = await startServer({ login: LOGIN });
    const here = await transferSetup(server.remote);
    const token = Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64');
    await here.test.git(['config', `http.${server.origin}/.extraHeader`, `AUTHORIZATION: Basic ${token}`]);
    const object = await here.keep(Buffer.from('content'));
    expect((await here.move('upload', [object])).failed).toEqual([]);
    expect(server.objects.has(object.oid)).toBe(true);
  });

  it('are asked from nobody where there is no terminal', async () => {
    const server = await startServer({ login: LOGIN });
    const here = await transferSetup(server.remote);
    await expect(here.move('download', [server.add(Buffer.from('x'))])).rejects.toMatchObject({
      code: 'permission',
      hint: expect.stringContaining('credential'),
    });
  });

  it('go to no other host: not with a redirect, not with an action', async () => {
    const other = await startServer();
    const object = other.add(Buffer.from('content'));
    const server = await startServer({ login: LOGIN });
    server.add(Buffer.from('content'));
    const here = await transferSetup(server.remote.replace('//', `//ada:${encodeURIComponent(LOGIN.password)}@`));
    await here.test.git(['config', 'http.extraHeader', 'X-Secret: mine']);
    other.interfere = async ({ path }, response) => {
      if (!path.startsWith('/plain')) return null;
      response.end('content');
      return true;
    };
    server.interfere = async ({ path }, response) => {
      if (path === `/store/${object.oid}`) response.writeHead(307, { Location: `${other.origin}/plain` }).end();
      else return null;
      return true;
    };
    expect((await here.move('download', [object])).failed).toEqual([]);
    server.interfere = async ({ path, headers }, response) => {
      if (!path.endsWith('/objects/batch') || headers.authorization === undefined) return null;
      reply(response, { objects: [{ oid: object.oid, actions: { download: { href: `${other.origin}/plain` } } }] });
      return true;
    };
    expect((await here.move('download', [object])).failed).toEqual([]);
    expect(server.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
    expect(server.requests.every(({ headers }) => headers['x-secret'] === 'mine')).toBe(true);
    expect(other.requests.length).toBe(2);
    for (const { headers } of other.requests) {
      expect(headers.authorization).toBeUndefined();
      expect(headers['x-secret']).toBeUndefined();
      expect(headers['x-store-token']).toBeUndefined();
    }
  });
});

describe('ssh', () => {
  it('asks the server where its objects are, with git’s ssh', async () => {
    const server = await startServer({ login: LOGIN });
    const here = await transferSetup('ssh://git@example.org:2222/team/my model.git');
    const script = join(here.test.path, 'ssh.sh');
    const log = join(here.test.path, 'log');
    const token = Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64');
    const answer = JSON.stringify({ href: `${server.remote}.git/info/lfs`, header: { Authorization: `Basic ${token}` }, expires_in: 3600 });
    await writeFile(script, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${log}'\necho '${answer}'\n`);
    await chmod(script, 0o755);
    vi.stubEnv('GIT_SSH_COMMAND', `'${script}' -x`);
    const object = await here.keep(Buffer.from('content'));
    expect((await here.move('upload', [object])).failed).toEqual([]);
    expect(server.objects.has(object.oid)).toBe(true);
    expect(await readFile(log, 'utf8')).toBe("-x\n-p\n2222\ngit@example.org\ngit-lfs-authenticate '/team/my model.git' upload\n");
    await writeFile(script, '#!/bin/sh\necho "no such command" >&2\nexit 127\n');
    await expect(here.move('upload', [object])).rejects.toMatchObject({ code: 'permission', hint: expect.stringContaining('no such command') });
    await writeFile(script, '#!/bin/sh\necho "Welcome"\n');
    await expect(here.move('upload', [object])).rejects.toMatchObject({ code: 'malformed' });
  });
});
