import { CheckpointError } from '../../contract/errors';

/** One line of a file of names. */
export interface MappingEntry {
  /** `GraphScope.path` of the graph that defines the name; `null` when the file does not say. */
  readonly graph: string | null;
  readonly name: string;
  readonly to: string;
  /** Where it stands in the file, from 1. */
  readonly line: number;
}

/** What is wrong in which line. */
export function malformed(line: number, words: string): CheckpointError {
  return new CheckpointError('malformed', `Line ${line} of the mapping: ${words}`, {
    hint: 'A mapping is JSON such as {"old": "new"}, or CSV with the old and the new name in two columns.',
  });
}
