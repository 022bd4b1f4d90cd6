import { placeOfGraph, placeOfNode, shownName } from '../edits/places';
import type { OnnxModel, OpsetImport } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { ScopeOwner } from '../scopes/scopeIndex';
import type { CheckContext } from './checkContext';

/** Since this version of the IR a model imports its operator sets. */
const OPSETS = 3;

/** Every operator is of a domain that is imported. `ai.onnx` and no domain are one (docs/IR.md, "Operator Sets"). */
export function checkOpsets(context: CheckContext): void {
  const { model, index } = context;
  if (model.irVersion >= OPSETS && model.opsets.length === 0) context.error('opsets', 'The model imports no operator set.', { owner: model.graph });
  checkImports(context, model.opsets, { words: 'The model', owner: model.graph });
  for (const func of model.functions) checkImports(context, func.opsets, { words: `${placeOfGraph(func)}`, owner: func });
  // Before, there was only one operator set; a model without any is said once.
  if (model.irVersion < OPSETS || model.opsets.length === 0) return;
  const seen = new Set<string>();
  for (const owner of index.owners) {
    const outermost = outermostOf(owner);
    const domains = new Set((isGraph(outermost) ? model.opsets : outermost.opsets).map(({ domain }) => domain));
    for (const node of owner.nodes) {
      const key = `${outermost.path}\n${node.domain}`;
      if (domains.has(node.domain) || seen.has(key)) continue;
      seen.add(key);
      const domain = node.domain === '' ? "ONNX's own operators" : `the domain ${shownName(node.domain)}`;
      context.error('opsets', `${placeOfNode(node)} of ${placeOfGraph(owner)} needs ${domain}, of which no version is imported.`, { owner, node });
    }
  }
}

function checkImports({ warn }: CheckContext, opsets: OnnxModel['opsets'], { words, owner }: { readonly words: string; readonly owner: ScopeOwner }): void {
  const first = new Map<string, OpsetImport>();
  for (const opset of opsets) {
    const { domain, version } = opset;
    const known = first.get(domain);
    if (known === undefined) first.set(domain, opset);
    else {
      const which = domain === '' ? "ONNX's own operators" : shownName(domain);
      const versions =
        known.version === version
          ? `version ${version} of ${which} twice`
          : `versions ${known.version} and ${version} of ${which}: readers take the higher one, or the last`;
      warn('opsets', `${words} imports ${versions}.`, { owner });
    }
  }
}

function outermostOf(owner: ScopeOwner): ScopeOwner {
  let at = owner;
  while (isGraph(at) && at.parent !== null) at = at.parent.graph;
  return at;
}
