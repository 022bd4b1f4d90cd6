import { CheckpointError } from '../../../shared/contract/errors';
import type { Side } from '../../../shared/model/side';
import type { Piece } from '../../bytes/pieces';
import type { EditPlan } from '../../onnx/edits/editPlan';
import type { ModelRef } from '../../onnx/model/modelRef';
import type { GraphRef } from '../../workers/tasks/graph/graphRef';
import type { ModelFile } from './modelFile';

/** One edit that was done: the model after it. */
export interface EditStep {
  /** No two steps of the program have the same. */
  readonly id: string;
  readonly title: string;
  readonly pieces: readonly Piece[];
  /** New external data of this step and of those before it. */
  readonly files: EditPlan['files'];
  /** `fileIdentity` of each file that pieces of this step and of those before it are of, when they were planned. */
  readonly sources: ReadonlyMap<string, string>;
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
export function modelRefOf({ id, file, steps, at }: Pick<OpenGraph, 'id' | 'file' | 'steps' | 'at'>): ModelRef {
  const baseKey = `${id} ${file.identity}`;
  const step = at === 0 ? undefined : steps[at - 1];
  return {
    key: step === undefined ? baseKey : `${baseKey} ${step.id}`,
    baseKey,
    file: file.name,
    base: { kind: 'file', path: file.path },
    identity: file.identity,
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

/** What changes of a graph with an edit. */
export type EditHistory = Pick<OpenGraph, 'steps' | 'at' | 'revision'>;

/** The history after an edit: what was undone can no longer be redone. */
export function afterStep(graph: OpenGraph, step: EditStep): EditHistory {
  const before = graph.at === 0 ? undefined : graph.steps[graph.at - 1];
  const files = [...(before?.files ?? []).filter(({ name }) => step.files.every((file) => file.name !== name)), ...step.files];
  // What an earlier step took from a file must still be there.
  const sources = new Map([...step.sources, ...(before?.sources ?? [])]);
  const steps = [...graph.steps.slice(0, graph.at), { ...step, files, sources }];
  return { steps, at: steps.length, revision: graph.revision + 1 };
}

/** The history one step back or on. @throws CheckpointError invalid-request when there is nothing to undo or redo */
export function afterMove(graph: OpenGraph, by: 1 | -1): EditHistory {
  const at = graph.at + by;
  if (at < 0 || at > graph.steps.length) throw new CheckpointError('invalid-request', by === 1 ? 'There is nothing to redo.' : 'There is nothing to undo.');
  return { steps: graph.steps, at, revision: graph.revision + 1 };
}
