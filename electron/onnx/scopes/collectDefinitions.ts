import { isGraph } from './outerOf';
import type { Definition, DefinitionSite, ScopeOwner } from './scopeIndex';

interface Draft extends Definition {
  readonly at: DefinitionSite[];
}

/** What one graph or function defines, by name, in the order of inputs, initializers, sparse initializers, outputs of nodes. `''` is no name. */
export function collectDefinitions(owner: ScopeOwner): ReadonlyMap<string, Definition> {
  const drafts = new Map<string, DefinitionSite[]>();
  const add = (name: string, place: DefinitionSite) => {
    const known = drafts.get(name);
    if (name === '') return;
    if (known === undefined) drafts.set(name, [place]);
    else known.push(place);
  };
  if (isGraph(owner)) {
    owner.inputs.forEach(({ name, nameSite }, index) => {
      if (nameSite !== null) add(name, { kind: 'input', index, site: nameSite, node: null, tensor: null });
    });
    owner.initializers.forEach((tensor, index) => {
      if (tensor.nameSite !== null) add(tensor.name, { kind: 'initializer', index, site: tensor.nameSite, node: null, tensor });
    });
    owner.sparse.forEach(({ values }, index) => {
      if (values !== null && values.nameSite !== null) add(values.name, { kind: 'sparse', index, site: values.nameSite, node: null, tensor: values });
    });
  } else {
    owner.inputs.forEach(({ text, site }, index) => add(text, { kind: 'input', index, site, node: null, tensor: null }));
  }
  for (const node of owner.nodes) {
    node.outputs.forEach(({ text, site }, index) => add(text, { kind: 'node-output', index, site, node, tensor: null }));
  }
  return new Map([...drafts].map(([name, at]) => [name, definitionOf(owner, name, at)]));
}

function definitionOf(owner: ScopeOwner, name: string, at: DefinitionSite[]): Draft {
  return {
    owner,
    name,
    at,
    kinds: at.map(({ kind }) => kind),
    sites: at.map(({ site }) => site),
    node: at.find(({ node }) => node !== null)?.node ?? null,
    tensor: at.find(({ tensor }) => tensor !== null)?.tensor ?? null,
  };
}
