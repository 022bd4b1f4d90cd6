import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Ran, runTheta } from './runTheta';

const callSchema = v.object({ args: v.array(v.string()), folder: v.string(), environment: v.record(v.string(), v.string()) });

/** Sends what git started it with to the test, and ends as the test says. */
const CLIENT = `
import { connect } from 'node:net';
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('GIT')));
const socket = connect(Number(process.argv[2]), '127.0.0.1');
socket.setEncoding('utf8');
let answer = '';
socket.on('data', (text) => (answer += text)).on('end', () => {
  const { code, out, err } = JSON.parse(answer);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
});
socket.write(JSON.stringify({ args: process.argv.slice(3), folder: process.cwd(), environment }) + '\\n');
`;

/** Lets a real git run the command as its driver, in the process of the test: nothing has to be built. */
export interface GitBridge {
  /** Beginning of a command line for a setting of git, to be followed by a verb and its arguments. */
  readonly command: string;
  /** Runs of the command so far, in their order, with their arguments. */
  readonly runs: readonly (Ran & { readonly args: readonly string[] })[];
  close(): Promise<void>;
}

export async function openGitBridge(): Promise<GitBridge> {
  const folder = await mkdtemp(join(tmpdir(), 'theta-bridge-'));
  const script = join(folder, 'client.mjs');
  await writeFile(script, CLIENT);
  const runs: (Ran & { readonly args: readonly string[] })[] = [];
  const server = createServer((socket) => void serve(socket, runs));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The bridge has no port');
  return {
    command: `"${process.execPath}" "${script}" ${address.port}`,
    runs,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function serve(socket: Socket, runs: (Ran & { readonly args: readonly string[] })[]): Promise<void> {
  socket.setEncoding('utf8');
  let text = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += piece;
    if (text.endsWith('\n')) break;
  }
  const { args, folder, environment } = v.parse(callSchema, JSON.parse(text));
  const kept = Object.entries(process.env).filter(([name]) => name.startsWith('GIT'));
  for (const [name] of kept) delete process.env[name];
  Object.assign(process.env, environment);
  try {
    const ran = await runTheta('-C', folder, ...args);
    runs.push({ ...ran, args });
    socket.end(JSON.stringify(ran));
  } finally {
    for (const name of Object.keys(environment)) delete process.env[name];
    Object.assign(process.env, Object.fromEntries(kept));
  }
}
