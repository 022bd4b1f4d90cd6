import type { GraphChange } from '../../../shared/model/graphEdit';
import type { OnnxGraph, OnnxModel, OnnxValueInfo } from '../model/onnxModel';
import { typeAndShape } from '../values/elementTypes';

/** What changed around the graph: versions, producer, metadata. */
export function modelChanges(a: OnnxModel, b: OnnxModel): GraphChange[] {
  const facts = (model: OnnxModel): [string, string][] => [
    ['IR version', String(model.irVersion)],
    ['producer', [model.producer, model.producerVersion].filter((text) => text !== '').join(' ')],
    ['graph', model.graph.name],
    ...model.opsets.map(({ domain, version }): [string, string] => [`operator set ${domain === '' ? 'ai.onnx' : domain}`, String(version)]),
    ...model.metadata.map(({ key, value }): [string, string] => [`metadata ${key}`, value]),
    ...model.functions.map(({ path }): [string, string] => [`function ${path.slice('fn:'.length)}`, 'there']),
  ];
  const before = new Map(facts(a));
  const after = new Map(facts(b));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): GraphChange[] => {
    const first = before.get(key);
    const second = after.get(key);
    if (first === second) return [];
    const change = first === undefined ? 'added' : second === undefined ? 'removed' : 'changed';
    return [{ what: 'model', change, a: -1, b: -1, text: `${key}: ${first ?? 'none'} → ${second ?? 'none'}` }];
  });
}

/** Inputs and outputs of the main graph by name. */
export function interfaceChanges(a: OnnxGraph, b: OnnxGraph): GraphChange[] {
  return [...valueChanges('input', a.inputs, b.inputs), ...valueChanges('output', a.outputs, b.outputs)];
}

function valueChanges(what: 'input' | 'output', a: readonly OnnxValueInfo[], b: readonly OnnxValueInfo[]): GraphChange[] {
  const typeOf = ({ type }: OnnxValueInfo) => (type === null ? 'no type' : typeAndShape(type.elementType, type.dims));
  const before = new Map(a.map((value) => [value.name, typeOf(value)]));
  const after = new Map(b.map((value) => [value.name, typeOf(value)]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): GraphChange[] => {
    const first = before.get(name);
    const second = after.get(name);
    if (first === second) return [];
    const change = first === undefined ? 'added' : second === undefined ? 'removed' : 'changed';
    const text = change === 'changed' ? `${name}: ${first} → ${second}` : `${name} ${first ?? second}`;
    return [{ what, change, a: -1, b: -1, text }];
  });
}
