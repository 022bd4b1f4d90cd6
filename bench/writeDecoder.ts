import { concatBytes, field, text, varint } from './protobuf';

/** Nodes of one layer. */
export const LAYER_NODES = 34;

export interface DecoderSize {
  readonly layers: number;
  /** Width of the hidden state. */
  readonly width: number;
  /** File of external data; `null`: the initializers have no values (extents of 0 would be another model, so they are merely absent). */
  readonly external: string | null;
}

/**
 * The ONNX model of a decoder as exporters write it: `layers` layers of 34 nodes with names of modules, all of which take the mask and the
 * two rotary caches that are inputs of the graph. Bytes of the model, and of the external data that it needs.
 */
export function writeDecoder(size: DecoderSize): { readonly bytes: Uint8Array; readonly externalBytes: number } {
  const { width, layers, external } = size;
  const nodes: Uint8Array[] = [];
  const initializers: Uint8Array[] = [];
  let externalBytes = 0;
  const node = (name: string, inputs: readonly string[]) => {
    const op = name.slice(name.lastIndexOf('/') + 1).replace(/_\d+$/, '');
    nodes.push(field(1, concatBytes([...inputs.map((input) => text(1, input)), text(2, `${name}_output_0`), text(3, name), text(4, op)])));
    return `${name}_output_0`;
  };
  const weight = (name: string, dims: readonly number[]) => {
    const bytes = dims.reduce((product, extent) => product * extent, 4);
    const data = external === null ? [] : [entry('location', external), entry('offset', String(externalBytes)), entry('length', String(bytes)), varint(14, 1)];
    initializers.push(field(5, concatBytes([...dims.map((extent) => varint(1, extent)), varint(2, 1), text(8, name), ...data])));
    externalBytes += bytes;
    return name;
  };
  let hidden = 'hidden';
  for (let layer = 0; layer < layers; layer++) hidden = writeLayer({ at: `/model/layers.${layer}`, hidden, width, node, weight });
  const tensor = (name: string, dims: readonly (string | number)[]) => {
    const shape = dims.map((dim) => field(1, typeof dim === 'number' ? varint(1, dim) : text(2, dim)));
    return concatBytes([text(1, name), field(2, field(1, concatBytes([varint(1, 1), field(2, concatBytes(shape))])))]);
  };
  const inputs = [
    tensor('hidden', ['batch', 'sequence', width]),
    tensor('mask', ['batch', 1, 'sequence', 'sequence']),
    tensor('cos', ['sequence', width]),
    tensor('sin', ['sequence', width]),
  ];
  const graph = [
    ...nodes,
    text(2, 'decoder'),
    ...initializers,
    ...inputs.map((input) => field(11, input)),
    field(12, tensor(hidden, ['batch', 'sequence', width])),
  ];
  const bytes = concatBytes([varint(1, 8), text(2, 'bench'), field(7, concatBytes(graph)), field(8, varint(2, 17))]);
  return { bytes, externalBytes: external === null ? 0 : externalBytes };
}

function entry(key: string, value: string): Uint8Array {
  return field(13, concatBytes([text(1, key), text(2, value)]));
}

interface Layer {
  readonly at: string;
  readonly hidden: string;
  readonly width: number;
  readonly node: (name: string, inputs: readonly string[]) => string;
  readonly weight: (name: string, dims: readonly number[]) => string;
}

function writeLayer({ at, hidden, width, node, weight }: Layer): string {
  const path = at.slice(1).replaceAll('/', '.');
  const norm = `${at}/input_layernorm`;
  const square = node(`${norm}/Pow`, [hidden, weight(`${path}.two`, [])]);
  const mean = node(`${norm}/ReduceMean`, [square]);
  const root = node(`${norm}/Sqrt`, [node(`${norm}/Add`, [mean, weight(`${path}.epsilon`, [])])]);
  const normed = node(`${norm}/Mul`, [node(`${norm}/Div`, [hidden, root]), weight(`${path}.input_layernorm.weight`, [width])]);
  const attention = `${at}/self_attn`;
  const project = (name: string, input: string) => node(`${attention}/${name}/MatMul`, [input, weight(`${path}.self_attn.${name}.weight`, [width, width])]);
  const heads = (name: string, index: number) =>
    node(`${attention}/Transpose_${index}`, [node(`${attention}/Reshape_${index}`, [project(name, normed), weight(`${path}.shape_${index}`, [4])])]);
  const [query, key, value] = ['q_proj', 'k_proj', 'v_proj'].map(heads);
  const rotate = (input: string, index: number) => {
    const turned = node(`${attention}/rotary/Mul_${2 * index + 1}`, [node(`${attention}/rotary/Neg_${index}`, [input]), 'sin']);
    return node(`${attention}/rotary/Add_${index}`, [node(`${attention}/rotary/Mul_${2 * index}`, [input, 'cos']), turned]);
  };
  const keys = node(`${attention}/Transpose_3`, [rotate(key ?? '', 1)]);
  const scores = node(`${attention}/Add`, [node(`${attention}/MatMul`, [rotate(query ?? '', 0), keys]), 'mask']);
  const mixed = node(`${attention}/MatMul_1`, [node(`${attention}/Softmax`, [scores]), value ?? '']);
  const residual = node(`${at}/Add`, [hidden, project('o_proj', mixed)]);
  const mlp = `${at}/mlp`;
  const up = node(`${mlp}/up_proj/MatMul`, [residual, weight(`${path}.mlp.up_proj.weight`, [width, 4 * width])]);
  const active = node(`${mlp}/Sigmoid`, [up]);
  const down = node(`${mlp}/down_proj/MatMul`, [active, weight(`${path}.mlp.down_proj.weight`, [4 * width, width])]);
  return node(`${at}/Add_1`, [residual, down]);
}
