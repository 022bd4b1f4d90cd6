import { containerOpcodes } from './opcodes/containers';
import { literalOpcodes } from './opcodes/literals';
import { objectOpcodes } from './opcodes/objects';
import type { Opcode } from './opcodes/opcode';
import { stackOpcodes } from './opcodes/stack';
import { PickleCursor } from './pickleCursor';
import { PickleMachine } from './pickleMachine';
import type { PicklePersistent, PickleValue } from './pickleValue';

/**
 * One instruction makes at most one value, of some hundred bytes, so this bounds memory and time (about a second).
 * A tensor takes 30 instructions: enough for a hundred thousand tensors.
 */
const MAX_INSTRUCTIONS = 4_000_000;
const STOP = 0x2e;

/** By the byte of the instruction. EXT1 to EXT4 (registered extensions) and out-of-band buffers need the writer's process and are left out. */
const OPCODES: ReadonlyMap<number, Opcode[1]> = new Map([...literalOpcodes, ...containerOpcodes, ...objectOpcodes, ...stackOpcodes]);

export interface PickleResult {
  readonly value: PickleValue;
  /** Every persistent reference in the order of the file, also those that `value` does not hold. */
  readonly persistent: readonly PicklePersistent[];
  /** Position behind the pickle, relative to the bytes. */
  readonly end: number;
}

export interface ReadPickleOptions {
  /** Where the pickle starts in the bytes. */
  readonly start?: number;
  /** Offset of the bytes in the file, for error messages. */
  readonly base?: number;
}

/**
 * Reads one pickle of protocol 0 to 5 as inert data: nothing is executed, imported or called. Time and memory are linear in the
 * length of the pickle; byte strings are views of it.
 * Instructions: https://github.com/python/cpython/blob/main/Lib/pickletools.py
 * @throws CheckpointError `truncated` when the bytes end before the pickle, `malformed`, `too-large`, `unsupported-format`, with the offset.
 */
export function readPickle(bytes: Uint8Array, { start = 0, base = 0 }: ReadPickleOptions = {}): PickleResult {
  const cursor = new PickleCursor(bytes, start, base);
  const machine = new PickleMachine(cursor);
  for (let count = 0; count < MAX_INSTRUCTIONS; count++) {
    if (cursor.left === 0) throw cursor.fail('truncated', 'The pickle ends in the middle: its end mark is missing.');
    const code = cursor.u8();
    if (code === STOP) {
      const value = machine.pop();
      if (machine.height > 0 || machine.openMarks > 0) throw cursor.fail('malformed', `The pickle ends with ${machine.height} unused values.`);
      return { value, persistent: machine.persistent, end: cursor.position };
    }
    const run = OPCODES.get(code);
    if (run === undefined) {
      cursor.position--;
      throw cursor.fail('malformed', `Byte 0x${code.toString(16).padStart(2, '0')} is no pickle instruction that a checkpoint uses.`);
    }
    run(machine);
  }
  throw cursor.fail('too-large', `The pickle has more than ${MAX_INSTRUCTIONS} instructions, more than any checkpoint needs.`);
}
