import { createContext, Script } from 'node:vm';

const CALL = new Script('work()');

/**
 * Runs `work` in this thread and stops it when it takes longer, even inside a regular expression, which nothing else can stop.
 * @returns whether it came to its end; throws what it throws
 */
export function withinTime(milliseconds: number, work: () => void): boolean {
  try {
    CALL.runInContext(createContext({ work }), { timeout: milliseconds });
    return true;
  } catch (error) {
    // The error may be of the other context, whose classes are not ours.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
