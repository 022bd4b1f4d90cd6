import { placeInGraph, placeOfGraph, shownName } from '../edits/places';
import type { OnnxGraph, OnnxValueInfo } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { Definition } from '../scopes/scopeIndex';
import { elementTypeName, typeAndShape } from '../values/elementTypes';
import type { CheckContext } from './checkContext';

/** Since this version of the IR an initializer need not be an input. */
const FREE_INITIALIZERS = 4;

interface Stored {
  readonly type: number;
  readonly dims: readonly number[];
}

/** What is said about an initializer elsewhere agrees with it: as an input, an output, in value_info. */
export function checkInitializers(context: CheckContext): void {
  const { model, index } = context;
  for (const owner of model.graphs) {
    checkValueInfo(context, owner);
    for (const definition of index.definitions(owner)) {
      const stored = storedOf(definition);
      if (stored === null) continue;
      if (owner === model.graph && model.irVersion > 0 && model.irVersion < FREE_INITIALIZERS && !definition.kinds.includes('input')) {
        context.error('initializer-input', `The initializer ${shownName(definition.name)} is not an input, which ir_version ${model.irVersion} asks for.`, {
          owner,
        });
      }
      compareAll(context, definition, stored);
    }
  }
}

function storedOf({ owner, at }: Definition): Stored | null {
  for (const { kind, index, tensor } of at) {
    if (tensor === null) continue;
    const dims = kind === 'sparse' && isGraph(owner) ? (owner.sparse[index]?.dims ?? []) : tensor.dims;
    return { type: tensor.type, dims };
  }
  return null;
}

function compareAll(context: CheckContext, definition: Definition, stored: Stored): void {
  const { owner, name, at } = definition;
  if (!isGraph(owner)) return;
  const compare = (what: string, info: OnnxValueInfo | undefined, isInput: boolean) => {
    const conflict = info === undefined ? null : conflictOf(info, stored);
    if (conflict === null) return;
    const text = `${shownName(name)} is stored as ${typeAndShape(stored.type, stored.dims)}, but ${placeInGraph(what, owner)} says ${conflict.says}.`;
    if (isInput && conflict.isType) context.error('types', text, { owner });
    else context.warn('types', text, { owner });
  };
  for (const { kind, index } of at) if (kind === 'input') compare(`input ${index}`, owner.inputs[index], true);
  for (const mention of context.index.mentions(definition)) {
    if (mention.kind === 'value-info') compare(`value_info ${mention.index}`, mention.owner.valueInfos[mention.index], false);
  }
  for (const use of context.index.uses(definition)) {
    if (use.node === null && use.owner === owner) compare(`output ${use.input}`, owner.outputs[use.input], false);
  }
}

/** What an entry says, when no value of the stored type and shape fits it. Names of extents fit any. */
function conflictOf({ type }: OnnxValueInfo, stored: Stored): { readonly says: string; readonly isType: boolean } | null {
  if (type === null || type.kind === 'unknown') return null;
  if (type.kind !== 'tensor' && type.kind !== 'sparse_tensor') return { says: `a ${type.kind}`, isType: true };
  const { elementType, dims } = type;
  if (elementType !== 0 && elementType !== stored.type) return { says: elementTypeName(elementType), isType: true };
  if (dims === null) return null;
  const fits = dims.length === stored.dims.length && dims.every((dim, axis) => typeof dim !== 'number' || dim === stored.dims[axis]);
  return fits ? null : { says: typeAndShape(elementType === 0 ? stored.type : elementType, dims), isType: false };
}

/** value_info has one entry for a name (GraphProto in onnx.proto). */
function checkValueInfo({ warn }: CheckContext, owner: OnnxGraph): void {
  const first = new Map<string, number>();
  for (const [i, { name }] of owner.valueInfos.entries()) {
    const known = first.get(name);
    if (known === undefined) first.set(name, i);
    else warn('single-definition', `value_info of ${placeOfGraph(owner)} has two entries for ${shownName(name)}: ${known} and ${i}.`, { owner });
  }
}
