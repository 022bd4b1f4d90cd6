import type { PickleMachine } from '../pickleMachine';

/** One instruction: its byte and what it does. */
export type Opcode = readonly [code: number, run: (machine: PickleMachine) => void];

/** The byte of an instruction that has a printable one. */
export function byte(character: string): number {
  return character.charCodeAt(0);
}
