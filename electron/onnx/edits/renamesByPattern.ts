import type { OnnxModel } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { Definition, ScopeIndex } from '../scopes/scopeIndex';
import { boundedReplace } from './boundedReplace';
import type { Rename } from './planRename';

export interface PatternOptions {
  /** A regular expression of JavaScript, found anywhere in a name and everywhere it occurs; or a glob of the whole name. */
  readonly find: string;
  /** `$1` or `$<name>` is what a group found, `$&` all that was found, `$$` a dollar; of a glob, `$1` is what its first `*` or `?` stands for. */
  readonly replace: string;
  readonly syntax?: 'regex' | 'glob' | undefined;
  /** Only values of the graph or function with this path; all when left out. */
  readonly graph?: string | undefined;
  /** `stored`: initializers, sparse ones and constants; `all`: inputs and what nodes make, too. */
  readonly values?: 'stored' | 'all' | undefined;
}

/**
 * Renames of all values whose name a pattern fits and changes. Whether they can be done is for `planRename` to say.
 * @throws CheckpointError invalid-request, too-large (names over 4,096 characters, over a million names, or a pattern that takes too long)
 */
export function renamesByPattern(model: OnnxModel, options: PatternOptions, index: ScopeIndex = indexScopes(model)): Rename[] {
  const { find, replace, syntax = 'regex', graph, values: which = 'stored' } = options;
  const owners = graph === undefined ? index.owners : index.ownersAt(graph);
  const values = owners.flatMap((owner) => index.definitions(owner).filter((value) => which === 'all' || isStored(value)));
  const names = boundedReplace(
    values.map(({ name }) => name),
    { find: syntax === 'glob' && find !== '' ? globSource(find) : find, replace },
  );
  return values.flatMap(({ owner, name }, i) => {
    const to = names[i] ?? null;
    return to === null || to === name ? [] : [{ graph: owner.path, name, to }];
  });
}

function isStored({ tensor, node }: Definition): boolean {
  return tensor !== null || (node?.op === 'Constant' && node.domain === '');
}

/** A glob of the whole name as an expression with one group for each `*` (any text) and `?` (one character). */
function globSource(glob: string): string {
  const source = [...glob].map((character) => (character === '*' ? '([^]*)' : character === '?' ? '([^])' : character.replace(/[\\^$.+()[\]{}|/]/g, '\\$&')));
  return `^${source.join('')}$`;
}
