import { createHash } from 'node:crypto';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type UnpackedRepository, unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { makeRepository, TestRepository } from '../git/testing/testRepository';
import { type GitBridge, openGitBridge } from './testing/gitBridge';
import { addVectorObjects, mergedValues, mergeVector } from './testing/mergeVectors';
import { runTheta } from './testing/runTheta';

/** Diffs that a real git shows with our drivers. No filter is set up, so git itself has nothing but metadata. */

const fixtures = fileURLToPath(new URL('../../e2e/fixtures/', import.meta.url));

let bridge: GitBridge;
let repository: TestRepository;

beforeAll(async () => {
  bridge = await openGitBridge();
});
afterAll(() => bridge.close());

const drivers = () => ['-c', `diff.theta.command=${bridge.command} diff-driver --`, '-c', `diff.theta.textconv=${bridge.command} textconv --`];
const git = (...args: string[]) => repository.git([...drivers(), ...args]);

async function makeVectors(): Promise<void> {
  repository = await makeRepository();
  await addVectorObjects(repository.path);
  await repository.commit('base', { '.gitattributes': '*.pt diff=theta\n', 'm.pt': await mergeVector('ancestor') });
  await repository.commit('ours', { 'm.pt': await mergeVector('current') });
  await repository.commit('theirs', { 'm.pt': await mergeVector('other') });
}

/** Norm of the difference of two versions, from the values that git-theta gave. */
async function normOf(group: string, before: string, after: string): Promise<string> {
  const [a, b] = [await mergedValues(before, group), await mergedValues(after, group)];
  expect(a.length).toBeGreaterThan(0);
  return Math.sqrt(a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0)).toPrecision(4);
}

