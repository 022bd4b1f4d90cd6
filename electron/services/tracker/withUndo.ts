import { CheckpointError } from '../../../shared/contract/errors';
import { Undo } from './undo';

/** Runs work that is done as a whole or not at all. What could not be taken back is said in the hint of the error. */
export async function withUndo<T>(work: (undo: Undo) => Promise<T>): Promise<T> {
  const undo = new Undo();
  let result: T;
  try {
    result = await work(undo);
  } catch (error) {
    const left = await undo.run();
    throw left.length === 0 ? error : withHint(CheckpointError.from(error), left.join(' '));
  }
  await undo.finish();
  return result;
}

function withHint(error: CheckpointError, text: string): CheckpointError {
  const { code, message, place, hint, detail } = error;
  return new CheckpointError(code, message, {
    place,
    hint: hint === undefined ? text : `${hint} ${text}`,
    cause: error,
    ...(detail === undefined ? {} : { detail }),
  });
}
