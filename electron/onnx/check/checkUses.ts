import { placeInGraph, placeOfGraph, placeOfMention, placeOfUse, shownName } from '../edits/places';
import { isGraph } from '../scopes/outerOf';
import { positionIn } from '../scopes/positionIn';
import type { Definition, Use } from '../scopes/scopeIndex';
import type { CheckContext } from './checkContext';

/** Every name that is used is defined, before it is used. */
export function checkUses(context: CheckContext): void {
  const { index } = context;
  checkDangling(context);
  for (const owner of index.owners) {
    for (const definition of index.definitions(owner)) checkOrder(context, definition);
    if (isGraph(owner) && owner.parent !== null) {
      for (const { name } of owner.outputs) {
        if (name === '' || index.definition(owner, name) !== null || index.resolve(owner, name) === null) continue;
        context.warn(
          'defined',
          `${shownName(name)}, an output of ${placeOfGraph(owner)}, is a value of a graph around it: ONNX Runtime asks for one of its own.`,
          {
            owner,
          },
        );
      }
    }
  }
  for (const mention of index.orphans) {
    const text = `${placeInGraph(placeOfMention(mention), mention.owner)} names ${shownName(mention.name)}, which does not exist.`;
    if (mention.kind === 'binding-key' || mention.kind === 'binding-value') context.error('training', text, mention);
    else context.warn(mention.kind === 'annotation' || mention.kind === 'annotation-parameter' ? 'annotations' : 'defined', text, { owner: mention.owner });
  }
}

/** One finding for each name and graph: whatever is missing is often used many times. */
function checkDangling({ index, error }: CheckContext): void {
  const seen = new Map<string, Use[]>();
  for (const use of index.dangling) {
    const key = `${use.owner.path}\n${use.name}`;
    const known = seen.get(key);
    if (known === undefined) seen.set(key, [use]);
    else known.push(use);
  }
  for (const [first, ...others] of seen.values()) {
    if (first === undefined) continue;
    const more = others.length === 0 ? '' : `, and ${others.length} more ${others.length === 1 ? 'place' : 'places'} there`;
    error('defined', `${placeInGraph(placeOfUse(first), first.owner)}${more} uses ${shownName(first.name)}, which nothing defines.`, first);
  }
}

/** Nodes must be sorted so that what they use stands before them. */
function checkOrder({ index, error }: CheckContext, definition: Definition): void {
  if (definition.at.length !== 1 || definition.node === null) return;
  const { node, owner, name } = definition;
  for (const use of index.uses(definition)) {
    const position = positionIn(owner, use);
    if (position > node.index) continue;
    const words = position === node.index ? 'which that node itself makes' : `which node ${node.index} makes only later`;
    error('order', `${placeInGraph(placeOfUse(use), use.owner)} uses ${shownName(name)}, ${words}.`, use);
    break;
  }
}
