import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeRepository } from '../git/testing/testRepository';
import { userHome } from '../git/testing/userHome';
import { runTheta } from './testing/runTheta';

// What git would start is tried in the test of checkProgram; here the program need not be built.
vi.mock('../git/install/checkProgram', () => ({ checkProgram: async () => {} }));

let home = '';
beforeEach(async () => {
  home = await userHome();
});

describe('theta install and uninstall', () => {
  it('work for one repository, with hooks', async () => {
    const test = await makeRepository();
    onTestFinished(() => test.dispose());
    const before = await readFile(join(test.path, '.git/config'), 'utf8');
    const installed = await runTheta('-C', test.path, 'install', '--local');
    expect(installed).toMatchObject({ code: 0, err: '' });
    expect(installed.out).toContain('Set up in the configuration of this repository: ');
    expect(installed.out).toContain('Hooks written in');
    expect(await test.git(['config', 'filter.theta.process'])).toMatch(/^".*node.*" ".*theta\.mjs" filter-process$/);
    expect((await stat(join(test.path, '.git/hooks/pre-push'))).mode & 0o111).toBe(0o111);
    expect((await runTheta('-C', test.path, 'install', '--local')).out).toBe('Everything was set up already in the configuration of this repository.\n');
    expect((await runTheta('-C', test.path, 'uninstall', '--local')).out).toContain('Hooks taken away');
    expect(await readFile(join(test.path, '.git/config'), 'utf8')).toBe(before);
  });

  it('work for the user, in any folder', async () => {
    const installed = await runTheta('-C', home, 'install', '--json');
    expect(JSON.parse(installed.out)).toMatchObject({
      scope: 'global',
      hooks: null,
      active: [{ program: 'theta' }, { program: 'theta' }, { program: 'theta' }],
    });
    expect((await runTheta('-C', home, 'uninstall')).out).toBe('Taken out of your global configuration.\n');
    expect((await runTheta('-C', home, 'uninstall')).out).toBe('Nothing of this program was in your global configuration.\n');
  });

  it('refuse what is in the way, and a folder without a repository', async () => {
    const test = await makeRepository();
    onTestFinished(() => test.dispose());
    await test.git(['config', 'filter.theta.clean', 'git-theta-filter clean %f']);
    const refused = await runTheta('-C', test.path, 'install', '--local');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('git-theta is set up');
    expect(await runTheta('-C', test.path, 'install', '--local', '--force')).toMatchObject({ code: 0 });
    expect((await runTheta('-C', test.path, 'uninstall', '--local')).out).toContain('Put back as it was before: filter.theta.clean');
    expect((await runTheta('-C', home, 'install', '--local')).code).toBe(1);
    expect((await runTheta('-C', home, 'install', '--local', '--global')).code).toBe(2);
  });
});
