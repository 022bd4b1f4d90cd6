import { basename } from 'node:path';
import type { EditReview } from '../../../../shared/model/graphEdit';
import { composePieces, type Piece, pieceLength, piecesSource } from '../../../bytes/pieces';
import { checkModel } from '../../../onnx/check/checkModel';
import { applyPlan } from '../../../onnx/edits/applyPlan';
import type { EditPlan } from '../../../onnx/edits/editPlan';
import { planEdit } from '../../../onnx/edits/planEdit';
import type { ResolvedEdit } from '../../../onnx/edits/resolvedEdit';
import { type ModelRef, openModelRef } from '../../../onnx/model/modelRef';
import type { OnnxModel } from '../../../onnx/model/onnxModel';
import { readModel } from '../../../onnx/model/readModel';
import type { TaskContext } from '../task';
import { readGraph } from './readGraph';

export interface GraphPlanInput {
  readonly model: ModelRef;
  readonly edit: ResolvedEdit;
}

export interface GraphPlanOutput {
  readonly review: EditReview;
  /** The edited model as pieces of the base; `null` when the edit is refused. */
  readonly pieces: readonly Piece[] | null;
  readonly files: EditPlan['files'];
}

/** What an edit does, and the model after it. The result is read and checked as any reader would before it is given out. */
export async function graphPlan({ model: ref, edit }: GraphPlanInput, { signal }: TaskContext): Promise<GraphPlanOutput> {
  const { model, pathOf, small } = await readGraph(ref, signal);
  const other = edit.kind === 'splice' ? await readGraph(edit.from, signal) : null;
  const plan = await planEdit(model, edit, {
    pathOf,
    small,
    modelFile: basename(ref.file),
    other: other === null || edit.kind !== 'splice' ? null : { ...other, path: pathOfBase(edit.from) },
  });
  if (plan.refusals.length > 0) return { review: reviewOf(plan, plan.refusals, 0), pieces: null, files: [] };
  const pieces = applyPlan(model, plan);
  const refusals = await newErrors(ref, { model, pieces, signal });
  const touched = pieces.reduce((sum, piece) => sum + (piece.kind === 'copy' ? 0 : pieceLength(piece)), 0);
  const review = reviewOf(plan, refusals, touched);
  if (refusals.length > 0) return { review, pieces: null, files: [] };
  const ofBase = (made: readonly Piece[]): readonly Piece[] => (ref.pieces === null ? made : composePieces(ref.pieces, made));
  return { review, pieces: ofBase(pieces), files: plan.files.map((file) => ({ name: file.name, pieces: ofBase(file.pieces) })) };
}

/** Models are spliced from files as they are, never from one with edits. */
function pathOfBase({ base, pieces }: ModelRef): string {
  if (base.kind !== 'file' || pieces !== null) throw new TypeError('not a model in a file');
  return base.path;
}

function reviewOf({ title, sites, warnings, conflicts = [] }: EditPlan, refusals: readonly string[], bytesTouched: number): EditReview {
  return { title, sites, warnings, refusals, conflicts, bytesTouched };
}

/** Errors that the model did not have before. */
async function newErrors(
  ref: ModelRef,
  edited: { readonly model: OnnxModel; readonly pieces: readonly Piece[]; readonly signal: AbortSignal },
): Promise<string[]> {
  const source = piecesSource(await openModelRef(ref), edited.pieces, ref.file);
  try {
    const after = checkModel(await readModel(source, { file: ref.file, signal: edited.signal }));
    const errors = after.filter(({ severity }) => severity === 'error');
    const before = checkModel(edited.model).filter(({ severity }) => severity === 'error');
    // An edit may change the words of an error that was there, because it names what was renamed: only more errors of a kind are new ones.
    const kinds = (findings: typeof errors, rule: string) => findings.filter((finding) => finding.rule === rule).length;
    const known = new Set(before.map(({ text }) => text));
    return errors
      .filter(({ rule, text }) => !known.has(text) && kinds(errors, rule) > kinds(before, rule))
      .map(({ text }) => `The model would not be valid: ${text}`);
  } finally {
    await source.close();
  }
}
