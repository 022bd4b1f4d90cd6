import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openedPath } from './openedPath';
import { DEFAULT_STATE, type Rectangle, readWindowState, usableBounds, type WindowState, writeWindowState } from './windowState';

const laptop: Rectangle = { x: 0, y: 25, width: 1440, height: 875 };
const left: Rectangle = { x: -1920, y: 0, width: 1920, height: 1080 };
const at = (x: number, y: number, width = 1000, height = 700): Rectangle => ({ x, y, width, height });

describe('remembered bounds', () => {
  it.each<[string, Rectangle | null, readonly Rectangle[], Rectangle | null]>([
    ['none', null, [laptop], null],
    ['on the display', at(100, 100), [laptop], at(100, 100)],
    ['on the second display', at(-1800, 50), [laptop, left], at(-1800, 50)],
    ['on a display that was unplugged', at(-1800, 50), [laptop], null],
    ['partly outside', at(1200, 300), [laptop], at(1200, 300)],
    ['a sliver inside', at(1439, 300), [laptop], null],
    ['below', at(100, 2000), [laptop], null],
    ['with the title bar above', at(100, -600), [laptop], null],
    ['under the menu bar of the system', at(100, 0), [laptop], at(100, 25)],
    ['larger than the display', at(0, 25, 5000, 4000), [laptop], { ...laptop }],
    ['smaller than the window can be', at(10, 30, 20, 20), [laptop], null],
    ['too narrow', at(10, 30, 200, 200), [laptop], at(10, 30, 720, 480)],
    ['without displays', at(0, 0), [], null],
  ])('%s', (_name, saved, displays, expected) => {
    expect(usableBounds(saved, displays)).toEqual(expected);
  });
});

describe('the file of the window state', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'theta-state-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('comes back as it was written and leaves nothing beside it', async () => {
    const file = join(folder, 'deep', 'state.json');
    const state: WindowState = { bounds: at(1, 2), maximized: true, theme: 'dark' };
    writeWindowState(file, state);
    writeWindowState(file, { ...state, maximized: false });
    expect(readWindowState(file)).toEqual({ ...state, maximized: false });
    expect(await readdir(join(folder, 'deep'))).toEqual(['state.json']);
  });

  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"bounds":{"x":1e999,"y":0,"width":1,"height":1},"maximized":false,"theme":"dark"}',
    '{"bounds":null,"maximized":"yes","theme":"dark"}',
    '{"bounds":null,"maximized":true,"theme":"pink"}',
    '{"bounds":{"x":0,"y":0,"width":-5,"height":1},"maximized":false,"theme":"dark"}',
  ])('that holds %j counts as none', async (text) => {
    const file = join(folder, 'broken.json');
    await writeFile(file, text);
    expect(readWindowState(file)).toEqual(DEFAULT_STATE);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('that cannot be written is no error', () => {
    expect(() => writeWindowState('/dev/null/state.json', DEFAULT_STATE)).not.toThrow();
  });
});

describe('the path on the command line', () => {
  const packaged = { packaged: true, folder: '/home/me' };
  const clone = { packaged: false, folder: '/home/me' };
  it.each([
    [['theta'], packaged, null],
    [['theta', 'models'], packaged, '/home/me/models'],
    [['theta', '/data/a b'], packaged, '/data/a b'],
    [['theta', '--no-sandbox', '.', '--flag'], packaged, '/home/me'],
    [['theta', ''], packaged, null],
    [['electron', '/clone'], clone, null],
    [['electron', '/clone', '../x'], clone, '/home/x'],
    [['electron', '--inspect', '/clone', 'x'], clone, '/home/me/x'],
  ])('%j', (argv, place, expected) => {
    expect(openedPath(argv, place)).toBe(expected);
  });
});
