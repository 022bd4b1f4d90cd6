import type { ValueAddress } from '../../../shared/model/graphEdit';
import type { OnnxModel } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import { isGraph } from '../scopes/outerOf';
import type { ScopeIndex } from '../scopes/scopeIndex';
import { elementType, elementTypeName, typeAndShape } from '../values/elementTypes';
import type { NewTensor } from '../values/newTensor';
import { refusedValue, withZeroPadding } from './checkNewValue';
import type { EditPlan } from './editPlan';
import { raiseIrVersion } from './irVersion';
import { counted } from './listed';
import { refusedNewName } from './newNames';
import { shownName } from './places';
import { finish, newDraft, refuseTooLong } from './planDraft';
import { tensorContent, valueInfoContent } from './tensorFields';
import { appendTo, bytesPiece, fieldPieces } from './wireEdits';

const INITIALIZER = 5;
const INPUT = 11;
/** Up to this version of the IR an initializer is an input as well (https://github.com/onnx/onnx/blob/main/docs/IR.md). */
export const LAST_IR_WITH_INPUTS = 3;

/** Adds an initializer to a graph, under a name that no graph around it or inside it has. An input of that name without a default gets one. */
export function planAddInitializer(
  model: OnnxModel,
  options: { readonly address: ValueAddress; readonly value: NewTensor },
  index: ScopeIndex = indexScopes(model),
): EditPlan {
  const { graph: path, name } = options.address;
  const value = withZeroPadding(options.value);
  const draft = newDraft(`Add the initializer ${shownName(name)}`);
  const bad = refusedValue(value);
  if (bad !== null) draft.refusals.push(bad);
  const [owner] = index.ownersAt(path);
  if (owner === undefined || !isGraph(owner)) {
    draft.refusals.push(owner === undefined ? `The model has no graph ${shownName(path)}.` : 'A function has no initializers: give it a Constant instead.');
    return finish(draft);
  }
  const input = owner.inputs.find((each) => each.name === name);
  const isDefault = input !== undefined && index.definition(owner, name)?.kinds.join() === 'input';
  const taken = isDefault ? null : refusedNewName(model, index, { owner, name });
  if (taken !== null) draft.refusals.push(taken);
  if (isDefault && owner !== model.graph)
    draft.refusals.push(`${shownName(name)} is an input of a body, which its operator gives: it can have no default value.`);
  const wrong = isDefault && input.type !== null && input.type.elementType !== 0 && input.type.elementType !== value.type;
  if (wrong)
    draft.refusals.push(`The input ${shownName(name)} is ${elementTypeName(input.type?.elementType ?? 0)}, but the value is ${elementTypeName(value.type)}.`);
  const asInput = !isDefault && model.irVersion > 0 && model.irVersion <= LAST_IR_WITH_INPUTS;
  if (asInput && owner !== model.graph) draft.refusals.push(`In IR ${model.irVersion} an initializer is an input as well, and a body cannot get more inputs.`);
  draft.edits.push(appendTo(owner.frame, fieldPieces(INITIALIZER, tensorContent(name, value))));
  const after = typeAndShape(value.type, value.dims);
  draft.sites.push({ graph: path, place: `initializer ${owner.initializers.length} ${shownName(name)}`, before: '', after });
  if (asInput) {
    draft.edits.push(appendTo(owner.frame, fieldPieces(INPUT, [bytesPiece(valueInfoContent(name, value))])));
    draft.sites.push({ graph: path, place: `input ${owner.inputs.length} ${shownName(name)}`, before: '', after });
  }
  const waiting = index.dangling.filter((use) => use.name === name);
  if (waiting.length > 0)
    draft.warnings.push(`${counted(waiting.length, 'place uses', 'places use')} the name ${shownName(name)}, which nothing defined so far.`);
  if (isDefault) draft.warnings.push(`${shownName(name)} is an input: the new value is its default, and a caller may override it.`);
  raiseIrVersion(draft, model, { version: elementType(value.type)?.since ?? 0, reason: elementTypeName(value.type) });
  refuseTooLong(model, draft);
  return finish(draft);
}
