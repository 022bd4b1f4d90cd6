import { chmod, mkdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeRepository, TestRepository, temporaryFolder } from '../testing/testRepository';
import { type Backend, withRepository } from './suiteContext';

async function repository(...args: string[]): Promise<TestRepository> {
  const made = await makeRepository(...args);
  onTestFinished(() => made.dispose());
  return made;
}

const ATTRIBUTES = `\ufeff*.pt filter=theta merge=theta diff=theta
# comment
*.txt text eol=lf
*.crlf text eol=crlf working-tree-encoding=UTF-16LE-BOM
*.bin binary
/root-only.* filter=root
models/*.pt filter=models
models/**/deep.pt filter=deep
**/any.pt filter=any
folder/** filter=below
folder/ filter=never
!negative.pt filter=never
"quoted name.pt" filter=quoted
"caf\\303\\251.pt" filter=octal
with\\ space.pt filter=escaped
[abc]?.safetensors filter=class
[!a-c]x.safetensors filter=negated
[[:digit:]]*.onnx -filter
later.pt !filter
"[attr]quotedmacro" filter=in-quotes
qm.w quotedmacro
[attr]weights filter=macro -diff bins=yes
*.w weights
off.w -weights
*.bad in=valid bad~name=x
a.b.c filter=with=equals
   *.indented filter=indented
-dash.pt filter=dash
`;

const PATHS = [
  'a.pt',
  'models/a.pt',
  'models/x/a.pt',
  'models/deep.pt',
  'models/x/y/deep.pt',
  'any.pt',
  'x/y/any.pt',
  'folder',
  'folder/a',
  'folder/b/c.pt',
  'x/folder/a',
  'negative.pt',
  '!negative.pt',
  'quoted name.pt',
  'café.pt',
  'with space.pt',
  'a1.safetensors',
  'd1.safetensors',
  'dx.safetensors',
  'ax.safetensors',
  'x/b9.safetensors',
  '7.onnx',
  'x/77.onnx',
  'x.onnx',
  'later.pt',
  'm.w',
  'off.w',
  'qm.w',
  'b.bad',
  'a.b.c',
  'q.indented',
  '-dash.pt',
  'root-only.pt',
  'x/root-only.pt',
  'read.txt',
  'read.crlf',
  'big.bin',
  'nested/a.pt',
  'nested/in/b.pt',
  'nested/off.w',
  'line\nbreak.pt',
  '__proto__',
];

const NAMES = ['filter', 'merge', 'diff', 'text', 'eol', 'binary', 'weights', 'bins', 'working-tree-encoding', 'in', '__proto__', 'constructor'];

/** As `git check-attr` says, unspecified ones left out. */
async function checked(test: TestRepository): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const output = await test.git(['check-attr', '-z', '--stdin', ...NAMES], { input: PATHS.map((path) => `${path}\0`).join('') });
  const fields = output.split('\0');
  const answer = new Map<string, Record<string, string>>(PATHS.map((path) => [path, Object.create(null)]));
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const record = answer.get(fields[i] ?? '');
    if (record !== undefined && fields[i + 2] !== 'unspecified') record[fields[i + 1] ?? ''] = fields[i + 2] ?? '';
  }
  return answer;
}

