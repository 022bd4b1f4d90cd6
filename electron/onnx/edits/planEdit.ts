import { isCheckpointError } from '../../../shared/contract/errors';
import type { ValueAddress } from '../../../shared/model/graphEdit';
import type { Piece } from '../../bytes/pieces';
import type { SmallTensors } from '../infer/inferTypes';
import { typesByDefinition } from '../infer/typesByDefinition';
import type { OnnxModel, OnnxTensor } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import { constantTensor } from '../values/constantTensor';
import type { NewTensor } from '../values/newTensor';
import { storedType } from './constantNode';
import type { EditPlan } from './editPlan';
import { externalPieces } from './externalPieces';
import { planAddInitializer } from './planAddInitializer';
import { planExternalise } from './planExternalise';
import { planInline } from './planInline';
import { planRemoveInitializer } from './planRemoveInitializer';
import { planRemoveNodes } from './planRemoveNodes';
import { planRename } from './planRename';
import { planRenameNodes } from './planRenameNodes';
import { planSetValue } from './planSetValue';
import { planSplice } from './planSplice';
import type { ResolvedEdit, ResolvedValue } from './resolvedEdit';

export interface EditContext {
  /** File of external data at a location that the model gives. */
  readonly pathOf: (location: string) => string | null;
  /** Elements of small tensors, which shapes depend on. */
  readonly small: SmallTensors;
  /** Name of the model's own file. */
  readonly modelFile: string;
  /** The model that is spliced from, and its file. */
  readonly other: { readonly model: OnnxModel; readonly path: string; readonly pathOf: (location: string) => string | null } | null;
}

/** What an edit does to the model; nothing is changed or written. @throws CheckpointError not-found, permission for external data */
export async function planEdit(model: OnnxModel, edit: ResolvedEdit, context: EditContext): Promise<EditPlan> {
  switch (edit.kind) {
    case 'rename':
      return planRename(model, edit.renames);
    case 'rename-nodes':
      return planRenameNodes(model, edit.renames);
    case 'set-value': {
      const value = valueFor(model, edit.address, edit.value);
      if (typeof value === 'string') return refused('Set a value', value);
      return withValues(planSetValue(model, { ...edit, value, modelFile: context.modelFile }), model, { edit, small: context.small });
    }
    case 'add-initializer': {
      const value = edit.value.kind === 'tensor' ? edit.value.tensor : scalarOf(edit.value.text);
      return typeof value === 'string' ? refused('Add an initializer', value) : planAddInitializer(model, { address: edit.address, value });
    }
    case 'remove-initializer':
      return planRemoveInitializer(model, edit.address);
    case 'remove-nodes':
      return planRemoveNodes(model, { ...edit, typeOf: typesByDefinition(model, context.small) });
    case 'splice':
      return spliced(model, edit, context);
    case 'externalise':
      return planExternalise(model, { ...edit, modelFile: context.modelFile });
    case 'inline':
      return planInline(model, await payloadsOf(model, context.pathOf));
  }
}

async function payloadsOf(model: OnnxModel, pathOf: EditContext['pathOf']): Promise<(tensor: OnnxTensor) => Piece | string> {
  const pieces = await externalPieces(model, pathOf);
  return (tensor) => pieces.get(tensor) ?? 'its file cannot be read.';
}

async function spliced(model: OnnxModel, edit: Extract<ResolvedEdit, { readonly kind: 'splice' }>, { other }: EditContext): Promise<EditPlan> {
  if (other === null) return refused('Splice', 'The other model is missing.');
  return planSplice(model, other.model, { ...edit, otherFile: other.path, payload: await payloadsOf(other.model, other.pathOf) });
}

function refused(title: string, refusal: string): EditPlan {
  return { title, sites: [], warnings: [], refusals: [refusal], edits: [], files: [] };
}

/** Elements that are shown of a value. */
const SHOWN = 4;

/** Says at the value itself, which is the first of the sites, what stands there now and will, where that is known without reading it. */
function withValues(
  plan: EditPlan,
  model: OnnxModel,
  { edit, small }: { readonly edit: Extract<ResolvedEdit, { readonly kind: 'set-value' }>; readonly small: SmallTensors },
): EditPlan {
  const [first, ...others] = plan.sites;
  if (first === undefined) return plan;
  const tensors =
    indexScopes(model)
      .definition(edit.address.graph, edit.address.name)
      ?.at.flatMap(({ tensor }) => tensor ?? []) ?? [];
  const present = tensors.map((tensor) => small.get(tensor)).find((elements) => elements !== undefined);
  const before = present === undefined ? first.before : `${first.before}: ${elementWords(present)}`;
  const after = edit.value.kind === 'constant' ? `${first.after}: ${edit.value.text}` : first.after;
  return { ...plan, sites: [{ ...first, before, after }, ...others] };
}

function elementWords(elements: readonly number[]): string {
  const [first] = elements;
  if (elements.every((element) => Object.is(element, first))) return String(first);
  return `${elements.slice(0, SHOWN).map(String).join(', ')}${elements.length > SHOWN ? ', …' : ''}`;
}

/** A constant takes the type and shape of what it replaces. A text: why it cannot. */
function valueFor(model: OnnxModel, address: ValueAddress, value: ResolvedValue): NewTensor | string {
  if (value.kind === 'tensor') return value.tensor;
  const like = likeOf(model, address);
  if (like === null) return `There is no initializer or constant ${JSON.stringify(address.name)} here whose values could be replaced.`;
  return constantOrWords(value.text, like);
}

function constantOrWords(text: string, like: { readonly type: number; readonly dims: readonly number[] }): NewTensor | string {
  try {
    return constantTensor(text, like);
  } catch (error) {
    if (isCheckpointError(error, 'invalid-request')) return error.message;
    throw error;
  }
}

function likeOf(model: OnnxModel, { graph, name }: ValueAddress): { readonly type: number; readonly dims: readonly number[] } | null {
  const definition = indexScopes(model).definition(graph, name);
  return definition === null ? null : storedType(definition);
}

const FLOAT = 1;
const INT64 = 7;
const BOOL = 9;

/** A scalar of the type that its text looks like: `true` a bool, `3` an int64, anything else a float. */
function scalarOf(text: string): NewTensor | string {
  const type = /^(?:true|false)$/i.test(text) ? BOOL : /^[+-]?\d+$/.test(text) ? INT64 : FLOAT;
  return constantOrWords(text, { type, dims: [] });
}
