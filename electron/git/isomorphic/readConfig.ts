import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { readSmallFile } from '../../bytes/readSmallFile';
import { compileWildPattern } from '../attributes/wildmatch';
import { isTrue, lastValue } from '../configKey';
import { readLineFile } from '../gitDirectory';
import type { RepositoryPlace } from '../gitRepository';
import { parseConfig, type Setting } from './parseConfig';

/** As in git (config.c, MAX_INCLUDE_DEPTH). */
const DEEPEST_INCLUDE = 10;

/** All settings, weakest first: system, user, repository, work tree; included files in the place of their include. */
export async function readConfig(place: RepositoryPlace): Promise<readonly Setting[]> {
  const shared = await readFileSettings(join(place.commonDir, 'config'), place);
  const own = isTrue(lastValue(shared, 'extensions.worktreeconfig')) ? await readFileSettings(join(place.gitDir, 'config.worktree'), place) : [];
  const outer = await Promise.all(outerFiles().map((file) => readFileSettings(file, place)));
  return [...outer.flat(), ...shared, ...own];
}

function outerFiles(): readonly string[] {
  const env = process.env;
  const files: string[] = [];
  if (!isTrue(env.GIT_CONFIG_NOSYSTEM ?? null)) {
    files.push(env.GIT_CONFIG_SYSTEM ?? (process.platform === 'win32' ? 'C:\\Program Files\\Git\\etc\\gitconfig' : '/etc/gitconfig'));
  }
  if (env.GIT_CONFIG_GLOBAL !== undefined) return [...files, env.GIT_CONFIG_GLOBAL];
  const xdg = env.XDG_CONFIG_HOME;
  files.push(join(xdg === undefined || xdg === '' ? join(homedir(), '.config') : xdg, 'git', 'config'), join(homedir(), '.gitconfig'));
  return files;
}

/** A file that is not there, as most of them are not, has no settings. @throws malformed */
async function readFileSettings(file: string, place: RepositoryPlace): Promise<readonly Setting[]> {
  const result: Setting[] = [];
  interface Frame {
    readonly file: string;
    readonly settings: readonly Setting[];
    next: number;
  }
  const open = async (path: string): Promise<Frame> => ({ file: path, settings: parseConfig(await readSmallFile(path).then(String, () => '')), next: 0 });
  const stack: Frame[] = [await open(file)];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const setting = frame.settings[frame.next++];
    if (setting === undefined) {
      stack.pop();
      continue;
    }
    result.push(setting);
    const path = await includedPath(setting, frame.file, place);
    if (path !== null && stack.length <= DEEPEST_INCLUDE) stack.push(await open(path));
  }
  return result;
}

async function includedPath([key, value]: Setting, file: string, place: RepositoryPlace): Promise<string | null> {
  const condition = /^includeif\.(.*)\.path$/s.exec(key)?.[1];
  if (key !== 'include.path' && (condition === undefined || !(await holds(condition, file, place)))) return null;
  const expanded = expandHome(value);
  return isAbsolute(expanded) ? expanded : join(dirname(file), expanded);
}

/** `gitdir:`, `gitdir/i:` and `onbranch:`; other conditions do not hold, as in a git that does not know them. */
async function holds(condition: string, file: string, place: RepositoryPlace): Promise<boolean> {
  const folder = /^(gitdir(?:\/i)?):(.*)$/s.exec(condition);
  if (folder !== null) {
    let pattern = expandHome(folder[2] ?? '').replaceAll('\\', '/');
    if (pattern.startsWith('./')) pattern = `${dirname(file).replaceAll('\\', '/')}/${pattern.slice(2)}`;
    if (!isAbsolute(pattern)) pattern = `**/${pattern}`;
    if (pattern.endsWith('/')) pattern += '**';
    return compileWildPattern(pattern, { ignoreCase: folder[1] === 'gitdir/i' })?.matches(place.gitDir.replaceAll('\\', '/')) ?? false;
  }
  const branch = /^onbranch:(.*)$/s.exec(condition)?.[1];
  const head = branch === undefined ? null : /^ref: refs\/heads\/(.+)$/.exec((await readLineFile(join(place.gitDir, 'HEAD'))) ?? '')?.[1];
  if (branch === undefined || head === null || head === undefined) return false;
  return compileWildPattern(branch.endsWith('/') ? `${branch}**` : branch)?.matches(head) ?? false;
}

function expandHome(path: string): string {
  return path.replace(/^~(?=[/\\]|$)/, () => homedir());
}
