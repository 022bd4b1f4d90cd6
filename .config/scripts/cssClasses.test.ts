import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const renderer = fileURLToPath(new URL('../../renderer', import.meta.url));

/** Files of the window with an ending, as absolute paths. */
function filesOf(ending: RegExp): readonly string[] {
  return readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(renderer, name));
}

/** Style sheets that a component imports, with the classes that it takes from each by name. */
function classesOf(component: string): readonly { readonly sheet: string; readonly names: ReadonlySet<string>; readonly isComputed: boolean }[] {
  const source = readFileSync(component, 'utf8');
  return [...source.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].map(([, styles = '', path = '']) => ({
    sheet: resolve(dirname(component), path),
    names: new Set([...source.matchAll(new RegExp(`\\b${styles}\\.(\\w+)`, 'g'))].map(([, name = '']) => name)),
    isComputed: source.includes(`${styles}[`),
  }));
}

function definedIn(sheet: string): ReadonlySet<string> {
  const text = readFileSync(sheet, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  // Selectors only: what stands before a brace, so that `0.5` in a value is no class.
  return new Set([...text.matchAll(/([^{};]*)\{/g)].flatMap(([, selector = '']) => [...selector.matchAll(/\.([a-zA-Z]\w*)/g)].map(([, name = '']) => name)));
}

const components = filesOf(/(?<!\.test)\.tsx?$/);
const uses = components.flatMap((component) => classesOf(component).map((use) => ({ component, ...use })));

// The compiler takes every class of a style sheet for one that may be there.
it('every class that a component names is in its style sheet', () => {
  expect(uses.length).toBeGreaterThan(100);
  const missing = uses.flatMap(({ component, sheet, names }) => {
    const defined = definedIn(sheet);
    return [...names].filter((name) => !defined.has(name)).map((name) => `${component.slice(renderer.length + 1)}: .${name}`);
  });
  expect(missing).toEqual([]);
});

it('every class of a style sheet is named by a component', () => {
  const sheets = filesOf(/\.module\.css$/);
  expect(sheets.length).toBeGreaterThan(50);
  const unused = sheets.flatMap((sheet) => {
    const users = uses.filter((use) => use.sheet === sheet);
    if (users.some(({ isComputed }) => isComputed)) return [];
    return [...definedIn(sheet)].filter((name) => !users.some(({ names }) => names.has(name))).map((name) => `${sheet.slice(renderer.length + 1)}: .${name}`);
  });
  expect(unused).toEqual([]);
});
