import type { PickleMachine } from '../pickleMachine';
import type { PickleGlobal } from '../pickleValue';
import { byte, type Opcode } from './opcode';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function line(machine: PickleMachine): string {
  return utf8.decode(machine.cursor.line());
}

function readGlobal(machine: PickleMachine): PickleGlobal {
  const module = line(machine);
  return { kind: 'global', module, name: line(machine) };
}

/** Names of classes and functions, and what would have been made with them. Nothing is looked up, nothing is called. */
export const objectOpcodes: readonly Opcode[] = [
  [byte('c'), (machine) => machine.push(readGlobal(machine))],
  [
    0x93,
    (machine) => {
      const name = machine.pop();
      const module = machine.pop();
      if (module.kind !== 'string' || name.kind !== 'string') throw machine.cursor.fail('malformed', 'The pickle names a class by something that is no text.');
      machine.push({ kind: 'global', module: module.value, name: name.value });
    },
  ],
  [
    byte('R'),
    (machine) => {
      const args = machine.pop();
      machine.make('call', machine.pop(), args);
    },
  ],
  [
    0x81,
    (machine) => {
      const args = machine.pop();
      machine.make('new', machine.pop(), args);
    },
  ],
  [
    // NEWOBJ_EX; keyword arguments say nothing about tensors.
    0x92,
    (machine) => {
      machine.pop();
      const args = machine.pop();
      machine.make('new', machine.pop(), args);
    },
  ],
  [
    byte('i'),
    (machine) => {
      const callable = readGlobal(machine);
      machine.make('new', callable, { kind: 'tuple', items: machine.popToMark() });
    },
  ],
  [
    byte('o'),
    (machine) => {
      const [callable, ...items] = machine.popToMark();
      if (callable === undefined) throw machine.cursor.fail('malformed', 'The pickle makes an object of no class.');
      machine.make('new', callable, { kind: 'tuple', items });
    },
  ],
  [byte('b'), (machine) => machine.build()],
  [byte('P'), (machine) => machine.refer({ kind: 'string', value: line(machine) })],
  [byte('Q'), (machine) => machine.refer(machine.pop())],
];
