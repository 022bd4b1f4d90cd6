import { NO_VALUE } from '../../../shared/model/graph';
import type { OnnxAttribute, OnnxSparseTensor, OnnxTensor } from '../model/onnxModel';
import { isFunction, type ViewScope } from './collectScopes';

/** What an initializer of the view stands for: a tensor of a graph, or the value of a Constant node. */
export interface StoredValue {
  readonly value: number;
  readonly scope: number;
  readonly tensor: OnnxTensor | null;
  readonly sparse: OnnxSparseTensor | null;
  /** Attribute of a Constant node. */
  readonly constant: OnnxAttribute | null;
}

/** The columns of nodes and values that say what is connected with what. */
export interface Wiring {
  readonly names: string[];
  readonly scope: number[];
  readonly producer: number[];
  readonly initializer: number[];
  readonly role: number[];
  readonly stored: StoredValue[];
  readonly inputStarts: Uint32Array<ArrayBuffer>;
  readonly inputs: Uint32Array<ArrayBuffer>;
  readonly outputStarts: Uint32Array<ArrayBuffer>;
  readonly outputs: Uint32Array<ArrayBuffer>;
  /** What each scope gives out, in order: values of its own, or of a graph around it. */
  readonly results: readonly { readonly scope: number; readonly value: number }[];
  /** Values of each scope by name: the first that defines it. */
  readonly byName: readonly ReadonlyMap<string, number>[];
}

/**
 * Values of all scopes in the order inputs, initializers, sparse initializers, outputs of nodes; then which of them every node takes: a body looks for a name in the
 * graphs around it. A name that nothing defines becomes a value without a producer; of several definitions the first counts.
 */
export function collectValues(scopes: readonly ViewScope[]): Wiring {
  const wiring = new WiringBuilder(scopes);
  for (const index of scopes.keys()) wiring.define(index);
  for (const index of scopes.keys()) wiring.connect(index);
  return wiring.finish();
}

class WiringBuilder {
  private readonly names: string[] = [];
  private readonly scope: number[] = [];
  private readonly producer: number[] = [];
  private readonly initializer: number[] = [];
  private readonly role: number[] = [];
  private readonly stored: StoredValue[] = [];
  private readonly byName: Map<string, number>[];
  private readonly inputStarts: Uint32Array<ArrayBuffer>;
  private readonly outputStarts: Uint32Array<ArrayBuffer>;
  private readonly results: { scope: number; value: number }[] = [];
  private readonly inputs: number[] = [];
  private readonly outputs: number[] = [];

  constructor(private readonly scopes: readonly ViewScope[]) {
    const nodes = scopes.reduce((sum, { owner }) => sum + owner.nodes.length, 0);
    this.byName = scopes.map(() => new Map());
    this.inputStarts = new Uint32Array(nodes + 1);
    this.outputStarts = new Uint32Array(nodes + 1);
  }

  define(index: number): void {
    const entry = this.scopes[index];
    if (entry === undefined) return;
    const { owner, firstNode } = entry;
    for (const input of owner.inputs) {
      const name = 'text' in input ? input.text : input.name;
      if (name !== '') this.role[this.value(index, name, NO_VALUE)] = 1;
    }
    if (!isFunction(owner)) {
      for (const tensor of owner.initializers) this.store(index, tensor.name, { tensor, sparse: null, constant: null });
      for (const sparse of owner.sparse) this.store(index, sparse.values?.name ?? '', { tensor: sparse.values, sparse, constant: null });
    }
    // Plain loops: these are among the hottest lines of a large model, and run before the engine has compiled them well.
    for (let at = 0; at < owner.nodes.length; at++) {
      const node = owner.nodes[at];
      if (node === undefined) continue;
      for (let i = 0; i < node.outputs.length; i++) {
        const text = node.outputs[i]?.text ?? '';
        this.outputs.push(text === '' ? NO_VALUE : this.value(index, text, firstNode + at));
      }
      this.outputStarts[firstNode + at + 1] = this.outputs.length;
      if (node.op !== 'Constant' || node.domain !== '') continue;
      const constant = node.attributes.find(({ name, ref }) => ref === '' && (name === 'sparse_value' || name.startsWith('value')));
      const output = this.outputs[this.outputStarts[firstNode + at] ?? 0] ?? NO_VALUE;
      if (constant === undefined || output === NO_VALUE || node.outputs.length === 0) continue;
      const [sparse = null] = constant.sparseTensors;
      this.initializer[output] = this.stored.push({ value: output, scope: index, tensor: constant.tensors[0] ?? sparse?.values ?? null, sparse, constant }) - 1;
    }
  }

  connect(index: number): void {
    const entry = this.scopes[index];
    if (entry === undefined) return;
    const { owner, firstNode } = entry;
    for (let at = 0; at < owner.nodes.length; at++) {
      const inputs = owner.nodes[at]?.inputs ?? [];
      for (let i = 0; i < inputs.length; i++) {
        const text = inputs[i]?.text ?? '';
        this.inputs.push(text === '' ? NO_VALUE : this.resolve(index, text));
      }
      this.inputStarts[firstNode + at + 1] = this.inputs.length;
    }
    for (const output of owner.outputs) {
      const name = 'text' in output ? output.text : output.name;
      if (name === '') continue;
      const value = this.resolve(index, name);
      this.results.push({ scope: index, value });
      // A body may give out a value of the graph around it; that one is no output of its own graph.
      if (this.scope[value] === index) this.role[value] = (this.role[value] ?? 0) | 2;
    }
  }

  finish(): Wiring {
    return { ...this.columns(), inputs: new Uint32Array(this.inputs), outputs: new Uint32Array(this.outputs) };
  }

  private columns() {
    const { names, scope, producer, initializer, role, stored, inputStarts, outputStarts, results, byName } = this;
    return { names, scope, producer, initializer, role, stored, inputStarts, outputStarts, results, byName };
  }

  private value(scope: number, name: string, producer: number): number {
    const value = this.names.push(name) - 1;
    this.scope.push(scope);
    this.producer.push(producer);
    this.initializer.push(NO_VALUE);
    this.role.push(0);
    const known = this.byName[scope];
    if (known?.has(name) === false) known.set(name, value);
    return value;
  }

  private store(scope: number, name: string, stored: Omit<StoredValue, 'value' | 'scope'>): void {
    const known = this.byName[scope]?.get(name);
    // An initializer and an input of one name are one value; two initializers are two.
    const value = known === undefined || this.initializer[known] !== NO_VALUE ? this.value(scope, name, NO_VALUE) : known;
    this.initializer[value] = this.stored.push({ value, scope, ...stored }) - 1;
  }

  private resolve(scope: number, name: string): number {
    for (let at = scope; at >= 0; at = this.scopes[at]?.scope.parent?.scope ?? -1) {
      const value = this.byName[at]?.get(name);
      if (value !== undefined) return value;
    }
    return this.value(scope, name, NO_VALUE);
  }
}
