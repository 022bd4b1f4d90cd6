import type { PickleCursor } from './pickleCursor';
import type { PickleDict, PickleEntry, PickleObject, PicklePersistent, PickleSequence, PickleValue } from './pickleValue';

/** Lists, dictionaries and objects while the pickle still adds to them. */
interface OpenSequence extends PickleSequence {
  readonly items: PickleValue[];
}
interface OpenDict extends PickleDict {
  readonly entries: PickleEntry[];
}
interface OpenObject extends PickleObject {
  readonly items: PickleValue[];
  readonly entries: PickleEntry[];
  state: PickleValue | null;
}
/** As PickleValue, with what the machine made itself still open. */
type Open = OpenSequence | OpenDict | OpenObject | Exclude<PickleValue, PickleSequence | PickleDict | PickleObject>;

/** Stack, marks and memo of a pickle; the opcodes are functions over it. */
export class PickleMachine {
  readonly cursor: PickleCursor;
  readonly persistent: PicklePersistent[] = [];
  #stack: Open[] = [];
  /** Height of the stack at each open MARK. */
  readonly #marks: number[] = [];
  /** By number, which the file chooses: a map, never an array. */
  readonly #memo = new Map<number, Open>();

  constructor(cursor: PickleCursor) {
    this.cursor = cursor;
  }

  get height(): number {
    return this.#stack.length;
  }
  get openMarks(): number {
    return this.#marks.length;
  }

  push(value: Open): void {
    this.#stack.push(value);
  }
  pop(): Open {
    const top = this.#stack.length > (this.#marks.at(-1) ?? 0) ? this.#stack.pop() : undefined;
    if (top === undefined) throw this.cursor.fail('malformed', 'The pickle takes a value from an empty stack.');
    return top;
  }
  peek(): Open {
    const top = this.#stack.length > (this.#marks.at(-1) ?? 0) ? this.#stack.at(-1) : undefined;
    if (top === undefined) throw this.cursor.fail('malformed', 'The pickle uses a value of an empty stack.');
    return top;
  }
  mark(): void {
    this.#marks.push(this.#stack.length);
  }
  /** Everything above the last mark, which is closed. */
  popToMark(): Open[] {
    const start = this.#marks.pop();
    if (start === undefined) throw this.cursor.fail('malformed', 'The pickle closes a mark that it did not set.');
    return this.#stack.splice(start);
  }
  /** POP: the top value or, when nothing lies above it, the last mark. */
  drop(): void {
    if (this.#marks.at(-1) === this.#stack.length) this.#marks.pop();
    else this.pop();
  }

  put(index: number): void {
    this.#memo.set(index, this.peek());
  }
  /** MEMOIZE: under the next number. */
  putNext(): void {
    this.put(this.#memo.size);
  }
  get(index: number): void {
    const value = this.#memo.get(index);
    if (value === undefined) throw this.cursor.fail('malformed', `The pickle refers to memo ${index}, which it did not set.`);
    this.push(value);
  }

  /** Adds to the list, set or object on top of the stack. */
  append(values: readonly PickleValue[]): void {
    const target = this.peek();
    if (target.kind !== 'list' && target.kind !== 'set' && target.kind !== 'object') {
      throw this.cursor.fail('malformed', `The pickle appends to a value of kind ${target.kind}.`);
    }
    for (const value of values) target.items.push(value);
  }
  /** Sets keys of the dictionary or object on top of the stack; keys and values alternate. */
  assign(values: readonly PickleValue[]): void {
    const target = this.peek();
    if (target.kind !== 'dict' && target.kind !== 'object') throw this.cursor.fail('malformed', `The pickle sets a key of a value of kind ${target.kind}.`);
    for (const entry of pairs(values, this.cursor)) target.entries.push(entry);
  }
  /** BUILD: gives the object below the state on top. */
  build(): void {
    const state = this.pop();
    const target = this.peek();
    if (target.kind !== 'object') throw this.cursor.fail('malformed', `The pickle gives a state to a value of kind ${target.kind}.`);
    if (target.state !== null) throw this.cursor.fail('malformed', 'The pickle gives a state to one object twice.');
    target.state = state;
  }
  /** An object that is made by calling `callable`, or as an instance of it. */
  make(made: PickleObject['made'], callable: PickleValue, args: PickleValue): void {
    if (args.kind !== 'tuple') throw this.cursor.fail('malformed', `The arguments of a call in the pickle are of kind ${args.kind}, not a tuple.`);
    this.push({ kind: 'object', made, callable, args, items: [], entries: [], state: null });
  }
  refer(id: PickleValue): void {
    const value: PicklePersistent = { kind: 'persistent', id };
    this.persistent.push(value);
    this.push(value);
  }
}

/** Alternating keys and values as entries. */
export function pairs(values: readonly PickleValue[], cursor: PickleCursor): PickleEntry[] {
  if (values.length % 2 !== 0) throw cursor.fail('malformed', 'The pickle sets a key without a value.');
  const entries: PickleEntry[] = [];
  for (let index = 0; index + 1 < values.length; index += 2) {
    const key = values[index];
    const value = values[index + 1];
    if (key !== undefined && value !== undefined) entries.push([key, value]);
  }
  return entries;
}
