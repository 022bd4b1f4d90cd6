import { isNumberedName } from '../../../shared/model/isNumberedName';
import type { OnnxNode, OnnxTensor } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { Definition, ScopeIndex, Use } from '../scopes/scopeIndex';

/** An initializer that a name may be proposed for, and where it is used first. */
export interface NamelessValue {
  readonly definition: Definition;
  readonly tensor: OnnxTensor;
  readonly uses: readonly Use[];
  /** First node that uses it, and as which input; `null` when none does. */
  readonly first: { readonly node: OnnxNode; readonly input: number } | null;
}

/** Initializers of all graphs in the order of the file. Functions and graphs of training have none that people name. */
export function initializersOf(index: ScopeIndex, onlyNumbered: boolean): NamelessValue[] {
  const values: NamelessValue[] = [];
  for (const owner of index.owners) {
    if (!isGraph(owner) || owner.path.startsWith('training:')) continue;
    for (const definition of index.definitions(owner)) {
      const { tensor, name } = definition;
      if (tensor === null || (onlyNumbered && !isNumberedName(name))) continue;
      const uses = index.uses(definition);
      const use = uses.find(({ node }) => node !== null);
      values.push({ definition, tensor, uses, first: use?.node == null ? null : { node: use.node, input: use.input } });
    }
  }
  return values;
}
