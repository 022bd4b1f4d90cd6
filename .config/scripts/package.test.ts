import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './bundles.mjs';

/** What marks the fuses in every Electron program: this text, the version of the format, their number, and one letter each. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** In the order of FuseV1Options; the states that Electron's own releases have. */
const RELEASED_FUSES = '10110001';
const [OFF, ON] = ['0', '1'].map((letter) => letter.charCodeAt(0));

let folder: string;
let resources: string;
let contents: string[];

/** Packs the app around a stand-in for the Electron program, which is all that needs the network. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-package-'));
  const electronDist = join(folder, 'electron');
  await mkdir(join(electronDist, 'resources'), { recursive: true });
  await mkdir(join(electronDist, 'locales'));
  const fuses = Buffer.concat([Buffer.from(FUSE_SENTINEL), Buffer.of(1, RELEASED_FUSES.length), Buffer.from(RELEASED_FUSES)]);
  await writeFile(join(electronDist, 'electron'), Buffer.concat([Buffer.from('#!/bin/false\n'), fuses]), { mode: 0o755 });
  await writeFile(join(electronDist, 'version'), '0.0.0');
  await writeFile(join(electronDist, 'LICENSE'), 'stand-in');
  await writeFile(join(electronDist, 'locales', 'en-US.pak'), '');

  const output = join(folder, 'release');
  const args = ['.config/scripts/package.mjs', '--linux', 'dir', '--x64', `-c.electronDist=${electronDist}`, `-c.directories.output=${output}`];
  await promisify(execFile)(process.execPath, args, { cwd: root });
  resources = join(output, 'linux-unpacked', 'resources');
  contents = listPackage(join(resources, 'app.asar'), { isPack: false }).map((path) => path.replaceAll('\\', '/').replace(/^\//, ''));
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packed app', () => {
  it('holds the bundles, the window and the sample', () => {
    const expected = [
      'package.json',
      'dist/main/main.cjs',
      'dist/preload/preload.cjs',
      'dist/cli/theta.cjs',
      'dist/cli/run.cjs',
      'dist/cli/serve.cjs',
      'dist/filter/filter.cjs',
      'dist/worker/worker.cjs',
      'dist/worker/serveTasks.cjs',
      'dist/renderer/index.html',
    ];
    expect(contents).toEqual(expect.arrayContaining([...expected, 'assets/icons/icon.png', 'assets/sample/digits.zip']));
  });

  it('holds nothing else', () => {
    const others = contents.filter(
      (path) => !/^(?:package\.json$|dist(?:\/(?:main|preload|cli|filter|worker|renderer)(?:\/|$)|$)|assets(?:\/(?:icons|sample)(?:\/|$)|$))/.test(path),
    );
    expect(others).toEqual([]);
    expect(contents.filter((path) => /node_modules|\.tsx?$|\.map$|\.code$|\.test\./.test(path))).toEqual([]);
  });

  it('needs no package that is not in it', async () => {
    const extracted = join(folder, 'extracted');
    extractAll(join(resources, 'app.asar'), extracted);
    const known = new Set(['electron', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
    for (const bundle of ['main', 'preload', 'cli', 'filter', 'worker']) {
      for (const name of await readdir(join(extracted, 'dist', bundle))) {
        const code = await readFile(join(extracted, 'dist', bundle, name), 'utf8');
        const statements = code
          .split('\n')
          // A comment in a library may show how it is used.
          .filter((line) => !/^\s*(?:\*|\/\/)/.test(line))
          .flatMap((line) => [
            ...line.matchAll(/^(?:import|export)\b.*?\bfrom\s*["']([^"']+)["'];?$|^import\s*["']([^"']+)["'];?$|= require\(["']([^"']+)["']\);?$/g),
          ]);
        const needed = [...statements].map(([, from, bare, required]) => from ?? bare ?? required ?? '');
        expect(needed.filter((module) => !module.startsWith('.') && !known.has(module))).toEqual([]);
      }
    }
    const description: unknown = JSON.parse(await readFile(join(extracted, 'package.json'), 'utf8'));
    expect(description).toMatchObject({ name: 'theta-desktop', main: 'dist/main/main.cjs', type: 'module' });
    expect(description).not.toHaveProperty('devDependencies');
    expect(description).not.toHaveProperty('scripts');
  });

  it('has its fuses set', async () => {
    const wire = await getCurrentFuseWire(join(resources, '..', 'theta-desktop'));
    // git starts the program as its filter, without a window.
    expect(wire[FuseV1Options.RunAsNode]).toBe(ON);
    expect(wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(OFF);
    expect(wire[FuseV1Options.EnableNodeCliInspectArguments]).toBe(OFF);
    expect(wire[FuseV1Options.EnableCookieEncryption]).toBe(ON);
    expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(ON);
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(ON);
    expect(wire[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe(OFF);
  });

  it('serves its window with nothing but Node', async () => {
    const extracted = join(folder, 'served');
    extractAll(join(resources, 'app.asar'), extracted);
    const program = spawn(process.execPath, [join(extracted, 'dist', 'cli', 'theta.cjs'), 'serve', '--port', '0'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, THETA_DATA: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const url = await printedAddress(program);
      const exchange = await fetch(url, { redirect: 'manual' });
      const cookie = (exchange.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const page = await fetch(new URL('/', url), { headers: { cookie } });
      const html = await page.text();
      expect(page.status).toBe(200);
      const scripts = [...html.matchAll(/<script[^>]*\bsrc="([^"]+)"/g)].map(([, source]) => source ?? '');
      expect(scripts.length).toBeGreaterThan(0);
      for (const source of scripts) {
        const answer = await fetch(new URL(source, url), { headers: { cookie } });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
      }
    } finally {
      program.kill();
    }
  });
});

function printedAddress(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    program.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(said)?.[0];
      if (url !== undefined) resolve(url);
    });
    program.once('error', reject);
    program.once('exit', (code) => reject(new Error(`theta serve ended with ${code}: ${said}`)));
  });
}
