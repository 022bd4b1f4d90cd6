import { CheckpointError } from '../../../shared/contract/errors';
import type { GroupToWrite } from '../format';

/** Nested dictionaries, whose leaves are indices of groups. */
export type KeyTree = { readonly kind: 'leaf'; readonly index: number } | { readonly kind: 'map'; readonly members: Map<string, KeyTree> };

/**
 * The groups as nested dictionaries by their keys; a single group without keys is the root itself.
 * @throws CheckpointError `unsupported-format` when a group's keys lead to or through another group.
 */
export function keyTree(groups: readonly GroupToWrite[]): KeyTree {
  const [only] = groups;
  if (groups.length === 1 && only?.keys.length === 0) return { kind: 'leaf', index: 0 };
  const root: KeyTree = { kind: 'map', members: new Map() };
  for (const [index, { keys }] of groups.entries()) {
    const clash = () =>
      new CheckpointError('unsupported-format', `The keys of ${JSON.stringify(keys.join('/'))} are those of another parameter group, or lead through it.`, {
        place: { group: keys.join('/') },
      });
    let node: KeyTree = root;
    for (const key of keys.slice(0, -1)) {
      if (node.kind === 'leaf') throw clash();
      let next = node.members.get(key);
      if (next === undefined) {
        next = { kind: 'map', members: new Map() };
        node.members.set(key, next);
      }
      node = next;
    }
    const last = keys.at(-1);
    if (last === undefined || node.kind === 'leaf' || node.members.has(last)) throw clash();
    node.members.set(last, { kind: 'leaf', index });
  }
  return root;
}
