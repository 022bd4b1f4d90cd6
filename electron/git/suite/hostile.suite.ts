import { chmod, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asHash, makeRepository, TestRepository, temporaryFolder } from '../testing/testRepository';
import { type Backend, collect, withRepository } from './suiteContext';

/** Every setting that makes some git command start a program. */
const PROGRAMS = [
  'core.fsmonitor',
  'core.pager',
  'core.editor',
  'core.sshCommand',
  'core.askPass',
  'core.gitProxy',
  'core.alternateRefsCommand',
  'credential.helper',
  'diff.external',
  'diff.evil.command',
  'diff.evil.textconv',
  'filter.evil.clean',
  'filter.evil.smudge',
  'filter.evil.process',
  'merge.evil.driver',
  'gpg.program',
  'gpg.ssh.program',
  'gpg.x509.program',
  'pager.log',
  'pager.config',
  'sequence.editor',
  'interactive.diffFilter',
  'remote.origin.uploadpack',
  'remote.origin.receivepack',
  'uploadpack.packObjectsHook',
  'trailer.evil.command',
  'alias.cat-file',
  'alias.rev-list',
  'alias.config',
] as const;

const HOOKS = [
  'post-checkout',
  'pre-commit',
  'post-index-change',
  'reference-transaction',
  'fsmonitor-watchman',
  'query-watchman',
  'pre-auto-gc',
  'post-commit',
];

