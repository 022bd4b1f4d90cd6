import { homedir, hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { isCheckpointError } from '../shared/contract/errors';
import { createHost } from './host';
import { programVersion, resourcePath } from './resources';
import { userFolders } from './services/folders/userFolders';
import type { Credentials } from './transport/accessToken';
import { type HttpServer, startHttpServer } from './transport/httpServer';

/** Taken when free and nothing else is asked for, so that the same tunnel serves again tomorrow. */
const DEFAULT_PORT = 7433;

export interface ServeOptions {
  /** Repository to open at once; relative to the current folder. */
  readonly folder?: string | null;
  /** 0: any free port; `null`: the usual one, or any when that is in use. */
  readonly port?: number | null;
  /** To keep open windows signed in over a restart; by default every start has its own. */
  readonly credentials?: Credentials;
}

export interface RunningServer {
  readonly port: number;
  /** Address with the token. */
  readonly url: string;
  /** An address that works once and soon only: for a command line, which other users of the machine can see. */
  oneTimeUrl(): string;
  close(): Promise<void>;
}

/**
 * The served host: the same services as the desktop's, behind a server on the loopback interface.
 * @throws CheckpointError `conflict` when the port that was asked for is in use
 */
export async function startServer({ folder = null, port = null, credentials }: ServeOptions = {}): Promise<RunningServer> {
  const host = createHost({
    kind: 'served',
    version: programVersion(),
    initialFolder: folder === null ? null : resolve(folder),
    homeFolder: homedir(),
    pickFiles: null,
    pickFolder: null,
    pickSaveFile: null,
    reveal: null,
  });
  const listen = (number: number): Promise<HttpServer> =>
    startHttpServer({
      handlers: host.handlers,
      events: host.events,
      rendererFolder: resourcePath('dist/renderer'),
      uploadFolder: join(userFolders().cache, 'uploads'),
      port: number,
      ...(credentials === undefined ? {} : { credentials }),
    });
  try {
    const server = await listen(port ?? DEFAULT_PORT).catch((error: unknown) => {
      if (port === null && isCheckpointError(error, 'conflict')) return listen(0);
      throw error;
    });
    return {
      port: server.port,
      url: server.url,
      oneTimeUrl: () => server.oneTimeUrl(),
      async close() {
        await server.close();
        await host.dispose();
      },
    };
  } catch (error) {
    await host.dispose();
    throw error;
  }
}

/** What to type on another machine so that the printed address works there too. */
export function tunnelCommand(port: number, user = userName(), host = hostname()): string {
  return `ssh -L ${port}:127.0.0.1:${port} ${user}@${host}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the list of users.
    return 'USER';
  }
}

/**
 * `theta serve`: prints the address and runs until the process is asked to end.
 * @param print one line of text for the terminal
 */
export async function serveUntilStopped(options: ServeOptions, print: (line: string) => void): Promise<void> {
  const server = await startServer(options);
  print(`Theta is served at ${server.url}`);
  print(`From another machine, run there: ${tunnelCommand(server.port)}`);
  print('and open the same address in its browser. Ctrl-C ends it.');
  await stopRequested();
  await server.close();
}

/** Resolves at Ctrl-C or when the system asks the process to end. A second signal then ends it at once, as always. */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