describe('git diff with the driver', () => {
  beforeEach(makeVectors);
  afterEach(() => repository.dispose());

  it('says what was added, removed and modified, by how much', async () => {
    const text = await git('diff', 'HEAD~1', 'HEAD');
    const lines = text.split('\n');
    expect(lines[0]).toBe('diff --theta a/m.pt b/m.pt');
    const line = (name: string) => lines.find((one) => one.includes(` ${name} `)) ?? '';
    const norm = await normOf('a_both', 'take_us_where_both', 'take_them_where_both');
    expect(line('a_both')).toMatch(/^MODIFIED +a_both +dense +float32 +4 × 4 +/);
    expect(line('a_both')).toContain(`‖Δ‖ ${norm}, all elements`);
    expect(line('n_int')).toContain(`int64`);
    expect(line('n_int')).toContain(`‖Δ‖ ${await normOf('n_int', 'take_us_where_both', 'take_them_where_both')}`);
    expect(line('i_add_them')).toMatch(/^ADDED +i_add_them +dense +float32 +2$/);
    expect(line('g_mod_us_del_them')).toMatch(/^REMOVED +g_mod_us_del_them +dense +float32 +2$/);
    // Its object is not among the vectors: the others are shown all the same.
    expect(line('k_add_both')).toContain('cannot be read: ');
    expect(line('h_same')).toBe('');
    expect(lines.at(-1)).toMatch(/, 1 unchanged$/);
    expect(lines.at(-1)).toMatch(new RegExp(`^${lines.filter((one) => one.startsWith('ADDED')).length} added, `));
  });

  it('reads nothing for an entry that is the same', async () => {
    await rm(join(repository.path, '.git/lfs/objects'), { recursive: true });
    const entry = JSON.parse(await mergeVector('ancestor')) as Record<string, unknown>;
    const { a_both: _, ...rest } = entry;
    await repository.commit('without one', { 'm.pt': JSON.stringify(entry) });
    await repository.commit('without one', { 'm.pt': JSON.stringify(rest) });
    const text = await git('diff', 'HEAD~1', 'HEAD');
    expect(text).toContain(`1 removed, ${Object.keys(rest).length} unchanged`);
    expect(text).not.toContain('cannot be read');
  });

  it('shows new, deleted and renamed files, and unmerged paths', async () => {
    await git('mv', 'm.pt', 'n.pt');
    await repository.commit('renamed');
    expect(await git('diff', '-M', 'HEAD~1', 'HEAD')).toMatch(/^diff --theta a\/m\.pt b\/n\.pt\nsimilarity index 100%\nrename from m\.pt\nrename to n\.pt\n/);
    expect(await git('diff', '--no-renames', 'HEAD~1', 'HEAD')).toMatch(/^diff --theta a\/m\.pt \/dev\/null\ndeleted file\nREMOVED /);
    expect(await git('diff', '--no-renames', 'HEAD~1', 'HEAD')).toMatch(/\ndiff --theta \/dev\/null b\/n\.pt\nnew file\nADDED /);
    const blob = await git('rev-parse', 'HEAD:n.pt');
    await repository.git(['update-index', '--index-info'], {
      input: `0 ${'0'.repeat(40)}\tn.pt\n100644 ${blob} 1\tn.pt\n100644 ${blob} 2\tn.pt\n100644 ${blob} 3\tn.pt\n`,
    });
    expect(await git('diff', '--base')).toContain('* Unmerged path n.pt');
  });

  it('never ends a diff for what it cannot read', async () => {
    await repository.commit('odd', { 'm.pt': 'no checkpoint at all', 'z.txt': 'first\n' });
    await repository.commit('odd', { 'm.pt': '{"w": {"lfs_metadata": 1}}', 'z.txt': 'second\n' });
    const text = await git('diff', 'HEAD~1', 'HEAD');
    expect(text).toMatch(/^diff --theta a\/m\.pt b\/m\.pt\ncannot be compared: /);
    expect(text).toContain('+second');
  });

  it('does not let a name from a file reach the terminal', async () => {
    const { a_both } = JSON.parse(await mergeVector('ancestor')) as Record<string, unknown>;
    await repository.commit('hostile', { 'm.pt': JSON.stringify({ '\u001b[31mred\nline': a_both }) });
    const text = await git('diff', 'HEAD~1', 'HEAD');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('ADDED    ^[[31mred^Jline');
  });

  it('colours as git is set up, not where NO_COLOR says otherwise', async () => {
    expect(await git('-c', 'color.diff=always', 'diff', 'HEAD~1', 'HEAD')).toContain('\u001b[31mREMOVED');
    const paged = { env: { GIT_PAGER_IN_USE: 'true', TERM: 'xterm' } };
    expect(await repository.git([...drivers(), 'diff', 'HEAD~1', 'HEAD'], paged)).toContain('\u001b[33mMODIFIED');
    expect(await repository.git([...drivers(), '-c', 'color.ui=false', 'diff', 'HEAD~1', 'HEAD'], paged)).not.toContain('\u001b');
  });

  it('speaks in git log -p with --ext-diff, and as lines without', async () => {
    const log = await git('log', '-p', '--ext-diff', '-1', '--format=%s');
    expect(log).toMatch(/^theirs\n\ndiff --theta a\/m\.pt b\/m\.pt\n/);
    const plain = await git('log', '-p', '-1', '--format=%s');
    const changed = plain.split('\n').filter((line) => /^[+-](?![+-])/.test(line));
    const names = changed.map((line) => line.slice(1).split('  ')[0]);
    // One line for each side of each group that differs, and none for the others.
    expect(names.filter((name) => name === 'a_both')).toHaveLength(2);
    expect(names).not.toContain('h_same');
    expect(changed.find((line) => line.startsWith('+a_both'))).toMatch(/^\+a_both {2}float32 {2}4 × 4 {2}dense {2}\d+ B {2}[0-9a-f]{10}$/);
  });
});

