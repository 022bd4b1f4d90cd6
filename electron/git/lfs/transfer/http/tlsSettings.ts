import { resolve } from 'node:path';
import { fileError } from '../../../../bytes/fileError';
import { readSmallFile } from '../../../../bytes/readSmallFile';
import type { Settings } from '../transferSettings';
import { httpSetting } from '../urlMatch';

export interface TlsSettings {
  readonly rejectUnauthorized?: boolean;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * What git is configured to trust at an address: `http.sslVerify`, `http.sslCAInfo`, `http.sslCert`, `http.sslKey` and the variables of
 * the same meaning (git-config(1)). @throws what the file system says of a file that is named there
 */
export async function tlsSettings(settings: Settings, url: URL, folder: string): Promise<TlsSettings> {
  const { GIT_SSL_NO_VERIFY, GIT_SSL_CAINFO, GIT_SSL_CERT, GIT_SSL_KEY } = process.env;
  const verify = GIT_SSL_NO_VERIFY === undefined && !/^(?:false|no|off|0)$/i.test(httpSetting(settings, 'sslVerify', url) ?? 'true');
  const [ca, cert, key] = await Promise.all(
    [
      GIT_SSL_CAINFO ?? httpSetting(settings, 'sslCAInfo', url),
      GIT_SSL_CERT ?? httpSetting(settings, 'sslCert', url),
      GIT_SSL_KEY ?? httpSetting(settings, 'sslKey', url),
    ].map((path) => (path === null || path === '' ? undefined : readNamed(path, folder))),
  );
  return {
    rejectUnauthorized: verify,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

async function readNamed(path: string, folder: string): Promise<Buffer> {
  const home = process.env.HOME ?? process.env.USERPROFILE ?? '';
  const full = resolve(
    folder,
    path.replace(/^~(?=[/\\])/, () => home),
  );
  return readSmallFile(full).catch((error: unknown) => {
    throw fileError(error, full);
  });
}
