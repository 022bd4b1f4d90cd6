import type { ValueAddress } from '../../../shared/model/graphEdit';
import { sameShape } from '../../../shared/model/shape';
import type { OnnxAttribute, OnnxGraph, OnnxModel, OnnxNode, OnnxSparseTensor, OnnxTensor } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { Definition, DefinitionSite, ScopeIndex } from '../scopes/scopeIndex';
import { elementType, elementTypeName, typeAndShape } from '../values/elementTypes';
import type { NewTensor } from '../values/newTensor';
import { refusedValue, withZeroPadding } from './checkNewValue';
import { attributeType, constantAttribute, storedType, type TypeAndShape } from './constantNode';
import type { EditPlan } from './editPlan';
import { raiseIrVersion } from './irVersion';
import { definedTwice, locateValue } from './locateValue';
import { namedPlace, placeOfNode, shownName } from './places';
import { finish, newDraft, type PlanDraft, refuseTooLong } from './planDraft';
import { setConstant } from './setConstant';
import { type ExternalNames, placeOfData, setDense } from './setDense';
import { noteUses, updateTypes } from './setValueNotes';
import { tensorContent } from './tensorFields';
import { appendTo, fieldPieces, removeMessage } from './wireEdits';

export interface SetValueOptions extends ExternalNames {
  readonly address: ValueAddress;
  readonly value: NewTensor;
  /** Another type or shape than now is meant; so is a sparse initializer that becomes dense, and an input whose type is made to agree. */
  readonly allowChange: boolean;
}

/** What is written, once everything about the value is known. */
interface Target {
  readonly model: OnnxModel;
  readonly index: ScopeIndex;
  readonly definition: Definition;
  readonly at: DefinitionSite;
  readonly present: TypeAndShape;
  readonly value: NewTensor;
}

/**
 * Gives an initializer or a Constant another value: raw_data is written, whatever held the value before goes, and what is said elsewhere
 * about its type follows. Nothing is ever written in place into a file of external data, which other tensors may share.
 */
export function planSetValue(model: OnnxModel, options: SetValueOptions, index: ScopeIndex = indexScopes(model)): EditPlan {
  const { address } = options;
  const value = withZeroPadding(options.value);
  const draft = newDraft(`Set the value of ${shownName(address.name)}`);
  const bad = refusedValue(value);
  if (bad !== null) draft.refusals.push(bad);
  const found = locate(index, address, draft);
  if (found === null) return finish(draft);
  const present = storedType(found.definition);
  if (present === null || elementType(present.type) === null) {
    draft.refusals.push(refusedPresent(address.name, present));
    return finish(draft);
  }
  const changes = present.type !== value.type || !sameShape(present.dims, value.dims);
  if (changes && !options.allowChange) {
    draft.refusals.push(
      `${shownName(address.name)} is ${typeAndShape(present.type, present.dims)}, but the new value is ${typeAndShape(value.type, value.dims)}: confirm that another type or shape is meant.`,
    );
  }
  const target: Target = { model, index, ...found, present, value };
  write(draft, target, options);
  if (draft.refusals.length > 0) return finish(draft);
  noteUses(draft, index, found.definition);
  updateTypes(draft, { index, definition: found.definition, value, changes, allowChange: options.allowChange });
  if (present.type !== value.type) raiseIrVersion(draft, model, { version: elementType(value.type)?.since ?? 0, reason: elementTypeName(value.type) });
  refuseTooLong(model, draft);
  return finish(draft);
}

/** The one stored value that an address means. */
function locate(index: ScopeIndex, address: ValueAddress, draft: PlanDraft): { readonly definition: Definition; readonly at: DefinitionSite } | null {
  const definition = locateValue(index, address);
  const problem = typeof definition === 'string' ? definition : definedTwice(definition);
  if (problem !== null) draft.refusals.push(problem);
  if (problem !== null || typeof definition === 'string') return null;
  const at = definition.at.find(({ kind }) => kind !== 'input');
  if (at === undefined) {
    draft.refusals.push(
      `${shownName(address.name)} is an input without a default value: a caller gives it. Add an initializer of that name to give it a default.`,
    );
  } else if (at.node !== null && constantAttribute(at.node) === null) {
    draft.refusals.push(`${shownName(address.name)} is computed by ${placeOfNode(at.node)}: only initializers and constants have a value to set.`);
  } else return { definition, at };
  return null;
}