export function hostileSuite(backend: Backend): void {
  describe('a hostile repository', () => {
    /** A partial clone whose every program leaves a mark, with the mark's folder. */
    async function trapped(options: { readonly partial: boolean }): Promise<{ readonly test: TestRepository; readonly marks: string }> {
      const origin = await makeRepository();
      onTestFinished(() => origin.dispose());
      await origin.git(['config', 'uploadpack.allowFilter', 'true']);
      await origin.commit('one', { '.gitattributes': '* filter=evil diff=evil merge=evil\n', 'model.pt': '1234\n', 'other.pt': 'x' });
      await origin.commit('two', { 'model.pt': '12345\n' });
      const test = new TestRepository(await temporaryFolder());
      onTestFinished(() => test.dispose());
      const filter = options.partial ? ['--filter=blob:none'] : [];
      await test.git(['clone', '-q', ...filter, `file://${origin.path}`, '.']);
      const marks = await temporaryFolder();
      onTestFinished(() => rm(marks, { recursive: true }));
      const script = join(marks, '..', `${marks.split('/').at(-1)}.sh`);
      await writeFile(script, `#!/bin/sh\necho "$0 $*" >> "${marks}/$$"\n`);
      await chmod(script, 0o755);
      onTestFinished(() => rm(script));
      for (const setting of PROGRAMS) await test.git(['config', setting, `${setting.startsWith('alias.') ? '!' : ''}${script}`]);
      for (const [key, value] of [
        ['log.showSignature', 'true'],
        ['filter.evil.required', 'true'],
        ['protocol.allow', 'always'],
        ['protocol.ext.allow', 'always'],
        ['protocol.file.allow', 'always'],
        ['core.hooksPath', join(test.path, '.git', 'hooks')],
        ['core.untrackedCache', 'true'],
        ['submodule.recurse', 'true'],
        ['fetch.recurseSubmodules', 'true'],
      ] as const) {
        await test.git(['config', key, value]);
      }
      if (options.partial) await test.git(['config', 'remote.origin.url', `ext::${script} %S`]);
      await mkdir(join(test.path, '.git', 'hooks'), { recursive: true });
      for (const hook of HOOKS) {
        await writeFile(join(test.path, '.git', 'hooks', hook), `#!/bin/sh\nexec "${script}" ${hook}\n`);
        await chmod(join(test.path, '.git', 'hooks', hook), 0o755);
      }
      return { test, marks };
    }

    it('runs nothing through any method', async () => {
      const { test, marks } = await trapped({ partial: false });
      const later = new Date(1_800_000_000_000);
      await utimes(join(test.path, 'model.pt'), later, later);
      await withRepository(backend, test, async (git) => {
        const head = await git.head();
        const commit = await git.resolve('HEAD~1');
        expect(head.kind).toBe('branch');
        await git.refs();
        await git.remotes();
        await git.submodules();
        for (const setting of PROGRAMS) expect(await git.config(setting)).toContain('.sh');
        await git.commit(commit);
        for (const strict of [false, true]) expect(await collect(git.walk({ strict }))).toHaveLength(2);
        const entry = await git.entry(commit, 'model.pt');
        await git.entries(
          Array.from({ length: 200 }, () => commit),
          'model.pt',
        );
        await git.files(commit);
        const oid = entry?.oid ?? '';
        expect(await git.blobSize(oid)).toBe(5);
        expect(Buffer.from(await git.blob(oid)).toString()).toBe('1234\n');
        await git.blobToFile(oid, join(test.path, 'out.pt'));
        await git.attributes(['model.pt'], ['filter', 'diff']);
        await git.status(['model.pt', 'other.pt', 'out.pt', 'nope']);
      });
      expect(await readdir(marks)).toEqual([]);
    });

    it('does not fetch from a remote that is a program', async () => {
      const { test, marks } = await trapped({ partial: true });
      const oid = await test.git(['rev-parse', 'HEAD~1:model.pt']);
      const read = withRepository(backend, test, async (git) => {
        await expect(git.blobSize(oid)).rejects.toMatchObject({ code: 'missing-object' });
        await expect(git.blobToFile(oid, join(test.path, 'out'))).rejects.toMatchObject({ code: 'missing-object' });
        await git.blob(oid);
      });
      await expect(read).rejects.toMatchObject({ code: backend === 'native' ? 'missing-object' : 'unsupported-repository' });
      expect(await readdir(marks)).toEqual([]);
      // The trap works: git itself would have run it.
      await test.git(['cat-file', '-e', oid]).catch(() => {});
      expect(await readdir(marks)).not.toEqual([]);
    });

    it('does not take names for options', async () => {
      const test = await makeRepository();
      onTestFinished(() => test.dispose());
      const commit = await test.commit('one', { '--output=pwned': 'dash', '-rf': 'x', '--help': 'y' });
      await test.git(['update-ref', 'refs/heads/--upload-pack=touch pwned'.replace(' ', '-'), commit]);
      await withRepository(backend, test, async (git) => {
        expect((await git.refs()).map(({ name }) => name)).toEqual(['--upload-pack=touch-pwned', 'main']);
        expect(await git.resolve('--upload-pack=touch-pwned')).toBe(commit);
        for (const path of ['--output=pwned', '-rf', '--help']) {
          expect((await git.entry(commit, path))?.path).toBe(path);
          expect((await git.status([path])).get(path)).toBe('unmodified');
          expect((await git.attributes([path], ['filter'])).get(path)).toEqual({});
        }
        await expect(git.resolve('--output=pwned')).rejects.toMatchObject({ code: 'not-found' });
        for (const bad of ['--output=pwned', '-p', 'HEAD --output=pwned']) {
          // @ts-expect-error no hash: the compiler forbids it, a caller may still do it
          await expect(git.files(bad)).rejects.toMatchObject({ code: 'invalid-request' });
          // @ts-expect-error the same
          await expect(git.entry(bad, 'x')).rejects.toMatchObject({ code: 'invalid-request' });
          expect(await git.config(bad)).toBeNull();
        }
      });
      expect((await readdir(test.path)).sort()).toEqual(['--help', '--output=pwned', '-rf', '.git']);
    });

    it('survives trees and tags that no honest git makes', async () => {
      const test = await makeRepository();
      onTestFinished(() => test.dispose());
      const blob = await test.rawObject('blob', 'x');
      const entry = (mode: string, name: string, oid: string) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
      const cut = await test.rawObject('tree', entry('100644', 'whole', blob).subarray(0, 20));
      const odd = await test.rawObject('tree', Buffer.concat([entry('100644', '..', blob), entry('100644', '__proto__', blob), entry('40000', 'self', cut)]));
      const commits = await Promise.all(
        [cut, odd].map(async (tree) => asHash(await test.rawObject('commit', `tree ${tree}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nm\n`))),
      );
      const [broken = asHash(''), strange = asHash('')] = commits;
      await test.git(['update-ref', 'refs/heads/main', strange]);
      await withRepository(backend, test, async (git) => {
        await expect(git.entry(broken, 'whole')).rejects.toMatchObject({ code: 'corrupt-object', place: { oid: cut } });
        await expect(git.files(broken)).rejects.toMatchObject({ name: 'CheckpointError' });
        expect(await git.entry(strange, '..')).toBeNull();
        expect(await git.entry(strange, '__proto__')).toMatchObject({ kind: 'blob', oid: blob });
        await expect(git.entry(strange, 'self/x')).rejects.toMatchObject({ code: 'corrupt-object' });
        expect((await git.status(['..', '../x', '__proto__'])).get('..')).toBe('unknown');
      });
    });
  });
}
