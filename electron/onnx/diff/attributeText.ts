import type { OnnxAttribute, OnnxTensor } from '../model/onnxModel';

/** Longer lists are told apart by their digest, not by what is shown. */
const MAX_SHOWN = 12;

/**
 * An attribute as a text that is equal exactly when the attribute is (bodies aside, which are compared by themselves). Floats are written
 * by their bits' shortest decimal; -0 and NaN are told apart.
 */
export function attributeKey(attribute: OnnxAttribute, digestOf: (tensor: OnnxTensor) => string): string {
  const { name, type, ref, float, int, string, floats, ints, strings, tensors, sparseTensors, graphs } = attribute;
  const sparse = sparseTensors.map(({ values, indices, dims }) => [values === null ? '' : digestOf(values), indices === null ? '' : digestOf(indices), dims]);
  return JSON.stringify([
    name,
    type,
    ref,
    float === null ? null : exact(float),
    int === null ? null : String(int),
    string,
    floats.map(exact),
    ints.map(String),
    strings,
    tensors.map(digestOf),
    sparse,
    graphs.length,
  ]);
}

function exact(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** For people; long ones are cut. */
export function attributeText(attribute: OnnxAttribute | undefined): string {
  if (attribute === undefined) return 'not set';
  const { type, ref, float, int, string, floats, ints, strings, graphs } = attribute;
  if (ref !== '') return `of the call's ${ref}`;
  switch (type) {
    case 'float':
      return String(float ?? 0);
    case 'int':
      return String(int ?? 0n);
    case 'string':
      return JSON.stringify(string ?? '');
    case 'floats':
      return list(floats.map(String));
    case 'ints':
      return list(ints.map(String));
    case 'strings':
      return list(strings.map((text) => JSON.stringify(text)));
    case 'graph':
    case 'graphs':
      return graphs.length === 1 ? 'a graph' : `${graphs.length} graphs`;
    default:
      return `a ${type.replaceAll('_', ' ')}`;
  }
}

function list(items: readonly string[]): string {
  const shown = items.slice(0, MAX_SHOWN).join(', ');
  return items.length > MAX_SHOWN ? `[${shown}, … ${items.length} in all]` : `[${shown}]`;
}
