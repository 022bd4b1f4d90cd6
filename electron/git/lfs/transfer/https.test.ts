import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contents, pointerOf, transferSetup } from './testing/transferSetup';

const openssl = (() => {
  try {
    execFileSync('env', ['openssl', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!openssl)('https with a certificate of one’s own (made by openssl)', () => {
  it('is trusted when http.sslCAInfo names it, or not verified when the user says so, and refused otherwise', async () => {
    const [content = Buffer.alloc(0)] = contents(1, 100_000);
    const object = pointerOf(content);
    const here = await transferSetup('https://placeholder/');
    const [key, cert] = [join(here.test.path, 'key.pem'), join(here.test.path, 'cert.pem')];
    await promisify(execFile)('env', [
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
    ]);
    const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (request, response) => {
      if (request.method === 'GET') return response.end(content);
      const { host } = request.headers;
      return response.end(JSON.stringify({ objects: [{ oid: object.oid, actions: { download: { href: `https://${host}/x` } } }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const origin = `https://localhost:${typeof address === 'object' ? address?.port : ''}`;
    await here.test.git(['config', 'remote.origin.url', `${origin}/a`]);
    await expect(here.move('download', [object])).rejects.toMatchObject({ code: 'disconnected', hint: expect.stringContaining('sslCAInfo') });
    await here.test.git(['config', `http.${origin}/.sslCAInfo`, cert]);
    expect((await here.move('download', [object])).failed).toEqual([]);
    await here.test.git(['config', '--unset', `http.${origin}/.sslCAInfo`]);
    await here.test.git(['config', 'http.sslVerify', 'false']);
    expect((await here.move('download', [object])).failed).toEqual([]);
  });
});
