import { formatType } from '../infer/tensorType';
import type { OnnxAttribute, OnnxSparseTensor, OnnxTensor } from '../model/onnxModel';

const MAX_ITEMS = 32;
const MAX_CHARACTERS = 400;

/** An attribute for people: numbers as short as they are exact in float32, long lists and texts cut, tensors by type and shape. */
export function attributeText(attribute: OnnxAttribute): string {
  if (attribute.ref !== '') return `attribute ${attribute.ref} of the call`;
  switch (attribute.type) {
    case 'float':
      return floatText(attribute.float ?? 0);
    case 'int':
      return String(attribute.int ?? 0n);
    case 'string':
      return cut(attribute.string ?? '');
    case 'floats':
      return list(attribute.floats, floatText);
    case 'ints':
      return list(attribute.ints, String);
    case 'strings':
      return list(attribute.strings, (text) => JSON.stringify(cut(text)));
    case 'tensor':
    case 'tensors':
      return attribute.tensors.length === 1 ? attribute.tensors.map(tensorText).join() : list(attribute.tensors, tensorText);
    case 'sparse_tensor':
    case 'sparse_tensors':
      return attribute.sparseTensors.length === 1 ? attribute.sparseTensors.map(sparseText).join() : list(attribute.sparseTensors, sparseText);
    case 'graph':
    case 'graphs':
      return attribute.graphs
        .map(({ name, nodes }) => `${name === '' ? 'a graph' : cut(name)}, ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}`)
        .join('; ');
    case 'type_proto':
    case 'type_protos':
      return 'a type';
    default:
      return '';
  }
}

/** The shortest decimal that is the same float32: 0.1 rather than 0.10000000149011612. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return String(short);
  }
  return String(value);
}

function list<Item>(items: readonly Item[], text: (item: Item) => string): string {
  const shown = items.slice(0, MAX_ITEMS).map(text).join(', ');
  return items.length > MAX_ITEMS ? `[${shown}, … ${items.length} in all]` : `[${shown}]`;
}

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)` : text;
}

function tensorText({ type, dims }: OnnxTensor): string {
  return formatType({ element: type, dims });
}

function sparseText({ values, dims }: OnnxSparseTensor): string {
  return `sparse ${formatType({ element: values?.type ?? 0, dims })}`;
}
