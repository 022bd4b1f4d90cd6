import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/testRepository';
import { type ProgramPlace, programCommand, quoteForShell } from './programCommand';

const place: ProgramPlace = { platform: 'linux', executable: '/usr/bin/node', electron: false, script: '/opt/theta/electron/theta.mjs', appImage: null };

describe('programCommand', () => {
  it('starts the script with what runs this one', () => {
    expect(programCommand(place)).toBe('"/usr/bin/node" "/opt/theta/electron/theta.mjs"');
    expect(programCommand({ ...place, executable: '/opt/Theta Desktop/theta-desktop', electron: true })).toBe(
      'ELECTRON_RUN_AS_NODE=1 "/opt/Theta Desktop/theta-desktop" "/opt/theta/electron/theta.mjs"',
    );
  });

  it('gives the shell of git on Windows slashes', () => {
    const windows = { ...place, platform: 'win32', executable: 'C:\\Program Files\\nodejs\\node.exe', script: 'C:\\Users\\Ada $x\\theta.mjs' } as const;
    expect(programCommand(windows)).toBe(`"C:/Program Files/nodejs/node.exe" 'C:/Users/Ada $x/theta.mjs'`);
  });

  it('refuses an AppImage', () => {
    expect(() => programCommand({ ...place, appImage: '/home/ada/Theta.AppImage' })).toThrow(/AppImage/);
  });
});

describe('quoteForShell', () => {
  it.each(['', 'plain', 'with space', `it's`, '"', '$HOME `id` $(id)', 'back\\slash', '*?[a]', '~', '!x', '-n', 'new\nline', 'ä', '%f', '#', ';&|<>'])(
    'gives the shell %j as one word',
    async (word) => {
      const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s.' ${quoteForShell(word)}`]);
      expect(stdout).toBe(`${word}.`);
    },
  );

  it('starts a program of a difficult name', async () => {
    const folder = join(await temporaryFolder(), `it's "50%f" $x \`y\` \\z`);
    await mkdir(folder);
    await writeFile(join(folder, 'p'), '#!/bin/sh\necho "$1"\n', { mode: 0o755 });
    expect((await promisify(execFile)('sh', ['-c', `${quoteForShell(join(folder, 'p'))} hello`])).stdout).toBe('hello\n');
  });
});
