import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRepository } from '../openRepository';
import { makeRepository, temporaryFolder } from '../testing/testRepository';
import { decodeExactly, editAttributesFile, encodeExactly } from './attributesFile';
import { convertLfs, listTracked, trackPattern, untrackPattern } from './editAttributes';
import { overlapWithLfs } from './overlapWithLfs';
import { samplePath } from './samplePath';
import { patternForPath } from './trackedPattern';

const US = 'filter=theta diff=theta merge=theta -text';

describe('trackPattern', () => {
  it.each([
    ['', '*.pt', `*.pt ${US}\n`],
    ['# notes\n\n*.txt text\n', '*.pt', `# notes\n\n*.txt text\n*.pt ${US}\n`],
    ['a b', '*.pt', `a b\n*.pt ${US}\n`],
    ['a b\r\n', '*.pt', `a b\r\n*.pt ${US}\r\n`],
    ['a b\r\nc d', '*.pt', `a b\r\nc d\r\n*.pt ${US}\r\n`],
    ['\ufeff', '*.pt', `\ufeff*.pt ${US}\n`],
    ['\ufeffa b', '*.pt', `\ufeffa b\n*.pt ${US}\n`],
    ['', 'with space.pt', `"with space.pt" ${US}\n`],
    ['', 'say "x".pt', `"say \\"x\\".pt" ${US}\n`],
    ['', '#1.pt', `"#1.pt" ${US}\n`],
    ['', '!1.pt', `\\!1.pt ${US}\n`],
    ['', '! 1.pt', `"\\\\! 1.pt" ${US}\n`],
    ['', '[attr]x', `[atr]x ${US}\n`],
    ['', 'modèle-模型.pt', `modèle-模型.pt ${US}\n`],
    ['', 'tab\tand\nline\u0001.pt', `"tab\\tand\\nline\\001.pt" ${US}\n`],
    ['', 'models/**/x[ab]?.pt', `models/**/x[ab]?.pt ${US}\n`],
  ])('adds to %j the pattern %j', (text, pattern, expected) => {
    const edit = trackPattern(text, pattern);
    expect(edit).toEqual({ text: expected, changed: true });
    expect(trackPattern(edit.text, pattern)).toEqual({ text: edit.text, changed: false });
    expect(listTracked(edit.text).at(-1)).toMatchObject({ line: expected.trimEnd().split('\n').length });
  });

  it.each([
    ['the same line', `*.pt ${US}\n`, '*.pt', false],
    ['a wider line', `*.pt ${US}\n`, 'models/a.pt', false],
    ['in two lines', '*.pt filter=theta diff=theta\n*.pt merge=theta -text\n', '*.pt', false],
    ['by a macro', `[attr]model ${US}\n*.pt model\n`, '*.pt', false],
    ['an exception for a part', `*.pt ${US}\nvendor/*.pt -filter\n`, '*.pt', false],
    ['a part only', `models/*.pt ${US}\n`, '*.pt', true],
    ['without -text', '*.pt filter=theta diff=theta merge=theta\n', '*.pt', true],
    ['taken back later', `*.pt ${US}\n*.pt -diff\n`, '*.pt', true],
    ['taken back later for all', `*.pt ${US}\n* !merge\n`, '*.pt', true],
    ['made binary later', `*.pt ${US}\n*.pt binary\n`, '*.pt', true],
    ['given to LFS later', `*.pt ${US}\n*.p? filter=lfs\n`, '*.pt', true],
    ['in a comment', `#*.pt ${US}\n`, '*.pt', true],
    ['with an invalid name beside it', `*.pt ${US} in~valid\n`, '*.pt', true],
    ['for one path', `/a.pt ${US}\n`, '/a.pt', false],
    ['for one path, taken back', `/models/a.pt ${US}\nmodels/a* filter=lfs\n`, '/models/a.pt', true],
  ])('sees what is said already: %s', (_, text, pattern, changed) => {
    expect(trackPattern(text, pattern).changed).toBe(changed);
  });

  it('writes into the file of a folder what holds below it', () => {
    const line = (pattern: string) => trackPattern('', pattern, { folder: 'models/' }).text.replace(` ${US}\n`, '');
    expect(line('*.pt')).toBe('*.pt');
    expect(line('models/a.pt')).toBe('/a.pt');
    expect(line('/models/*.pt')).toBe('/*.pt');
    expect(line('models/big/a.pt')).toBe('big/a.pt');
    expect(() => line('data/a.pt')).toThrow('not below models/');
    // A macro is one at the root only.
    const text = `[attr]model ${US}\n*.pt model\n`;
    expect(trackPattern(text, '*.pt', { folder: 'models/' }).changed).toBe(true);
  });

  it.each(['', 'models/', 'a\0b', '[ab', 'a\\'])('refuses %j', (pattern) => {
    expect(() => trackPattern('', pattern)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });

  it('refuses what is too long for git', () => {
    expect(trackPattern('', 'x'.repeat(2000)).changed).toBe(true);
    expect(() => trackPattern('', 'x'.repeat(2030))).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });

  it('names a path and nothing else', () => {
    expect(patternForPath('a.pt')).toBe('/a.pt');
    expect(patternForPath('models/a[1]*?\\.pt')).toBe('models/a\\[1]\\*\\?\\\\.pt');
  });

  it.each([
    ['/models/a.pt', 'models/a.pt'],
    ['models/a\\*.pt', 'models/a*.pt'],
    ['a.pt', 'q7-sample/a.pt'],
    ['*.pt', 'q7-sample/q7-sample.pt'],
    ['**/x/**', 'q7-sample/x/q7-sample'],
    ['[!a-y]?[]x][[:digit:]]', 'q7-sample/zqx0'],
    ['/[[:alpha:]]\\[', 'q['],
    ['/😀[😁].pt', null],
  ])('sees of %j the path %j', (pattern, path) => {
    expect(samplePath(pattern)).toBe(path);
  });
});

describe('untrackPattern', () => {
  it.each([
    [`*.pt ${US}\n`, ''],
    [`# a\n*.pt ${US}\n\n*.x -text\n`, '# a\n\n*.x -text\n'],
    [`\ufeff*.pt ${US}\r\nb c`, '\ufeffb c'],
    [`a b\n*.pt ${US}`, 'a b\n'],
    [`  *.pt\t${US} eol=lf  \n`, '  *.pt eol=lf  \n'],
    [`*.pt one filter=theta two diff=theta merge=theta three -text\r\n`, '*.pt one two three\r\n'],
    [`"*.pt" ${US}\n`, ''],
    [`"*.pt"filter=theta x\n`, '"*.pt" x\n'],
    ['*.pt diff=theta\n*.pt filter=theta\n', ''],
    ['*.pt filter=lfs diff=theta -text\n', '*.pt filter=lfs\n'],
    ['*.pt -text\n', null],
    ['*.pt filter=lfs diff=lfs merge=lfs -text\n', null],
    [`models/*.pt ${US}\n`, null],
    [`#*.pt ${US}\n`, null],
    [`[attr]*.pt ${US}\n`, null],
  ])('takes tracking out of %j', (text, expected) => {
    expect(untrackPattern(text, '*.pt')).toEqual({ text: expected ?? text, changed: expected !== null });
  });

  it('knows a pattern with a slash that says nothing, and one that had to be escaped', () => {
    expect(untrackPattern(`/models/a.pt ${US}\n`, 'models/a.pt').text).toBe('');
    expect(untrackPattern(`/a.pt ${US}\n`, 'a.pt').changed).toBe(false);
    for (const pattern of ['!x', '[attr]x', '#', ' ', 'a b\n']) expect(untrackPattern(trackPattern('', pattern).text, pattern).text).toBe('');
  });
});

describe('listTracked', () => {
  it('gives patterns and lines', () => {
    const text = `\ufeff*.pt ${US}\r\n# x\n"a \\"b\\303\\244" filter=theta\nq filter=theta filter=lfs\nz filter=lfs\n[attr]m filter=theta\n`;
    expect(listTracked(text)).toEqual([
      { pattern: '*.pt', line: 1 },
      { pattern: 'a "bä', line: 3 },
    ]);
    expect(listTracked('')).toEqual([]);
  });
});

describe('convertLfs', () => {
  it.each([
    ['*.pt filter=lfs diff=lfs merge=lfs -text\n', `*.pt ${US}\n`],
    ['"a b"\tfilter=lfs  -diff x\r\n', '"a b"\tfilter=theta  -diff x merge=theta -text\r\n'],
    ['*.pt filter=lfs', '*.pt filter=theta diff=theta merge=theta -text'],
  ])('converts %j', (text, expected) => {
    expect(convertLfs(`# first\n${text}`, 2)).toEqual({ text: `# first\n${expected}`, changed: true });
  });

  it.each(['*.pt lfs\n', '*.pt filter=other\n', '# filter=lfs\n', '[attr]lfs filter=lfs\n', '', '*.pt filter=lfs filter=x\n'])('refuses %j', (text) => {
    expect(() => convertLfs(text, 1)).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});

describe('overlapWithLfs', () => {
  it('names the line that is in force', async () => {
    const test = await makeRepository();
    onTestFinished(() => test.dispose());
    await test.write('.gitattributes', '[attr]large filter=lfs -text\n\n*.pt filter=lfs\n*.bin large\n*.x filter=lfs\n');
    await test.write('models/.gitattributes', '# ours\ntheta.pt filter=theta\nother.* filter=lfs\n*.x !filter\n');
    await test.write('.git/info/attributes', 'models/deep/*.x filter=lfs\n');
    const git = await openRepository(test.path, { backend: 'native' });
    const paths = ['a.pt', 'b.bin', 'models/theta.pt', 'models/other.pt', 'models/c.pt', 'models/a.x', 'models/deep/a.x', 'plain'];
    expect(await overlapWithLfs(git, paths)).toEqual(
      new Map([
        ['a.pt', { file: '.gitattributes', line: 3 }],
        ['b.bin', { file: '.gitattributes', line: 4 }],
        ['models/other.pt', { file: 'models/.gitattributes', line: 3 }],
        ['models/c.pt', { file: '.gitattributes', line: 3 }],
        ['models/deep/a.x', { file: join(test.path, '.git/info/attributes'), line: 1 }],
      ]),
    );
    // git takes the index where the work tree has no such file.
    await test.git(['add', '.gitattributes']);
    await rm(join(test.path, '.gitattributes'));
    expect(await overlapWithLfs(git, ['a.pt'])).toEqual(new Map([['a.pt', { file: null, line: null }]]));
    await git.close();
  });
});

describe('editAttributesFile', () => {
  it('keeps bytes that are not UTF-8, and the mode', async () => {
    const path = join(await temporaryFolder(), '.gitattributes');
    const before = Buffer.concat([Buffer.from('# gr'), Buffer.from([0xfc, 0xdf, 0x65, 0x0a]), Buffer.from('*.txt text'), Buffer.from([0xff])]);
    await writeFile(path, before);
    await chmod(path, 0o640);
    expect(await editAttributesFile(path, (text) => trackPattern(text, 'ä.pt'))).toBe(true);
    expect(await readFile(path)).toEqual(Buffer.concat([before, Buffer.from(`\nä.pt ${US}\n`)]));
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await editAttributesFile(path, (text) => trackPattern(text, 'ä.pt'))).toBe(false);
  });

  it('makes the file, and refuses links and folders', async () => {
    const folder = await temporaryFolder();
    expect(await editAttributesFile(join(folder, 'new'), (text) => trackPattern(text, '*.pt'))).toBe(true);
    expect(await readFile(join(folder, 'new'), 'utf8')).toBe(`*.pt ${US}\n`);
    await symlink('new', join(folder, 'link'));
    await mkdir(join(folder, 'folder'));
    for (const name of ['link', 'folder']) {
      await expect(editAttributesFile(join(folder, name), (text) => trackPattern(text, '*.pt'))).rejects.toMatchObject({ code: 'invalid-request' });
    }
  });

  it('decodes any bytes and gives them back', () => {
    for (let seed = 1; seed < 200; seed++) {
      const bytes = Buffer.from(Array.from({ length: seed % 40 }, (_, i) => (i * seed * 37 + seed * 11 + (i >> 1) * 101) & 0xff));
      expect(encodeExactly(decodeExactly(bytes)).equals(bytes)).toBe(true);
    }
    for (const hex of ['eda080', 'f4908080', 'c080', 'e282', 'efbfbd', 'f09f9880ff', 'edb280']) {
      expect(encodeExactly(decodeExactly(Buffer.from(hex, 'hex'))).toString('hex')).toBe(hex);
    }
  });
});
