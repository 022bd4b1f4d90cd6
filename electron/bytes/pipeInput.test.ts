import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPipe, PipeInput } from './pipeInput';

/** Numbers one after the other, 5.9 MB. */
const WRITER = "for (let i = 0; i < 100; i++) process.stdout.write(Array.from({ length: 10000 }, (_, j) => i * 10000 + j).join(' '))";
const CONTENT = Buffer.concat(Array.from({ length: 100 }, (_, i) => Buffer.from(Array.from({ length: 10000 }, (_, j) => i * 10000 + j).join(' '))));

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  let folder: string;
  let pipe: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'theta-pipe-'));
    pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  /** The shell opens the pipe for writing, and node prints into it. */
  const write = (program: string) => spawn('sh', ['-c', 'exec "$0" -e "$1" > "$2"', process.execPath, program, pipe]);

  it.each([
    ['quickly', 0],
    ['slowly, so that the writer has to wait', 1],
  ])('is read %s, to the last byte in order', async (_, pause) => {
    const file = open();
    expect(isPipe(file)).toBe(true);
    const writer = write(WRITER);
    await delay(300);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of new PipeInput(file)) {
      if (pause > 0) await delay(pause);
      hash.update(piece);
      bytes += piece.length;
    }
    expect(bytes).toBe(CONTENT.length);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(CONTENT).digest('hex'));
    writer.kill();
  });

  it('ends with the error that it is destroyed with, whether somebody waits or not', async () => {
    for (const waits of [true, false]) {
      const writer = write('setTimeout(() => {}, 60000)');
      const input = new PipeInput(openSync(pipe, constants.O_RDONLY));
      const first = waits ? input[Symbol.asyncIterator]().next() : null;
      first?.catch(() => {});
      input.destroy(new Error('given up'));
      await expect(first ?? input[Symbol.asyncIterator]().next()).rejects.toThrow('given up');
      writer.kill('SIGKILL');
    }
  });

  it('is closed when its reader leaves early', async () => {
    const writer = write(WRITER);
    const ended = new Promise((resolve) => writer.once('exit', resolve));
    for await (const piece of new PipeInput(openSync(pipe, constants.O_RDONLY))) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    // Nobody reads what it writes.
    expect(await ended).not.toBe(0);
  });
});

it('knows a file from a pipe', () => {
  const file = openSync(new URL(import.meta.url), 'r');
  expect(isPipe(file)).toBe(false);
  expect(isPipe(9999)).toBe(false);
});
