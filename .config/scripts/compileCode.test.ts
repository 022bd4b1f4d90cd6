import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeSuffix, loadBundle } from '../../electron/loadBundle';
import { compileCode } from './compileCode.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'theta-bundle-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('loadBundle', () => {
  it('gives what a file and those beside it export, each run once, with what node brings', () => {
    write('part.cjs', 'exports.list = []; exports.list.push(__filename);');
    const main = write(
      'main.cjs',
      'const { sep } = require("node:path"); exports.sep = sep; exports.list = require("./part.cjs").list; exports.folder = __dirname;',
    );
    const other = write('other.cjs', 'exports.list = require("./part.cjs").list;');
    const loaded = loadBundle<{ sep: string; list: string[]; folder: string }>(main);
    expect(loaded).toEqual({ sep: join('a', 'b')[1], list: [join(folder, 'part.cjs')], folder });
    expect(loadBundle(main)).toBe(loaded);
    expect(loadBundle<{ list: string[] }>(other).list).toBe(loaded.list);
  });

  it('takes the code that was compiled when it was built', async () => {
    const main = write('main.cjs', 'exports.answer = () => 6 * 7;');
    await compileCode(folder);
    const code = `${main}${codeSuffix()}`;
    expect(existsSync(code)).toBe(true);
    // What the engine says of it when it is given the very source that loadBundle makes.
    const script = new Script(Module.wrap(readFileSync(main, 'utf8')), { filename: main, cachedData: readFileSync(code) });
    expect(script.cachedDataRejected).toBe(false);
    expect(loadBundle<{ answer: () => number }>(main).answer()).toBe(42);
  });

  it.each([
    ['damaged', (code: Buffer) => code.fill(0xff, 20, 40)],
    ['cut off', (code: Buffer) => code.subarray(0, code.length / 2)],
    ['empty', () => Buffer.alloc(0)],
  ])('compiles the file itself where the code is %s', async (_, spoil) => {
    const main = write('main.cjs', 'exports.answer = () => 6 * 7;');
    await compileCode(folder);
    const code = `${main}${codeSuffix()}`;
    writeFileSync(code, spoil(readFileSync(code)));
    expect(loadBundle<{ answer: () => number }>(main).answer()).toBe(42);
  });

  it('compiles a file anew that is longer or shorter than the one that was built', async () => {
    const main = write('main.cjs', 'exports.answer = () => 6 * 7;');
    await compileCode(folder);
    write('main.cjs', 'exports.answer = () => 6 * 7 + 1;');
    expect(loadBundle<{ answer: () => number }>(main).answer()).toBe(43);
  });

  it('tries again after a failure, which it passes on', () => {
    const main = write('main.cjs', 'exports.value = require("./missing.cjs");');
    expect(() => loadBundle(main)).toThrow(/missing\.cjs/);
    write('missing.cjs', 'module.exports = 5;');
    expect(loadBundle(main)).toEqual({ value: 5 });
  });
});
