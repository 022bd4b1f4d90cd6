import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

interface Loaded {
  exports: unknown;
}

const loaded = new Map<string, Loaded>();

/**
 * Loads a built file and those beside it that it requires, each once. What `build` has compiled is taken where this very engine can use it:
 * git waits for every start of its filter, and a third of that is reading the program.
 * @param path absolute, of a CommonJS file
 * @returns its exports, whose type the caller knows
 */
export function loadBundle<T>(path: string): T {
  return load(path).exports as T;
}

function load(path: string): Loaded {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const module: Loaded = { exports: {} };
  loaded.set(path, module);
  try {
    const native = createRequire(path);
    const require = (id: string): unknown => (id.startsWith('.') ? load(join(dirname(path), id)).exports : native(id));
    const run: (...scope: readonly unknown[]) => void = compile(path).runInThisContext();
    run.call(module.exports, module.exports, require, module, path, dirname(path));
    return module;
  } catch (error) {
    loaded.delete(path);
    throw error;
  }
}

function compile(path: string): Script {
  const source = Module.wrap(readFileSync(path, 'utf8'));
  const code = readCode(`${path}${codeSuffix()}`);
  return new Script(source, { filename: path, ...(code === null ? {} : { cachedData: code }) });
}

/** Compiled code is only good for the engine that made it, which checks it again. */
export function codeSuffix(): string {
  return `.${process.versions.v8}.${process.arch}.code`;
}

function readCode(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
