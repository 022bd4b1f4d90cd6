import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeRepository, type TestRepository, temporaryFolder } from '../testing/testRepository';

/** A filter that turns every byte round (so that nothing is stored as it is) and tells in a log what git asked for. */
const PROGRAM = `
import { appendFileSync } from 'node:fs';
import { serveFilter } from ${JSON.stringify(fileURLToPath(new URL('./filterServer.ts', import.meta.url)))};
import { delaySmudges } from ${JSON.stringify(fileURLToPath(new URL('./delaySmudges.ts', import.meta.url)))};

const log = (line) => appendFileSync(process.argv[2], line + '\\n');
async function turn({ content }) {
  const all = [];
  for await (const piece of content) all.push(Buffer.from(piece));
  const bytes = Buffer.concat(all).map((byte) => byte ^ 0xff);
  return {
    size: bytes.length,
    content: (async function* () {
      for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
    })(),
  };
}
const direct = {
  async clean(request) {
    log('clean ' + request.pathname);
    if (request.pathname.startsWith('bad')) throw new Error('bad file');
    return turn(request);
  },
  async smudge(request) {
    log('smudge ' + request.pathname + (request.blob === null ? '' : ' blob') + (request.treeish === null ? '' : ' treeish'));
    const result = await turn(request);
    await new Promise((resolve) => setTimeout(resolve, request.pathname.length % 7));
    if (request.pathname.startsWith('late')) return { content: (async function* () { yield Buffer.from('half'); throw new Error('late'); })() };
    if (request.pathname.startsWith('never')) throw new Error('never');
    return result;
  },
  report: (error) => console.error('filter: ' + error.message + ' (' + error.place.file + ')'),
};
const handler = process.argv[3] === 'delay' ? delaySmudges(direct, { concurrency: 4 }) : direct;
await serveFilter({ input: process.stdin, output: process.stdout, handler });
log('end');
`;

let folder = '';
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, 'entry.mjs'), PROGRAM);
  await build({
    root: folder,
    configFile: false,
    envDir: false,
    logLevel: 'silent',
    build: {
      ssr: true,
      outDir: join(folder, 'out'),
      target: 'node20',
      minify: false,
      rolldownOptions: { input: join(folder, 'entry.mjs'), output: { entryFileNames: 'filter.mjs' } },
    },
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const data = (seed: number, size: number) => Buffer.from(Array.from({ length: size }, (_, i) => (i * seed + (i >> 8)) & 0xff));
const turned = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0xff));

