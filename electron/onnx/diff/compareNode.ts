import type { GraphView } from '../../../shared/model/graph';
import type { GraphChange } from '../../../shared/model/graphEdit';
import type { OnnxNode, OnnxTensor } from '../model/onnxModel';
import { attributeKey, attributeText } from './attributeText';

export interface NodePlace {
  readonly node: OnnxNode;
  readonly view: GraphView;
  /** Index in its view. */
  readonly index: number;
}

export interface NodeComparison {
  /** Whether a value of A is a value of B. */
  readonly sameValue: (valueA: number, valueB: number) => boolean;
  readonly digestOf: { readonly a: (tensor: OnnxTensor) => string; readonly b: (tensor: OnnxTensor) => string };
}

/** What changed in a node, in words; `null` when nothing did. A change of names alone is a rename. */
export function compareNode({ a, b }: { readonly a: NodePlace; readonly b: NodePlace }, options: NodeComparison): Pick<GraphChange, 'change' | 'text'> | null {
  const changes = [...operatorChanges(a.node, b.node), ...attributeChanges(a.node, b.node, options), ...inputChanges(a, b, options)];
  const title = titleOf(b.node);
  if (changes.length > 0) return { change: 'changed', text: `${title}: ${changes.join('; ')}` };
  const names = nameChanges(a.node, b.node);
  return names.length === 0 ? null : { change: 'renamed', text: `${title}: ${names.join('; ')}` };
}

function titleOf({ op, domain, name, index }: OnnxNode): string {
  const operator = domain === '' ? op : `${domain}.${op}`;
  return name === '' ? `${operator} (node ${index + 1})` : `${operator} ${name}`;
}

function operatorChanges(a: OnnxNode, b: OnnxNode): string[] {
  const of = ({ domain, op, overload }: OnnxNode) => `${domain === '' ? '' : `${domain}.`}${op}${overload === '' ? '' : `:${overload}`}`;
  return of(a) === of(b) ? [] : [`operator ${of(a)} → ${of(b)}`];
}

function attributeChanges(a: OnnxNode, b: OnnxNode, { digestOf }: NodeComparison): string[] {
  const before = new Map(a.attributes.map((each) => [each.name, each]));
  const after = new Map(b.attributes.map((each) => [each.name, each]));
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name) => {
    const first = before.get(name);
    const second = after.get(name);
    const same = first !== undefined && second !== undefined && attributeKey(first, digestOf.a) === attributeKey(second, digestOf.b);
    if (same) return [];
    const texts = [attributeText(first), attributeText(second)];
    return texts[0] === texts[1] ? [`${name}: another value`] : [`${name} ${texts[0]} → ${texts[1]}`];
  });
}

function inputChanges(a: NodePlace, b: NodePlace, { sameValue }: NodeComparison): string[] {
  const valuesOf = ({ view, index }: NodePlace) => view.nodes.inputs.subarray(view.nodes.inputStarts[index] ?? 0, view.nodes.inputStarts[index + 1] ?? 0);
  const before = valuesOf(a);
  const after = valuesOf(b);
  const nameOf = ({ node }: NodePlace, input: number) => node.inputs[input]?.text || 'nothing';
  return Array.from({ length: Math.max(before.length, after.length) }, (_, input) => input).flatMap((input) => {
    const first = before[input] ?? 0xffffffff;
    const second = after[input] ?? 0xffffffff;
    return sameValue(first, second) ? [] : [`input ${input + 1} ${nameOf(a, input)} → ${nameOf(b, input)}`];
  });
}

function nameChanges(a: OnnxNode, b: OnnxNode): string[] {
  const changes = a.name === b.name ? [] : [`name ${a.name || 'none'} → ${b.name || 'none'}`];
  for (let i = 0; i < Math.max(a.outputs.length, b.outputs.length); i++) {
    const before = a.outputs[i]?.text ?? '';
    const after = b.outputs[i]?.text ?? '';
    if (before !== after) changes.push(`output ${before || 'none'} → ${after || 'none'}`);
  }
  return changes;
}
