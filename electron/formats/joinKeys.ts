import { CheckpointError } from '../../shared/contract/errors';
import type { GroupToWrite } from './format';

export interface JoinedNames {
  readonly names: readonly string[];
  /** Whether any group had more than one key, so that joining lost the nesting. */
  readonly nested: boolean;
}

/**
 * Names of the groups for a format without nesting: the keys joined by `/`.
 * @throws CheckpointError `unsupported-format` when two groups would get one name.
 */
export function joinKeys(groups: readonly GroupToWrite[], label: string): JoinedNames {
  const names = groups.map(({ keys }) => keys.join('/'));
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) {
      throw new CheckpointError('unsupported-format', `Two parameter groups would both be named ${JSON.stringify(name)} in a ${label} file.`, {
        place: { group: name },
      });
    }
    seen.add(name);
  }
  return { names, nested: groups.some(({ keys }) => keys.length !== 1) };
}
