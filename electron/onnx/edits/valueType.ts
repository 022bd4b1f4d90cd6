import type { OnnxValueType } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { Definition, ScopeIndex } from '../scopes/scopeIndex';
import { storedType } from './constantNode';

/** What the model says about the type of a value: where it is stored, an input, an output, or in value_info; `null` when it says nothing. */
export function valueType(index: ScopeIndex, definition: Definition): OnnxValueType | null {
  const { owner } = definition;
  const stored = storedType(definition);
  if (stored !== null) return { kind: 'tensor', elementType: stored.type, dims: stored.dims };
  for (const { kind, index: at } of definition.at) {
    const type = kind === 'input' && isGraph(owner) ? owner.inputs[at]?.type : null;
    if (type !== null && type !== undefined) return type;
  }
  for (const mention of index.mentions(definition)) {
    const type = mention.kind === 'value-info' ? mention.owner.valueInfos[mention.index]?.type : null;
    if (type !== null && type !== undefined) return type;
  }
  for (const use of index.uses(definition)) {
    const type = use.node === null && use.owner === owner && isGraph(owner) ? owner.outputs[use.input]?.type : null;
    if (type !== null && type !== undefined) return type;
  }
  return null;
}

/** Whether two types are known and are the same, symbolic extents by name. */
export function sameKnownType(a: OnnxValueType, b: OnnxValueType): boolean {
  if (a.kind !== 'tensor' || b.kind !== 'tensor' || a.elementType === 0 || a.elementType !== b.elementType) return false;
  if (a.dims === null || b.dims === null || a.dims.length !== b.dims.length) return false;
  return a.dims.every((dim, axis) => dim !== null && dim === b.dims?.[axis]);
}
