import type { OnnxAttribute, OnnxNode } from '../model/onnxModel';
import type { Dims, TensorType } from './tensorType';

/** What a rule sees of one node. */
export class RuleContext {
  constructor(
    readonly node: OnnxNode,
    /** Version of the operator set that the node is from. */
    readonly opset: number,
    /** `null`: left out, or nothing known. */
    readonly inputs: readonly (TensorType | null)[],
    /** Elements of inputs that are small and known: initializers, constants, shapes. */
    readonly contents: readonly (Dims | null)[],
  ) {}

  dims(input: number): Dims | null {
    return this.inputs[input]?.dims ?? null;
  }

  element(input: number): number {
    return this.inputs[input]?.element ?? 0;
  }

  /** Whether there is an input at all. */
  has(input: number): boolean {
    return (this.node.inputs[input]?.text ?? '') !== '';
  }

  attribute(name: string): OnnxAttribute | undefined {
    return this.node.attributes.find((attribute) => attribute.name === name);
  }

  int(name: string, otherwise: number): number {
    const value = this.attribute(name)?.int;
    return value === null || value === undefined ? otherwise : Number(value);
  }

  ints(name: string): readonly number[] | null {
    const attribute = this.attribute(name);
    return attribute === undefined ? null : attribute.ints.map(Number);
  }

  text(name: string, otherwise: string): string {
    return this.attribute(name)?.string ?? otherwise;
  }

  /** An attribute whose value comes from the call of a function: not known here. */
  refers(): boolean {
    return this.node.attributes.length > 0 && this.node.attributes.some(({ ref }) => ref !== '');
  }

  /** A list that older versions give as an attribute and newer ones as an input; `undefined` when there is neither, `null` when not known. */
  list(attribute: string, input: number): readonly number[] | null | undefined {
    const ints = this.ints(attribute);
    if (ints !== null) return ints;
    if (!this.has(input)) return undefined;
    const content = this.contents[input] ?? null;
    return content?.every((value) => typeof value === 'number') === true ? (content as readonly number[]) : null;
  }
}

/** Types of a node's outputs as far as its inputs tell; shorter lists leave the rest open. */
export type Rule = (context: RuleContext) => readonly (TensorType | null)[];