export function workTreeSuite(backend: Backend): void {
  describe('attributes', () => {
    async function withAttributes(): Promise<TestRepository> {
      const test = await repository();
      const nested = '*.pt filter=nested\nin/*.pt -filter\n[attr]forbidden filter=here\n';
      await test.commit('attributes', { '.gitattributes': ATTRIBUTES, 'nested/.gitattributes': nested });
      await test.write('.git/info/attributes', 'models/a.pt filter=info\n7.onnx filter=unset-again\n');
      return test;
    }

    it('are those of git check-attr', async () => {
      const test = await withAttributes();
      const expected = await checked(test);
      expect(expected.get('models/x/y/deep.pt')).toMatchObject({ filter: 'deep', merge: 'theta' });
      await withRepository(backend, test, async (git) => {
        expect(await git.attributes(PATHS, NAMES)).toEqual(expected);
        expect(await git.attributes([], NAMES)).toEqual(new Map());
        expect(await git.attributes(['a.pt', '../x', '/etc/passwd', ''], ['filter', '--all', '-a', ''])).toEqual(new Map([['a.pt', { filter: 'theta' }]]));
      });
    });

    it('come from the index when the file is not in the work tree, and from the work tree when it changed', async () => {
      const test = await withAttributes();
      // A byte order mark would be skipped in a file, but not by git in the index.
      await test.write('.gitattributes', ATTRIBUTES.slice(1));
      await test.git(['add', '.gitattributes']);
      await test.write('nested/.gitattributes', '*.pt filter=changed\n');
      await rm(join(test.path, '.gitattributes'));
      const expected = await checked(test);
      expect(expected.get('nested/a.pt')).toEqual({ filter: 'changed', merge: 'theta', diff: 'theta' });
      expect(await withRepository(backend, test, (git) => git.attributes(PATHS, NAMES))).toEqual(expected);
    });

    it('come from HEAD in a bare repository', async () => {
      const test = await withAttributes();
      await rm(join(test.path, '.git', 'info', 'attributes'));
      const expected = await checked(test);
      const bare = new TestRepository(await temporaryFolder());
      onTestFinished(() => bare.dispose());
      await bare.git(['clone', '-q', '--bare', test.path, '.']);
      expect(await withRepository(backend, bare, (git) => git.attributes(PATHS, NAMES))).toEqual(expected);
    });
  });

  describe('status', () => {
    const statusOf = async (test: TestRepository | string, ...paths: string[]) =>
      Object.fromEntries(await withRepository(backend, test, (git) => git.status(paths)));
    const later = new Date(1_800_000_000_000);

    it('tells what happened to plain files', async () => {
      const test = await repository();
      const names = [
        'same',
        'touched',
        'grown',
        'equal-length',
        'deleted',
        'removed',
        'cached',
        'staged',
        'became-folder',
        'became-link',
        'mode',
        'dir/in',
        'dirlink/in',
        '-dash',
        'ü\nn',
      ];
      await test.commit('all', Object.fromEntries(names.map((name) => [name, `content of ${name}\n`])));
      const at = (name: string) => join(test.path, name);
      await utimes(at('touched'), later, later);
      await test.write('grown', 'content of grown, and more\n');
      await test.write('equal-length', 'CONTENT of equal-length\n');
      await utimes(at('equal-length'), later, later);
      await rm(at('deleted'));
      await test.git(['rm', '-q', 'removed']);
      await test.git(['rm', '-q', '--cached', 'cached']);
      await test.write('staged', 'another content\n');
      await test.write('new', 'new\n');
      await test.git(['add', 'staged', 'new']);
      await test.write('untracked', 'x');
      for (const name of ['became-folder', 'became-link']) await rm(at(name));
      await mkdir(at('became-folder'));
      await symlink('same', at('became-link'));
      await chmod(at('mode'), 0o755);
      await rm(at('dirlink'), { recursive: true });
      await symlink('dir', at('dirlink'));
      const expected = {
        same: 'unmodified',
        touched: 'unmodified',
        grown: 'modified',
        'equal-length': 'modified',
        deleted: 'deleted',
        removed: 'deleted',
        cached: 'deleted',
        staged: 'modified',
        new: 'modified',
        untracked: 'unknown',
        'became-folder': 'deleted',
        'became-link': 'modified',
        mode: 'modified',
        'dir/in': 'unmodified',
        'dirlink/in': 'deleted',
        '-dash': 'unmodified',
        'ü\nn': 'unmodified',
        nope: 'unknown',
        '../same': 'unknown',
        '': 'unknown',
        dir: 'unknown',
      };
      expect(await statusOf(test, ...Object.keys(expected))).toEqual(expected);
      expect(await statusOf(join(test.path, 'dir'), 'dir/in', 'in')).toEqual({ 'dir/in': 'unmodified', in: 'unknown' });
    });

    it('does not trust a file that changed in the moment it was staged', async () => {
      const test = await repository();
      await test.commit('one', { a: 'one\n' });
      // Same size, and the time that the index has: only the index's own time tells.
      const { mtime } = await stat(join(test.path, 'a'));
      await test.write('a', 'two\n');
      await utimes(join(test.path, 'a'), mtime, mtime);
      await utimes(join(test.path, '.git', 'index'), mtime, mtime);
      expect(await statusOf(test, 'a')).toEqual({ a: 'modified' });
    });

    it('sees conflicts', async () => {
      const test = await repository();
      await test.commit('base', { a: 'base\n', b: 'b\n' });
      await test.git(['switch', '-q', '-c', 'side']);
      await test.commit('side', { a: 'side\n' });
      await test.git(['switch', '-q', 'main']);
      await test.commit('main', { a: 'main\n' });
      await test.git(['merge', '-q', 'side']).catch(() => {});
      expect(await statusOf(test, 'a', 'b')).toEqual({ a: 'conflict', b: 'unmodified' });
    });

    it('does not guess behind a filter, and runs none', async () => {
      const test = await repository();
      await test.commit('all', {
        '.gitattributes': '*.pt filter=theta\n',
        'same.pt': '1234\n',
        'touched.pt': '1234\n',
        'equal.pt': '1234\n',
        'grown.pt': '1234\n',
      });
      for (const [name, content] of [
        ['touched.pt', '1234\n'],
        ['equal.pt', '5678\n'],
        ['grown.pt', '1234 and more\n'],
      ] as const) {
        await test.write(name, content);
        await utimes(join(test.path, name), later, later);
      }
      const marker = join(test.path, '.git', 'filter-ran');
      await test.git(['config', 'filter.theta.clean', `touch ${marker}`]);
      await test.git(['config', 'filter.theta.process', `touch ${marker}`]);
      expect(await statusOf(test, 'same.pt', 'touched.pt', 'equal.pt', 'grown.pt')).toEqual({
        'same.pt': 'unmodified',
        'touched.pt': 'unmodified',
        'equal.pt': 'unknown',
        'grown.pt': 'modified',
      });
      await expect(stat(marker)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('knows the rule of Git LFS', async () => {
      const test = await repository();
      const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:03ac674216f3e15c761ee1a5e255f067953623c8b388b4459e13f978d7c846f4\nsize 4\n';
      await test.commit('all', { 'smudged.bin': pointer, 'changed.bin': pointer, 'pointer.bin': pointer, '.gitattributes': '*.bin filter=lfs\n' });
      await test.write('smudged.bin', '1234');
      await test.write('changed.bin', '1235');
      await utimes(join(test.path, 'pointer.bin'), later, later);
      expect(await statusOf(test, 'smudged.bin', 'changed.bin', 'pointer.bin')).toEqual({
        'smudged.bin': 'unmodified',
        'changed.bin': 'modified',
        'pointer.bin': 'unmodified',
      });
    });

    it('takes converted line ends for unmodified', async () => {
      const test = await repository();
      await test.commit('all', { '.gitattributes': '*.txt text\n', 'a.txt': 'one\ntwo\n', 'b.txt': 'one\ntwo\n', 'c.dat': 'one\ntwo\n' });
      await test.write('a.txt', 'one\r\ntwo\r\n');
      await test.write('b.txt', 'one\r\nTWO\r\n');
      await test.write('c.dat', 'one\r\ntwo\r\n');
      expect(await statusOf(test, 'a.txt', 'b.txt', 'c.dat')).toEqual({ 'a.txt': 'unmodified', 'b.txt': 'modified', 'c.dat': 'modified' });
      await test.git(['config', 'core.autocrlf', 'true']);
      expect(await statusOf(test, 'c.dat')).toEqual({ 'c.dat': 'unmodified' });
    });

    it('follows a symlink to its target’s name only', async () => {
      const test = await repository();
      await symlink('one', join(test.path, 'same'));
      await symlink('one', join(test.path, 'moved'));
      await test.commit('links', { one: '1' });
      for (const [name, target] of [
        ['same', 'one'],
        ['moved', 'two'],
      ] as const) {
        await rm(join(test.path, name));
        await symlink(target, join(test.path, name));
      }
      expect(await statusOf(test, 'same', 'moved')).toEqual({ same: 'unmodified', moved: 'modified' });
    });

    it.each([2, 3, 4])('reads an index of version %i', async (version) => {
      const test = await repository();
      await test.commit('all', { 'a/one': '1\n', 'a/two': '2\n', 'a/zwei': '2\n', b: 'b\n', later: 'l\n' });
      await test.git(['update-index', '--index-version', String(version)]);
      await test.write('later', 'x\n');
      await test.git(['add', '--intent-to-add', 'later']);
      await test.git(['update-index', '--skip-worktree', 'b']);
      await rm(join(test.path, 'b'));
      expect(await statusOf(test, 'a/one', 'a/two', 'a/zwei', 'b', 'later')).toEqual({
        'a/one': 'unmodified',
        'a/two': 'unmodified',
        'a/zwei': 'unmodified',
        b: 'unmodified',
        later: 'modified',
      });
    });

    it('reads a split index, or says that it does not know', async () => {
      const test = await repository();
      await test.commit('all', { a: '1\n', b: '2\n' });
      await test.git(['update-index', '--split-index']);
      await test.write('b', 'longer\n');
      expect(await statusOf(test, 'a', 'b')).toEqual(backend === 'native' ? { a: 'unmodified', b: 'modified' } : { a: 'unknown', b: 'unknown' });
    });

    it('does not know in a bare repository, and reads an unborn branch', async () => {
      const bare = await repository('--bare');
      expect(await statusOf(bare, 'a')).toEqual({ a: 'unknown' });
      const unborn = await repository();
      await writeFile(join(unborn.path, 'a'), 'a');
      expect(await statusOf(unborn, 'a')).toEqual({ a: 'unknown' });
      await unborn.git(['add', 'a']);
      expect(await statusOf(unborn, 'a')).toEqual({ a: 'modified' });
    });
  });
}