describe.each(['direct', 'delay'])('the filter server (%s) under git', (mode) => {
  async function repository(): Promise<{ readonly test: TestRepository; readonly log: () => Promise<readonly string[]> }> {
    const test = await makeRepository();
    const logFile = join(test.path, '.git', 'filter.log');
    onTestFinished(() => test.dispose());
    await writeFile(logFile, '');
    await test.git(['config', 'filter.turn.process', `'${process.execPath}' '${join(folder, 'out', 'filter.mjs')}' '${logFile}' ${mode}`]);
    await test.git(['config', 'filter.turn.required', 'true']);
    await test.write('.gitattributes', '*.bin filter=turn -text\n');
    return {
      test,
      log: async () => {
        const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
        await writeFile(logFile, '');
        return lines;
      },
    };
  }

  const FILES: Readonly<Record<string, Buffer>> = {
    'a.bin': data(7, 1000),
    'empty.bin': Buffer.alloc(0),
    'packet.bin': data(3, 65_516),
    'over.bin': data(5, 65_517),
    'large.bin': data(11, 5_000_000),
    'ordner/mit leer ä\n.bin': data(13, 70_000),
    ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`many/${'x'.repeat(i % 9)}${i}.bin`, data(i, i * 1000)])),
  };

  it('stores and gives back many files of all sizes in one process', async () => {
    const { test, log } = await repository();
    await test.commit('files', FILES);
    const cleaned = await log();
    expect(cleaned.filter((line) => line === 'end').length).toBeLessThanOrEqual(2);
    for (const [path, content] of Object.entries(FILES)) {
      expect((await test.bytes(['cat-file', 'blob', `HEAD:${path}`])).equals(turned(content)), path).toBe(true);
      await rm(join(test.path, path));
    }
    await test.git(['checkout', '--quiet', '--', '.']);
    for (const [path, content] of Object.entries(FILES)) expect((await readFile(join(test.path, path))).equals(content), path).toBe(true);
    const smudged = await log();
    expect(smudged.filter((line) => line.startsWith('smudge a.bin'))).toEqual(['smudge a.bin blob']);
    expect(smudged.filter((line) => line === 'end')).toHaveLength(1);
    expect(await test.git(['status', '--porcelain'])).toBe('');
  });

  it('works with reset, stash, worktree, rebase and clone', async () => {
    const { test } = await repository();
    await test.commit('one', { 'a.bin': FILES['a.bin'] ?? '', 'b.bin': 'b one' });
    await test.git(['branch', 'side']);
    await test.commit('two', { 'a.bin': data(9, 2000) });
    await test.write('b.bin', 'changed');
    await test.git(['stash', '--quiet']);
    expect(await readFile(join(test.path, 'b.bin'), 'utf8')).toBe('b one');
    await test.git(['stash', 'pop', '--quiet']);
    expect(await readFile(join(test.path, 'b.bin'), 'utf8')).toBe('changed');
    await test.git(['reset', '--quiet', '--hard']);
    await test.git(['checkout', '--quiet', 'side']);
    expect((await readFile(join(test.path, 'a.bin'))).equals(FILES['a.bin'] ?? Buffer.alloc(0))).toBe(true);
    await test.commit('three', { 'c.bin': 'c' });
    await test.git(['rebase', '--quiet', 'main']);
    expect((await readFile(join(test.path, 'a.bin'))).equals(data(9, 2000))).toBe(true);
    expect(await readFile(join(test.path, 'c.bin'), 'utf8')).toBe('c');
    await test.git(['worktree', 'add', '--quiet', join(folder, `tree-${mode}`), 'HEAD~1']);
    expect((await readFile(join(folder, `tree-${mode}`, 'a.bin'))).equals(data(9, 2000))).toBe(true);
    const config = ['-c', `filter.turn.process=${await test.git(['config', 'filter.turn.process'])}`, '-c', 'filter.turn.required=true'];
    await test.git([...config, 'clone', '--quiet', test.path, join(folder, `clone-${mode}`)]);
    expect(await readFile(join(folder, `clone-${mode}`, 'c.bin'), 'utf8')).toBe('c');
  });

  it('fails a file that cannot be cleaned, and nothing of it is staged', async () => {
    const { test, log } = await repository();
    await test.commit('good', { 'good.bin': 'x' });
    await test.write('bad.bin', Buffer.alloc(3_000_000, 1));
    await expect(test.git(['add', 'bad.bin'])).rejects.toThrow('filter: bad file (bad.bin)');
    expect(await test.git(['status', '--porcelain'])).toBe('?? bad.bin');
    expect((await log()).at(-1)).toBe('end');
  });

  it.each(['late', 'never'])('stops git at a file whose smudge fails (%s), and leaves nothing of it', async (name) => {
    const { test } = await repository();
    await test.commit('files', { 'a.bin': 'a', [`${name}.bin`]: 'broken', 'z.bin': 'z' });
    for (const path of ['a.bin', `${name}.bin`, 'z.bin']) await rm(join(test.path, path));
    await expect(test.git(['checkout', '--', '.'])).rejects.toThrow(`filter: ${name} (${name}.bin)`);
    await expect(readFile(join(test.path, `${name}.bin`))).rejects.toMatchObject({ code: 'ENOENT' });
    if (mode === 'direct') expect(await readFile(join(test.path, 'a.bin'), 'utf8')).toBe('a');
  });
});
