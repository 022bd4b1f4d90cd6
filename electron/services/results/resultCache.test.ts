import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createResultCache } from './resultCache';
import { encodeRecord, recordKey } from './resultRecord';

const schema = v.object({ mean: v.number(), counts: v.instance(Float64Array), at: v.nullable(v.array(v.number())) });
const value = { mean: Number.POSITIVE_INFINITY, counts: Float64Array.of(1, 0.1, 3), at: [1, 2] };

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'theta-results-'));
  folder = join(root, 'state', 'results');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const number = v.number();
/** What somebody else finds who opens the folder now. */
const find = (id: string, kind = 'n 1') => createResultCache(folder).get(kind, [id], number);

describe('openResultCache', () => {
  it('gives back what was kept, from memory and to another process from the disk', async () => {
    const cache = createResultCache(folder);
    await cache.set('stats 1', ['a', 'b'], value);
    expect(await cache.get('stats 1', ['a', 'b'], schema)).toEqual(value);
    expect(await createResultCache(folder).get('stats 1', ['a', 'b'], schema)).toEqual(value);
  });

  it('tells kinds, ids and their order apart, however they are written one after the other', async () => {
    const cache = createResultCache(folder);
    await cache.set('stats 1', ['a', 'b'], value);
    const others: [string, string[]][] = [
      ['stats 2', ['a', 'b']],
      ['stats 1', ['b', 'a']],
      ['stats 1', ['ab']],
      ['stats 1', ['a', 'b', '']],
      ['stats 1a', ['b']],
    ];
    for (const [kind, ids] of others) expect(await cache.get(kind, ids, schema)).toBeNull();
  });

  it('keeps nothing of values that are nowhere in git', async () => {
    const cache = createResultCache(folder);
    await cache.set('n 1', ['a', null], 1);
    expect(await cache.get('n 1', ['a', null], number)).toBeNull();
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  it('does not know what has another form than the reader expects', async () => {
    await createResultCache(folder).set('n 1', ['a'], 'text');
    expect(await find('a')).toBeNull();
  });

  it('sees what others add after it has looked', async () => {
    const [one, two] = [createResultCache(folder), createResultCache(folder)];
    await one.set('n 1', ['a'], 1);
    expect(await two.get('n 1', ['b'], number)).toBeNull();
    await one.set('n 1', ['b'], 2);
    await expect.poll(() => two.get('n 1', ['b'], number)).toBe(2);
    await two.set('n 1', ['c'], 3);
    await expect.poll(() => one.get('n 1', ['c'], number)).toBe(3);
  });

  it('takes writers in several processes', async () => {
    // The record format is written with plain appends; other processes do just that.
    const children = [0, 1, 2].map((child) => {
      const records = Array.from({ length: 200 }, (_, index) => {
        const record = encodeRecord(recordKey('n 1', [`${child}:${index}`]), child * 1000 + index);
        return record?.toString('hex');
      });
      return { child, records };
    });
    const cache = createResultCache(folder);
    await cache.set('n 1', ['own'], -1);
    const script = join(root, 'append.cjs');
    await writeFile(
      script,
      `process.on('message', ({ file, records }) => {
        for (const record of records) require('node:fs').appendFileSync(file, Buffer.from(record, 'hex'));
        process.exit(0);
      });`,
    );
    const running = children.map(async ({ records }) => {
      const child = fork(script);
      child.send({ file: join(folder, 'newer'), records });
      await once(child, 'exit');
    });
    for (let index = 0; index < 200; index++) await cache.set('n 1', [`own ${index}`], index);
    await Promise.all(running);
    const reader = createResultCache(folder);
    for (const { child } of children) {
      for (let index = 0; index < 200; index++) expect(await reader.get('n 1', [`${child}:${index}`], number)).toBe(child * 1000 + index);
    }
    for (let index = 0; index < 200; index++) expect(await reader.get('n 1', [`own ${index}`], number)).toBe(index);
  });

  it('passes over damaged, torn and foreign bytes and finds everything around them', async () => {
    const cache = createResultCache(folder);
    await cache.set('n 1', ['a'], 1);
    const file = join(folder, 'newer');
    const first = (await stat(file)).size;
    await cache.set('n 1', ['b'], 2);
    const second = (await stat(file)).size;
    await cache.set('n 1', ['c'], 3);
    const whole = await readFile(file);
    for (let at = first; at < second; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      await writeFile(file, damaged);
      expect([await find('a'), await find('b'), await find('c')]).toEqual([1, null, 3]);
    }
    for (let cut = first + 1; cut < second; cut++) {
      // A writer was killed within its record, and another one went on after it.
      await writeFile(file, Buffer.concat([whole.subarray(0, cut), whole.subarray(second)]));
      expect([await find('a'), await find('b'), await find('c')]).toEqual([1, null, 3]);
    }
    await writeFile(file, 'something else');
    expect(await find('a')).toBeNull();
  });

  it('notices damage to what it has found before', async () => {
    const cache = createResultCache(folder);
    await cache.set('n 1', ['a'], 1);
    const reader = createResultCache(folder);
    expect(await reader.get('n 1', ['x'], number)).toBeNull();
    const file = join(folder, 'newer');
    const bytes = await readFile(file);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(file, bytes);
    expect(await reader.get('n 1', ['a'], number)).toBeNull();
    await reader.set('n 1', ['a'], 5);
    expect(await find('a')).toBe(5);
  });

  it('goes on when the folder is deleted, and cannot be made', async () => {
    const cache = createResultCache(folder);
    await cache.set('n 1', ['a'], 1);
    await rm(folder, { recursive: true });
    expect(await cache.get('n 1', ['a'], number)).toBe(1);
    expect(await find('a')).toBeNull();
    await cache.set('n 1', ['b'], 2);
    expect(await find('b')).toBe(2);
    await rm(root, { recursive: true });
    await cache.set('n 1', ['c'], 3);
    expect(await cache.get('n 1', ['c'], number)).toBe(3);
    await expect(stat(root)).rejects.toThrow('ENOENT');
  });

  it('stays within its bounds, and keeps what is asked for', async () => {
    const options = { generationBytes: 4096 };
    const cache = createResultCache(folder, options);
    await cache.set('n 1', ['wanted'], 42);
    for (let index = 0; index < 500; index++) {
      await cache.set('n 1', [`${index}`], index);
      if (index % 20 === 0) {
        const reader = createResultCache(folder, options);
        expect(await reader.get('n 1', ['wanted'], number)).toBe(42);
        // What was found in the older generation goes to the newer one with the next write.
        await reader.set('n 1', ['touch'], 0);
      }
    }
    let bytes = 0;
    for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
    expect(bytes).toBeLessThan(2 * 4096 + 400);
    expect(await createResultCache(folder, options).get('n 1', ['0'], number)).toBeNull();
    expect(await createResultCache(folder, options).get('n 1', ['499'], number)).toBe(499);
  });

  it('does not keep what is very large on the disk', async () => {
    const cache = createResultCache(folder);
    const noise = new Float64Array(200_000).map((_, index) => Math.sin(index * index));
    await cache.set('n 1', ['a'], noise);
    expect(await cache.get('n 1', ['a'], v.instance(Float64Array))).toBeNull();
  });

  it('does not look at times', async () => {
    await createResultCache(folder).set('n 1', ['a'], 1);
    await utimes(join(folder, 'newer'), 0, 0);
    expect(await find('a')).toBe(1);
  });
});
