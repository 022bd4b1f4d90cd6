import type { onnx } from 'onnx-proto';
import { expect } from 'vitest';
import { modelOf, patched } from '../../testing/readBytes';
import type { EditPlan } from '../editPlan';
import { planRename, type Rename } from '../planRename';
import { body, decoded, floats, info, node, smallModel } from './smallModel';

export const main = (renames: Readonly<Record<string, string>>): Rename[] => Object.entries(renames).map(([name, to]) => ({ graph: '', name, to }));

export interface Done {
  readonly plan: EditPlan;
  readonly bytes: Uint8Array;
  readonly model: onnx.ModelProto;
  readonly graph: onnx.IGraphProto;
  /** `place: before → after`. */
  readonly sites: string[];
}

/** Renames, and checks that going back gives the very same file. */
export async function rename(bytes: Uint8Array, renames: readonly Rename[]): Promise<Done> {
  const plan = planRename(await modelOf(bytes), renames);
  expect(plan.refusals).toEqual([]);
  const after = await patched(bytes, plan);
  const back = renames.map(({ graph, name, to }) => ({ graph, name: to, to: name }));
  expect(Buffer.from(await patched(after, planRename(await modelOf(after), back))).equals(Buffer.from(bytes))).toBe(true);
  const sites = plan.sites.map(({ graph, place, before, after: name }) => `${graph === '' ? '' : `${graph}: `}${place}: ${before} → ${name}`);
  return { plan, bytes: after, ...decoded(after), sites };
}

export async function refused(bytes: Uint8Array, renames: readonly Rename[]): Promise<string> {
  const plan = planRename(await modelOf(bytes), renames);
  expect(plan.edits).toEqual([]);
  expect(plan.refusals.length).toBeGreaterThan(0);
  return plan.refusals.join(' ');
}

export const scalar = (name: string, value: number): onnx.ITensorProto => ({ name, dims: [], dataType: 9, rawData: Uint8Array.of(value) });
export const out = (name: string) => info(name, [2]);

/** y = x + W, more as the test needs. */
export function adds(more: onnx.IGraphProto = {}, model: onnx.IModelProto = {}): Uint8Array {
  return smallModel({ input: [out('x')], output: [out('y')], initializer: [floats('W', [2], [1, 2])], node: [node('Add', ['x', 'W'], ['y'])], ...more }, model);
}

/** If whose then-branch computes what `inside` says, and whose else-branch gives x. */
export function branches(inside: onnx.IGraphProto, more: onnx.IGraphProto = {}): Uint8Array {
  const otherwise = body('else_branch', { node: [node('Identity', ['x'], ['e'])], output: [out('e')] });
  return adds({
    initializer: [floats('W', [2], [1, 2]), scalar('cond', 1)],
    node: [node('If', ['cond'], ['y'], { attribute: [body('then_branch', inside), otherwise] })],
    ...more,
  });
}
