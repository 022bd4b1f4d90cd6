import { isAttributeName } from '../attributes/parseAttributes';
import { decodeUtf8 } from '../decodeText';
import { type GitCommand, runGit } from './gitProcess';

/** Attributes of paths by `git check-attr`, which reads files and runs nothing. Unspecified ones are left out. */
export async function checkAttributes(
  command: GitCommand,
  paths: readonly string[],
  names: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const answer = new Map<string, Record<string, string>>(paths.map((path) => [path, Object.create(null)]));
  const valid = names.filter(isAttributeName);
  if (paths.length === 0 || valid.length === 0) return answer;
  const input = paths.map((path) => `${path}\0`).join('');
  const { output } = await runGit(command, ['check-attr', '-z', '--stdin', ...valid], { what: 'read attributes', input });
  const fields = decodeUtf8(output).split('\0');
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [path = '', name = '', value = ''] = fields.slice(i, i + 3);
    const record = answer.get(path);
    if (record !== undefined && value !== 'unspecified') record[name] = value;
  }
  return answer;
}
