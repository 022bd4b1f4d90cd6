import type { PickleMachine } from '../pickleMachine';
import { byte, type Opcode } from './opcode';

/** PUT and GET of protocol 0 number the memo in decimal text. */
function decimalIndex(machine: PickleMachine): number {
  const text = Buffer.from(machine.cursor.line()).toString('latin1').trim();
  const index = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw machine.cursor.fail('malformed', 'The pickle numbers a memo by something that is no number.');
  return index;
}

/** Stack, marks, memo, and the instructions that only describe the pickle. */
export const stackOpcodes: readonly Opcode[] = [
  [
    0x80,
    (machine) => {
      const protocol = machine.cursor.u8();
      if (protocol > 5) throw machine.cursor.fail('unsupported-format', `The pickle is of protocol ${protocol}; protocols 0 to 5 are read.`);
    },
  ],
  [
    0x95,
    (machine) => {
      const length = machine.cursor.u64();
      if (length > machine.cursor.left) throw machine.cursor.fail('truncated', `The pickle ends in the middle of a frame of ${length} bytes.`);
    },
  ],
  [byte('('), (machine) => machine.mark()],
  [byte('0'), (machine) => machine.drop()],
  [byte('1'), (machine) => void machine.popToMark()],
  [byte('2'), (machine) => machine.push(machine.peek())],
  [byte('p'), (machine) => machine.put(decimalIndex(machine))],
  [byte('q'), (machine) => machine.put(machine.cursor.u8())],
  [byte('r'), (machine) => machine.put(machine.cursor.u32())],
  [0x94, (machine) => machine.putNext()],
  [byte('g'), (machine) => machine.get(decimalIndex(machine))],
  [byte('h'), (machine) => machine.get(machine.cursor.u8())],
  [byte('j'), (machine) => machine.get(machine.cursor.u32())],
];
