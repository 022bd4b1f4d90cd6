import type { onnx } from 'onnx-proto';
import { expect } from 'vitest';
import { modelOf, patched } from '../../testing/readBytes';
import type { NewTensor } from '../../values/newTensor';
import type { EditPlan } from '../editPlan';
import { planSetValue } from '../planSetValue';
import { bytesOf, decoded, info, node, smallModel } from './smallModel';

export const W = { graph: '', name: 'W' };

export function raw(type: number, dims: number[], bytes: readonly number[]): NewTensor {
  return { type, dims, data: { kind: 'new', bytes: Uint8Array.from(bytes) } };
}

export function newFloats(dims: number[], values: readonly number[]): NewTensor {
  return raw(1, dims, [...bytesOf(values)]);
}

export interface Done {
  readonly plan: EditPlan;
  readonly bytes: Uint8Array;
  readonly graph: onnx.IGraphProto;
  readonly model: onnx.ModelProto;
}

export async function set(
  bytes: Uint8Array,
  value: NewTensor,
  options: { address?: { graph: string; name: string }; allowChange?: boolean } = {},
): Promise<Done> {
  const plan = planSetValue(await modelOf(bytes), { address: W, allowChange: false, ...options, value });
  expect(plan.refusals).toEqual([]);
  const after = await patched(bytes, plan);
  return { plan, bytes: after, ...decoded(after) };
}

export async function refused(
  bytes: Uint8Array,
  value: NewTensor,
  options: { address?: { graph: string; name: string }; allowChange?: boolean } = {},
): Promise<string> {
  const plan = planSetValue(await modelOf(bytes), { address: W, allowChange: false, ...options, value });
  expect(plan.refusals.length).toBeGreaterThan(0);
  expect([plan.edits, plan.files]).toEqual([[], []]);
  return plan.refusals.join(' ');
}

/** y = x + W. */
export function adds(tensor: onnx.ITensorProto, more: onnx.IGraphProto = {}): Uint8Array {
  return smallModel({
    input: [info('x', [2])],
    output: [info('y', [2])],
    initializer: [tensor],
    node: [node('Add', ['x', 'W'], ['y'])],
    ...more,
  });
}
