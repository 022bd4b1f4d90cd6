import { configKey } from '../configKey';
import { decodeUtf8 } from '../decodeText';
import { type GitCommand, runGit } from './gitProcess';

/**
 * Every setting in the order git reads it, keys normalised. Runs without our overrides, which would hide what the user
 * has set; listing settings starts no program.
 */
export async function readNativeConfig(command: GitCommand): Promise<readonly (readonly [string, string])[]> {
  const { output } = await runGit(command, ['config', '--list', '-z', '--includes'], { what: 'read its configuration', settings: 'plain' });
  return decodeUtf8(output)
    .split('\0')
    .filter((item) => item !== '')
    .map((item) => {
      const newline = item.indexOf('\n');
      // A key without a value is a switch that is on.
      return newline === -1 ? [configKey(item) ?? item, 'true'] : [configKey(item.slice(0, newline)) ?? item, item.slice(newline + 1)];
    });
}