describe('a file of the work tree', () => {
  let unpacked: UnpackedRepository;
  beforeEach(async () => {
    unpacked = await unpackRepository('digits');
    repository = new TestRepository(unpacked.path);
    await rm(join(repository.path, '.git/hooks'), { recursive: true, force: true });
    await repository.git(['config', '--remove-section', 'filter.theta']).catch(() => {});
  });
  afterEach(() => unpacked.dispose());

  const checkpoint = (name: string) => join(fixtures, 'digits/checkpoints', `${name}.pt`);

  it('is compared with what is staged, value by value', async () => {
    const commits = (await git('rev-list', '--first-parent', '--reverse', 'HEAD', '--', 'model.pt')).split('\n');
    const [first = '', second = ''] = commits;
    await git('checkout', '-q', '-f', first);
    await copyFile(checkpoint('01_init'), join(repository.path, 'model.pt'));
    expect(await git('diff', '--', 'model.pt')).toMatch(/^diff --theta a\/model\.pt b\/model\.pt\n\d+ unchanged$/);
    await copyFile(checkpoint('02_digits'), join(repository.path, 'model.pt'));
    const worktree = await git('diff', '--', 'model.pt');
    const committed = await git('diff', first, second, '--', 'model.pt');
    const facts = (text: string) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('MODIFIED'))
        .map((line) => line.replace(/ +(?:dense)? +/g, ' '));
    expect(facts(worktree).length).toBeGreaterThan(5);
    // git-theta dropped one change, because it is below its tolerance; the file has it.
    const dropped = facts(worktree).filter((line) => line.includes('encoder.body.conv.bias'));
    expect(dropped).toEqual([expect.stringMatching(/‖Δ‖ \d\.\d+e-7,/)]);
    expect(facts(worktree).filter((line) => !dropped.includes(line))).toEqual(facts(committed));
  });

  it('is one line for every group in textconv, with norm and digest', async () => {
    const expected = v.parse(
      v.array(
        v.object({
          commit: v.string(),
          files: v.record(v.string(), v.array(v.object({ name: v.string(), dtype: v.string(), shape: v.array(v.number()), sha256: v.string() }))),
        }),
      ),
      JSON.parse(await readFile(join(fixtures, 'digits/expected.json'), 'utf8')),
    );
    const [first = ''] = (await git('rev-list', '--first-parent', '--reverse', 'HEAD', '--', 'model.pt')).split('\n');
    const groups = expected.find(({ commit }) => commit === first)?.files['model.pt'] ?? [];
    expect(groups.length).toBeGreaterThan(5);
    const { code, out } = await runTheta('textconv', checkpoint('01_init'));
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('  '));
    expect(lines.map(([name]) => name)).toEqual(groups.map(({ name }) => name).toSorted());
    for (const [name = '', dtype, shape, norm, digest] of lines) {
      const group = groups.find((one) => one.name === name);
      expect([dtype, shape], name).toEqual([group?.dtype, group?.shape.length === 0 ? 'scalar' : group?.shape.join(' × ')]);
      expect(norm).toMatch(/^norm [\d.e+-]+$/);
      expect(group?.sha256.slice(0, 10)).toBe(digest);
    }
  });
});

describe('theta textconv', () => {
  it('makes one line of what is no checkpoint, and fails for what is not there', async () => {
    const folder = await makeRepository();
    try {
      const file = join(folder.path, 'note.txt');
      await writeFile(file, 'hello');
      const { code, out } = await runTheta('textconv', file);
      expect(code).toBe(0);
      expect(out).toMatch(/^.+ {2}5 B {2}[0-9a-f]{10}\n$/);
      expect(out).toContain(createHash('sha256').update('hello').digest('hex').slice(0, 10));
      expect((await runTheta('textconv', join(folder.path, 'gone.pt'))).code).toBe(1);
    } finally {
      await folder.dispose();
    }
  });
});

describe('git diff --no-index', () => {
  it('is compared outside of any repository', async () => {
    const { code, out } = await runTheta(
      '-C',
      '/',
      'diff-driver',
      '--',
      'a.pt',
      join(fixtures, 'digits/checkpoints/01_init.pt'),
      '0'.repeat(40),
      '100644',
      join(fixtures, 'digits/checkpoints/02_digits.pt'),
      '0'.repeat(40),
      '100644',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/MODIFIED .*‖Δ‖/);
  });
});
