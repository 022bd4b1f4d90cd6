import { placeInGraph, placeOfGraph, placeOfNode, shownName } from '../edits/places';
import type { OnnxFunction, OnnxGraph, OnnxNode } from '../model/onnxModel';
import type { CheckContext } from './checkContext';

/** Functions are identified by domain, name and overload together, and must not call themselves, directly or not (docs/IR.md, "Model Functions"). */
export function checkFunctions(context: CheckContext): void {
  const { model } = context;
  if (model.functions.length === 0) return;
  const byIdentity = new Map<string, OnnxFunction>();
  for (const func of model.functions) {
    const identity = identityOf(func.domain, func.name, func.overload);
    if (byIdentity.has(identity)) context.error('functions', `The model has two functions ${func.path.slice(3)}.`, { owner: func });
    else byIdentity.set(identity, func);
  }
  const called = ({ domain, op, overload }: OnnxNode) => byIdentity.get(identityOf(domain, op, overload));
  for (const owner of context.index.owners) {
    for (const node of owner.nodes) {
      const func = called(node);
      if (func === undefined || (node.inputs.length <= func.inputs.length && node.outputs.length <= func.outputs.length)) continue;
      const text = `${placeInGraph(placeOfNode(node), owner)} gives ${node.inputs.length} inputs to ${placeOfGraph(func)} and takes ${node.outputs.length} outputs; it has ${func.inputs.length} and ${func.outputs.length}.`;
      context.error('functions', text, { owner, node });
    }
  }
  checkRecursion(context, called);
}

function identityOf(domain: string, name: string, overload: string): string {
  return JSON.stringify([domain, name, overload]);
}

function checkRecursion({ model, error }: CheckContext, called: (node: OnnxNode) => OnnxFunction | undefined): void {
  const calls = new Map(model.functions.map((func) => [func, new Set(callsIn(func, called))]));
  const cleared = new Set<OnnxFunction>();
  // What calls only what is cleared cannot come back to itself; what is left when nothing more can be cleared does, or calls what does.
  for (let before = -1; before !== cleared.size; ) {
    before = cleared.size;
    for (const [func, targets] of calls) if (!cleared.has(func) && [...targets].every((target) => cleared.has(target))) cleared.add(func);
  }
  const left = model.functions.filter((func) => !cleared.has(func));
  for (const func of left) {
    if (reaches(calls, func, func)) error('functions', `${shownName(func.path)} calls itself, directly or through others.`, { owner: func });
  }
}

function reaches(calls: ReadonlyMap<OnnxFunction, ReadonlySet<OnnxFunction>>, from: OnnxFunction, to: OnnxFunction): boolean {
  const seen = new Set<OnnxFunction>();
  const waiting = [from];
  for (let func = waiting.pop(); func !== undefined; func = waiting.pop()) {
    for (const target of calls.get(func) ?? []) {
      if (target === to) return true;
      if (seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  return false;
}

function* callsIn(owner: OnnxFunction | OnnxGraph, called: (node: OnnxNode) => OnnxFunction | undefined): Generator<OnnxFunction> {
  for (const node of owner.nodes) {
    const func = called(node);
    if (func !== undefined) yield func;
  }
  for (const child of owner.children) yield* callsIn(child, called);
}
