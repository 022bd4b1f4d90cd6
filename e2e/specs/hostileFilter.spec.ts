import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { digitsFile, TrackedRepository } from '../fixtures/gitRepository';
import { faultsOf, filesOf } from '../fixtures/soundRepository';
import { expect, test } from '../fixtures/test';

/** The filter process when git goes away, is impatient, or comes with too much. */
test.skip(({ hostKind }) => hostKind === 'electron', 'git knows no window');
test.setTimeout(300_000);

const THETA = fileURLToPath(new URL('../../electron/theta.mjs', import.meta.url));
const MODEL = 'model.pt';

let repository: TrackedRepository;

test.beforeEach(() => {
  repository = new TrackedRepository();
  repository.theta('install', '--local');
  repository.theta('track', '*.pt', '*.safetensors');
  repository.commit('Track', '.gitattributes');
  repository.put(digitsFile('02_digits'), MODEL);
  repository.commit('one', MODEL);
});

test.afterEach(() => repository.dispose());

const packet = (content: string | Uint8Array) => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
};
const FLUSH = Buffer.from('0000');
const HELLO = Buffer.concat([packet('git-filter-client\n'), packet('version=2\n'), FLUSH, packet('capability=clean\n'), packet('capability=smudge\n'), FLUSH]);
const asking = (command: string, path: string) => Buffer.concat([packet(`command=${command}\n`), packet(`pathname=${path}\n`), FLUSH]);
const content = (bytes: Uint8Array) => {
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 60_000) packets.push(packet(bytes.subarray(at, at + 60_000)));
  return Buffer.concat(packets);
};

function start(): ChildProcessWithoutNullStreams {
  const filter = spawn(process.execPath, [THETA, 'filter-process'], { cwd: repository.folder, env: repository.environment(), stdio: 'pipe' });
  filter.stdin.on('error', () => {});
  return filter;
}

/** What was said on the way out, and how it ended. */
async function ended(filter: ChildProcessWithoutNullStreams): Promise<{ readonly code: number | null; readonly err: string }> {
  let err = '';
  filter.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = (await once(filter, 'close')) as [number | null];
  return { code, err };
}

