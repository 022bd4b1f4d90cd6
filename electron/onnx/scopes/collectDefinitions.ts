import { isGraph } from './outerOf';
import type { Definition, DefinitionSite, ScopeOwner } from './scopeIndex';

/** What one graph or function defines, by name, in the order of inputs, initializers, sparse initializers, outputs of nodes. `''` is no name. */
export function collectDefinitions(owner: ScopeOwner): ReadonlyMap<string, Definition> {
  const drafts = new Map<string, DefinitionSite[]>();
  const add = (name: string, place: DefinitionSite) => {
    if (name === '') return;
    const known = drafts.get(name);
    if (known === undefined) drafts.set(name, [place]);
    else known.push(place);
  };
  if (isGraph(owner)) {
    for (const [index, { name, nameSite }] of owner.inputs.entries()) {
      if (nameSite !== null) add(name, { kind: 'input', index, site: nameSite, node: null, tensor: null });
    }
    for (const [index, tensor] of owner.initializers.entries()) {
      if (tensor.nameSite !== null) add(tensor.name, { kind: 'initializer', index, site: tensor.nameSite, node: null, tensor });
    }
    for (const [index, { values }] of owner.sparse.entries()) {
      if (values?.nameSite) add(values.name, { kind: 'sparse', index, site: values.nameSite, node: null, tensor: values });
    }
  } else {
    for (const [index, { text, site }] of owner.inputs.entries()) add(text, { kind: 'input', index, site, node: null, tensor: null });
  }
  for (const node of owner.nodes) {
    for (const [index, { text, site }] of node.outputs.entries()) add(text, { kind: 'node-output', index, site, node, tensor: null });
  }
  return new Map([...drafts].map(([name, at]) => [name, definitionOf(owner, name, at)]));
}

function definitionOf(owner: ScopeOwner, name: string, at: readonly DefinitionSite[]): Definition {
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
