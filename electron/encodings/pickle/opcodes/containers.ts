import { type PickleMachine, pairs } from '../pickleMachine';
import { byte, type Opcode } from './opcode';

function tupleOf(machine: PickleMachine, count: number): void {
  const items = Array.from({ length: count }, () => machine.pop()).reverse();
  machine.push({ kind: 'tuple', items });
}

/** Tuples, lists, dictionaries and sets, and adding to them. */
export const containerOpcodes: readonly Opcode[] = [
  [byte(')'), (machine) => machine.push({ kind: 'tuple', items: [] })],
  [0x85, (machine) => tupleOf(machine, 1)],
  [0x86, (machine) => tupleOf(machine, 2)],
  [0x87, (machine) => tupleOf(machine, 3)],
  [byte('t'), (machine) => machine.push({ kind: 'tuple', items: machine.popToMark() })],
  [byte(']'), (machine) => machine.push({ kind: 'list', items: [] })],
  [byte('l'), (machine) => machine.push({ kind: 'list', items: machine.popToMark() })],
  [byte('}'), (machine) => machine.push({ kind: 'dict', entries: [] })],
  [byte('d'), (machine) => machine.push({ kind: 'dict', entries: pairs(machine.popToMark(), machine.cursor) })],
  [0x8f, (machine) => machine.push({ kind: 'set', items: [] })],
  [0x91, (machine) => machine.push({ kind: 'frozenset', items: machine.popToMark() })],
  [
    byte('a'),
    (machine) => {
      const value = machine.pop();
      machine.append([value]);
    },
  ],
  [
    byte('e'),
    (machine) => {
      const values = machine.popToMark();
      machine.append(values);
    },
  ],
  [
    0x90,
    (machine) => {
      const values = machine.popToMark();
      machine.append(values);
    },
  ],
  [
    byte('s'),
    (machine) => {
      const value = machine.pop();
      const key = machine.pop();
      machine.assign([key, value]);
    },
  ],
  [
    byte('u'),
    (machine) => {
      const values = machine.popToMark();
      machine.assign(values);
    },
  ],
];
