import { type Command, InvalidArgumentError } from 'commander';
import type { Session, Terminal } from './session';

/** What a group of verbs needs to make itself known. */
export interface CommandLine {
  readonly program: Command;
  readonly terminal: Terminal;
  /** Runs a verb with a session, whose number is the exit code of the program. */
  run(verb: (session: Session) => Promise<number>): Promise<void>;
  /** Sets the exit code of a verb that needs no session. */
  exit(code: number): void;
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 on.');
  return Number(text);
}
