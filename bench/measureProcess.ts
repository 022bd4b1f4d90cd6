import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** One process with its descendants, from start to end. Sizes in bytes; `null` where the system does not tell. */
export interface Measurement {
  readonly seconds: number;
  /** Peak resident memory of the largest process of the tree. */
  readonly peak: number | null;
  /** Largest sum of resident memory of all processes of the tree at one moment. */
  readonly peakTree: number | null;
  readonly output: string;
}

const SAMPLE_MS = 15;

/** Runs a program to its end. Standard output is kept, errors go to ours. @throws Error when it does not exit with 0 */
export async function measureProcess(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string } = {},
): Promise<Measurement> {
  const begun = performance.now();
  const child = spawn(command, [...args], { cwd: options.cwd, stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'] });
  child.stdin?.end(options.input);
  const parts: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => parts.push(part));
  const sampler = child.pid === undefined ? null : sampleTree(child.pid);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const seconds = (performance.now() - begun) / 1000;
  const memory = await sampler?.stop();
  const output = Buffer.concat(parts).toString('utf8');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${output}`);
  return { seconds, peak: memory?.peak ?? null, peakTree: memory?.peakTree ?? null, output };
}

interface Sampler {
  stop(): Promise<{ readonly peak: number | null; readonly peakTree: number | null }>;
}

function sampleTree(root: number): Sampler {
  let peak = 0;
  let peakTree = 0;
  let stopped = false;
  const sampling = (async () => {
    while (!stopped) {
      let sum = 0;
      for (const pid of await descendants(root)) {
        const { high, now } = await memoryOf(pid);
        sum += now;
        if (high > peak) peak = high;
      }
      if (sum > peakTree) peakTree = sum;
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await sampling;
      return { peak: peak || null, peakTree: Math.max(peak, peakTree) || null };
    },
  };
}

async function descendants(root: number): Promise<number[]> {
  const all = [root];
  // The list grows while it is walked.
  for (const pid of all) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    for (const child of children.split(' ')) if (child !== '') all.push(Number(child));
  }
  return all;
}

/** Highest and present resident memory in bytes; zeros for a process that is gone, and on systems without /proc. */
export async function memoryOf(pid: number | 'self'): Promise<{ readonly high: number; readonly now: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { high: field('VmHWM'), now: field('VmRSS') };
}
