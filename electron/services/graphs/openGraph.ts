import { CheckpointError } from '../../../shared/contract/errors';
import type { Side } from '../../../shared/model/side';
import type { Piece } from '../../bytes/pieces';
import type { EditPlan } from '../../onnx/edits/editPlan';
import type { ModelRef } from '../../onnx/model/modelRef';
import type { GraphRef } from '../../workers/tasks/graph/graphRef';
import type { ModelFile } from './modelFile';

/** One edit that was done: the model after it. */
export interface EditStep {
  readonly title: string;
  readonly pieces: readonly Piece[];
  /** New external data of this step and of those before it. */
  readonly files: EditPlan['files'];
}

/** A graph that a window looks at. */
export interface OpenGraph {
  readonly id: string;
  readonly side: Side;
  readonly file: ModelFile;
  /** Folder for what belongs to this graph alone; removed when it is closed. */
  readonly scratch: string;
  /** Steps done and undone; the model is as after step `at` (0: as it was opened). */
  steps: readonly EditStep[];
  at: number;
  revision: number;
  /** For a comparison: the other side. */
  readonly other: { readonly side: Side; readonly file: ModelFile } | null;
}

/** How a worker opens the model as it is now. */
export function modelRefOf({ id, file, steps, at, revision }: Pick<OpenGraph, 'id' | 'file' | 'steps' | 'at' | 'revision'>): ModelRef {
  const baseKey = `${id} ${file.identity}`;
  const step = at === 0 ? undefined : steps[at - 1];
  return {
    key: step === undefined ? baseKey : `${baseKey} ${revision}`,
    baseKey,
    file: file.name,
    base: { kind: 'file', path: file.path },
    pieces: step?.pieces ?? null,
    external: file.external,
  };
}

export function graphRefOf(graph: OpenGraph): GraphRef {
  if (graph.other === null) return { kind: 'model', model: modelRefOf(graph) };
  return {
    kind: 'diff',
    a: modelRefOf({ ...graph, id: `${graph.id}a`, at: 0 }),
    b: modelRefOf({ ...graph, id: `${graph.id}b`, file: graph.other.file, at: 0 }),
  };
}

/** The graph after an edit: what was undone can no longer be redone. */
export function addStep(graph: OpenGraph, step: Omit<EditStep, 'files'> & { readonly files: EditPlan['files'] }): void {
  const before = graph.at === 0 ? [] : (graph.steps[graph.at - 1]?.files ?? []);
  const files = [...before.filter(({ name }) => step.files.every((file) => file.name !== name)), ...step.files];
  graph.steps = [...graph.steps.slice(0, graph.at), { ...step, files }];
  graph.at = graph.steps.length;
  graph.revision++;
}

/** @throws CheckpointError invalid-request when there is nothing to undo or redo */
export function moveSteps(graph: OpenGraph, by: 1 | -1): void {
  const at = graph.at + by;
  if (at < 0 || at > graph.steps.length) throw new CheckpointError('invalid-request', by === 1 ? 'There is nothing to redo.' : 'There is nothing to undo.');
  graph.at = at;
  graph.revision++;
}