function expectNothingLeft(): void {
  const git = join(repository.folder, '.git');
  const left = filesOf(git).filter((file) => /^(?:theta-desktop\/spool|lfs\/tmp)\//.test(file));
  expect(left).toEqual([]);
  expect(faultsOf(repository, { files: [MODEL, '.gitattributes'] })).toEqual([]);
}

const metadata = () => Buffer.from(repository.git('cat-file', 'blob', `HEAD:${MODEL}`));

test('git closes its end in the middle of a file: the filter ends, says so, and leaves nothing', async () => {
  const file = readFileSync(digitsFile('03_head'));
  for (const [command, bytes] of [
    ['clean', content(file.subarray(0, 30_000))],
    ['clean', content(file).subarray(0, 20_000)],
    ['smudge', content(metadata()).subarray(0, 500)],
  ] as const) {
    const filter = start();
    const end = ended(filter);
    filter.stdout.resume();
    filter.stdin.end(Buffer.concat([HELLO, asking(command, MODEL), bytes]));
    const { code, err } = await end;
    expect(code).toBe(1);
    expect(err).toContain('git ended in the middle of what it sent');
    expectNothingLeft();
  }
});

test('git closes the other end: a checkpoint that nobody takes is no reason to stay', async () => {
  const filter = start();
  const end = ended(filter);
  filter.stdout.once('data', () => filter.stdout.destroy());
  filter.stdin.write(Buffer.concat([HELLO, asking('smudge', MODEL), content(metadata()), FLUSH]));
  const { code } = await end;
  expect(code).toBe(1);
  expectNothingLeft();
});

for (const [signal, reader] of [
  ['SIGTERM', 'reads on'],
  ['SIGINT', 'reads no more'],
] as const) {
  test(`${signal} during a smudge ends it, also when git ${reader}, and leaves nothing`, async () => {
    const large = 'large.safetensors';
    writeFileSync(join(repository.folder, large), noise(32 * 2 ** 20));
    repository.commit('large', large);
    const blob = Buffer.from(repository.git('cat-file', 'blob', `HEAD:${large}`));
    const filter = start();
    const end = ended(filter);
    filter.stdin.write(Buffer.concat([HELLO, asking('smudge', large), content(blob), FLUSH]));
    // The content is on its way, and is not taken any further.
    await new Promise<void>((resolve) => {
      let seen = 0;
      const look = (data: Buffer) => {
        seen += data.length;
        if (seen < 1000) return;
        filter.stdout.off('data', look).pause();
        resolve();
      };
      filter.stdout.on('data', look);
    });
    const exit = once(filter, 'exit');
    filter.kill(signal);
    if (reader === 'reads on') filter.stdout.resume();
    const [code] = (await exit) as [number | null];
    // Killed by itself when what it has written is not taken.
    expect(code).toBe(reader === 'reads on' ? 130 : null);
    filter.stdout.resume();
    await end;
    expect(readdirSync(join(repository.folder, '.git', 'theta-desktop', 'spool'))).toEqual([]);
    expect(repository.git('status', '--porcelain')).toBe('');
  });
}

test('hundreds of tiny checkpoints pass through one filter process', () => {
  const count = Number(process.env.THETA_TINY_FILES ?? 200);
  const folder = join(repository.folder, 'many');
  repository.put(digitsFile('02_digits'), 'many/first.pt');
  for (let i = 0; i < count; i++) writeFileSync(join(folder, `${i}.safetensors`), safetensors([4], Buffer.from(Float32Array.of(i, 1, 2, 3).buffer)));
  const started = performance.now();
  repository.commit('many', 'many');
  if (process.env.THETA_TINY_FILES !== undefined) console.log(`${count} files added in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  for (let i = 0; i < count; i++) writeFileSync(join(folder, `${i}.safetensors`), '');
  repository.git('checkout', '-q', '--', 'many');
  for (let i = 0; i < count; i++) {
    const file = readFileSync(join(folder, `${i}.safetensors`));
    expect(file.equals(safetensors([4], Buffer.from(Float32Array.of(i, 1, 2, 3).buffer)))).toBe(true);
  }
  expect(repository.git('status', '--porcelain')).toBe('');
});

// Some minutes and five gigabytes of a sparse file: by hand.
test('a checkpoint of 5 GB with a hole takes little memory', async () => {
  test.skip(process.env.THETA_HUGE === undefined, 'set THETA_HUGE=1 to try');
  test.setTimeout(1_800_000);
  const bytes = 5 * 2 ** 30;
  const path = 'huge.safetensors';
  const file = openSync(join(repository.folder, path), 'w');
  const head = safetensors([bytes / 4 / 1024, 1024], Buffer.alloc(0));
  writeSync(file, head);
  writeSync(file, Buffer.from([1, 2, 3, 4]), 0, 4, head.length + bytes - 4);
  closeSync(file);
  for (const args of [
    ['add', path],
    ['commit', '-q', '-m', 'huge'],
    ['cat-file', '--filters', `HEAD:${path}`],
  ]) {
    const child = spawn('git', ['-C', repository.folder, ...args], { env: repository.environment(), stdio: ['ignore', 'ignore', 'inherit'] });
    const end = once(child, 'close');
    let peak = 0;
    let over = false;
    void end.then(() => {
      over = true;
    });
    while (!over) {
      peak = Math.max(peak, filterMemory(repository.folder));
      await delay(50);
    }
    expect((await end)[0]).toBe(0);
    console.log(`git ${args[0]}: the filter took ${(peak / 1024).toFixed(0)} MiB at most`);
    expect(peak).toBeLessThan(512 * 1024);
  }
});

/** Largest peak of memory (KiB) among the filter processes that work in a folder. */
function filterMemory(folder: string): number {
  let peak = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!command.includes('filter-process') || !command.startsWith(process.execPath)) continue;
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder.slice(0, folder.lastIndexOf('/')))) continue;
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0));
    } catch {
      // It has just ended.
    }
  }
  return peak;
}

/** A safetensors file of one float32 tensor. */
function safetensors(shape: readonly number[], data: Buffer): Buffer {
  const bytes = shape.reduce((product, extent) => product * extent, 4);
  const text = JSON.stringify({ w: { dtype: 'F32', shape, data_offsets: [0, bytes] } });
  const header = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, data]);
}

/** A checkpoint that does not compress. */
function noise(bytes: number): Buffer {
  const values = new Uint32Array(bytes / 4);
  let state = 1;
  for (let i = 0; i < values.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // Exponents of ordinary numbers.
    values[i] = (state & 0x807f_ffff) | 0x3f00_0000;
  }
  return safetensors([bytes / 4], Buffer.from(values.buffer));
}
