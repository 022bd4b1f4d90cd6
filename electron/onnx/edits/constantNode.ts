import type { OnnxAttribute, OnnxNode } from '../model/onnxModel';
import type { Definition } from '../scopes/scopeIndex';

export interface TypeAndShape {
  /** TensorProto.DataType. */
  readonly type: number;
  readonly dims: readonly number[];
}

const VALUES: ReadonlySet<string> = new Set([
  'value',
  'sparse_value',
  'value_float',
  'value_floats',
  'value_int',
  'value_ints',
  'value_string',
  'value_strings',
]);

export function isConstant({ op, domain }: OnnxNode): boolean {
  return op === 'Constant' && domain === '';
}

/** The attribute that holds the value of a Constant (https://onnx.ai/onnx/operators/onnx__Constant.html); `null` for other nodes. */
export function constantAttribute(node: OnnxNode): OnnxAttribute | null {
  return isConstant(node) ? (node.attributes.find(({ name }) => VALUES.has(name)) ?? null) : null;
}

/** Type and shape of the value that a Constant's attribute holds; `null` when it is taken from elsewhere or is broken. */
export function attributeType(attribute: OnnxAttribute): TypeAndShape | null {
  if (attribute.ref !== '') return null;
  const [tensor] = attribute.tensors;
  const [sparse] = attribute.sparseTensors;
  switch (attribute.name) {
    case 'value':
      return tensor === undefined ? null : { type: tensor.type, dims: tensor.dims };
    case 'sparse_value':
      return sparse === undefined || sparse.values === null ? null : { type: sparse.values.type, dims: sparse.dims };
    case 'value_float':
      return { type: 1, dims: [] };
    case 'value_floats':
      return { type: 1, dims: [attribute.floats.length] };
    case 'value_int':
      return { type: 7, dims: [] };
    case 'value_ints':
      return { type: 7, dims: [attribute.ints.length] };
    case 'value_string':
      return { type: 8, dims: [] };
    case 'value_strings':
      return { type: 8, dims: [attribute.strings.length] };
    default:
      return null;
  }
}

/** Type and shape of a stored value (initializer, sparse initializer, Constant); `null` for one that a node computes or a caller gives. */
export function storedType(definition: Definition): TypeAndShape | null {
  const { owner } = definition;
  for (const { kind, index, tensor, node } of definition.at) {
    if (kind === 'initializer' && tensor !== null) return { type: tensor.type, dims: tensor.dims };
    if (kind === 'sparse' && tensor !== null && 'sparse' in owner) return { type: tensor.type, dims: owner.sparse[index]?.dims ?? [] };
    const attribute = node === null ? null : constantAttribute(node);
    if (attribute !== null) return attributeType(attribute);
  }
  return null;
}