function refusedPresent(name: string, present: TypeAndShape | null): string {
  if (present === null) return `The value of ${shownName(name)} is not in the Constant itself: it comes from an attribute of the call, or is missing.`;
  return `${shownName(name)} has ${elementTypeName(present.type)}, which is not known, so its value cannot be set.`;
}

function write(draft: PlanDraft, target: Target, options: SetValueOptions): void {
  const { definition, at } = target;
  const attribute = at.node === null ? null : constantAttribute(at.node);
  if (at.kind === 'sparse' && 'sparse' in definition.owner) {
    const sparse = definition.owner.sparse[at.index];
    if (sparse !== undefined) writeSparse(draft, target, { graph: definition.owner, sparse, allowChange: options.allowChange });
  } else if (at.node !== null && attribute !== null) writeConstant(draft, target, { node: at.node, attribute, options });
  else if (at.tensor !== null) writeTensor(draft, target, { tensor: at.tensor, options });
}

function writeTensor(
  draft: PlanDraft,
  { model, definition, at, present, value }: Target,
  { tensor, options }: { readonly tensor: OnnxTensor; readonly options: SetValueOptions },
): void {
  if (refuseSegmented(draft, tensor, definition.name)) return;
  const before = `${typeAndShape(present.type, present.dims)}, ${placeOfData(tensor)}`;
  const where = setDense(draft, { model, tensor, name: definition.name }, { ...options, value });
  draft.sites.push({
    graph: definition.owner.path,
    place: namedPlace(definition, at),
    before,
    after: `${typeAndShape(value.type, value.dims)}, ${where}`,
  });
}

function refuseSegmented(draft: PlanDraft, tensor: OnnxTensor, name: string): boolean {
  if (tensor.segmented) draft.refusals.push(`${shownName(name)} is stored in segments, which no version of ONNX reads: its value cannot be set.`);
  return tensor.segmented;
}

/** A sparse initializer gives way to a dense one. */
function writeSparse(
  draft: PlanDraft,
  { definition, at, present, value }: Target,
  options: { readonly graph: OnnxGraph; readonly sparse: OnnxSparseTensor; readonly allowChange: boolean },
): void {
  const { graph, sparse, allowChange } = options;
  if (!allowChange) {
    draft.refusals.push(`${shownName(definition.name)} is a sparse initializer, and a new value would make it dense: confirm that this is meant.`);
    return;
  }
  draft.edits.push(removeMessage(sparse.frame), appendTo(graph.frame, fieldPieces(5, tensorContent(definition.name, value))));
  draft.sites.push({
    graph: graph.path,
    place: namedPlace(definition, at),
    before: `${typeAndShape(present.type, present.dims)}, sparse`,
    after: `${typeAndShape(value.type, value.dims)}, an ordinary initializer`,
  });
}

function writeConstant(
  draft: PlanDraft,
  target: Target,
  { node, attribute, options }: { readonly node: OnnxNode; readonly attribute: OnnxAttribute; readonly options: SetValueOptions },
): void {
  const { definition, value } = target;
  const [tensor] = attribute.tensors;
  if (attribute.name === 'value' && tensor !== undefined) {
    writeTensor(draft, target, { tensor, options });
    return;
  }
  if (attribute.name === 'sparse_value' && !options.allowChange) {
    draft.refusals.push(`${shownName(definition.name)} is a sparse constant, and a new value would make it dense: confirm that this is meant.`);
    return;
  }
  const present = attributeType(attribute);
  const written = setConstant(attribute, value);
  draft.edits.push(...written.edits);
  draft.sites.push({
    graph: definition.owner.path,
    place: placeOfNode(node),
    before: `${attribute.name}: ${present === null ? '?' : typeAndShape(present.type, present.dims)}`,
    after: `${written.attribute}: ${typeAndShape(value.type, value.dims)}`,
  });
}
