import { createInProcessPool } from '../../workers/createInProcessPool';
import { run } from '../run';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** One run of the command in this process, without threads; for tests. */
export async function runTheta(...args: string[]): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text), interactive: false, streams: noStreams };
  const code = await run(args, terminal, createInProcessPool);
  return { code, out: out.join(''), err: err.join('') };
}

function noStreams(): never {
  throw new Error('This run has no standard input');
}
