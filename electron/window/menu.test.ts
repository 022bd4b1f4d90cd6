import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { type MenuOptions, menuTemplate } from './menu';

function build(given: Partial<MenuOptions> = {}) {
  const commands: string[] = [];
  const themes: string[] = [];
  const links: string[] = [];
  const options: MenuOptions = {
    platform: 'linux',
    developer: false,
    theme: 'dark',
    command: (id) => commands.push(id),
    setTheme: (theme) => themes.push(theme),
    openLink: (url) => links.push(url),
    ...given,
  };
  return { items: flatten(menuTemplate(options)), commands, themes, links };
}

function flatten(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])]);
}

function press(items: readonly MenuItemConstructorOptions[]): void {
  for (const { click } of items) (click as (() => void) | undefined)?.();
}

/** Ids in the window's source; the two sides of the app do not import each other. */
function windowCommands(): Set<string> {
  const folder = fileURLToPath(new URL('../../renderer/', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'));
  return new Set(sources.flatMap((path) => [...readFileSync(folder + path, 'utf8').matchAll(/\bid: '([a-z]+\.[a-zA-Z]+)'/g)].map(([, id]) => id ?? '')));
}

describe('the menu', () => {
  it('runs only commands that the window has', () => {
    const { items, commands } = build();
    press(items);
    expect(commands.length).toBeGreaterThan(6);
    const known = windowCommands();
    expect(commands.filter((id) => !known.has(id))).toEqual([]);
  });

  it('leaves the keys of commands to the window', () => {
    const withKey = build().items.filter(({ accelerator, role }) => accelerator !== undefined && role === undefined);
    expect(withKey.length).toBeGreaterThan(2);
    for (const item of withKey) expect(item.registerAccelerator).toBe(false);
  });

  it('sets the theme and marks the one that is set', () => {
    const { items, themes } = build();
    const radios = items.filter(({ type }) => type === 'radio');
    expect(radios.map(({ label, checked }) => [label, checked])).toEqual([
      ['System', false],
      ['Light', false],
      ['Dark', true],
    ]);
    press(radios);
    expect(themes).toEqual(['system', 'light', 'dark']);
  });

  it.each([
    ['linux', false, ['quit', 'about'], ['toggleDevTools', 'appMenu']],
    ['win32', true, ['quit', 'about', 'toggleDevTools'], ['appMenu']],
    ['darwin', false, ['appMenu', 'close'], ['quit', 'toggleDevTools']],
  ] as const)('has the items of %s (development: %s)', (platform, developer, there, absent) => {
    const roles = build({ platform, developer }).items.map(({ role }) => role as string | undefined);
    for (const role of [...there, 'copy', 'zoomIn', 'windowMenu', 'help']) expect(roles).toContain(role);
    for (const role of absent) expect(roles).not.toContain(role);
  });

  it('links only to https', () => {
    const { items, links } = build();
    press(items);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(new URL(link).protocol).toBe('https:');
  });
});
