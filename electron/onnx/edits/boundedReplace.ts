import { type Context, createContext, Script } from 'node:vm';
import * as v from 'valibot';
import { CheckpointError } from '../../../shared/contract/errors';

/** Longest name that a pattern is tried on. */
const MAX_NAME = 4096;
const MAX_PATTERN = 1000;
/** Names in one run. */
const MAX_NAMES = 1_000_000;
/** Milliseconds for all names together: a pattern such as (a+)+$ may need longer than the universe has. */
const TIMEOUT = 3000;

/** Results leave the other context as text, so that nothing of that context is held. */
const REPLACE = new Script(`
  const pattern = new RegExp(find, flags);
  JSON.stringify(JSON.parse(names).map((name) => { pattern.lastIndex = 0; return pattern.test(name) ? name.replace(pattern, replacement) : null; }));
`);

/** With an empty alternative the expression fits the empty text, and shows which groups it has. */
const GROUPS = new Script(`
  const found = new RegExp('(?:' + find + ')|', flags).exec('');
  JSON.stringify({ count: found.length - 1, names: Object.keys(found.groups ?? {}) });
`);

/** Not by its class: an error of another context is none of this one's. */
const timeoutSchema = v.object({ code: v.literal('ERR_SCRIPT_EXECUTION_TIMEOUT') });
const groupsSchema = v.object({ count: v.number(), names: v.array(v.string()) });
const madeSchema = v.array(v.nullable(v.string()));

/**
 * What each name becomes when all that the pattern finds in it is replaced, by the rules of JavaScript: `$1`, `$<name>`, `$&`, `$$`. `null`
 * where the pattern finds nothing. A pattern that takes too long is stopped.
 * @throws CheckpointError invalid-request for a pattern or replacement that has no meaning, too-large for one that cannot be tried
 */
export function boundedReplace(names: readonly string[], { find, replace }: { readonly find: string; readonly replace: string }): (string | null)[] {
  const flags = checkPattern(find, replace);
  const long = names.find((name) => name.length > MAX_NAME);
  if (long !== undefined) throw new CheckpointError('too-large', `A name has ${long.length} characters; patterns are tried on names of up to ${MAX_NAME}.`);
  if (names.length > MAX_NAMES) throw new CheckpointError('too-large', `The model has ${names.length} names; patterns are tried on up to ${MAX_NAMES}.`);
  const context = createContext({ find, flags, names: JSON.stringify(names), replacement: replace });
  checkReferences(replace, v.parse(groupsSchema, run(GROUPS, context)));
  return v.parse(madeSchema, run(REPLACE, context));
}

function run(script: Script, context: Context): unknown {
  try {
    return JSON.parse(String(script.runInContext(context, { timeout: TIMEOUT })));
  } catch (error) {
    if (v.is(timeoutSchema, error)) {
      throw new CheckpointError('too-large', `The pattern was stopped: it needs more than ${TIMEOUT / 1000} seconds for the names of this model.`, {
        hint: 'Patterns with repetitions inside repetitions, such as (a+)+, try every way to part a name.',
      });
    }
    throw new CheckpointError('invalid-request', `The pattern cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Flags to use: Unicode where the pattern can be read so. */
function checkPattern(find: string, replace: string): string {
  if (find === '') throw new CheckpointError('invalid-request', 'The pattern is empty.');
  if (find.length > MAX_PATTERN || replace.length > MAX_PATTERN) {
    throw new CheckpointError('too-large', `A pattern and its replacement have at most ${MAX_PATTERN} characters each.`);
  }
  const problems: string[] = [];
  for (const flags of ['gu', 'g']) {
    try {
      new RegExp(find, flags);
      return flags;
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new CheckpointError('invalid-request', `${JSON.stringify(find)} is no regular expression: ${problems.at(-1) ?? ''}.`);
}

/** A reference to a group that the pattern does not have would stand in the new names as it is. */
function checkReferences(replace: string, { count, names }: { readonly count: number; readonly names: readonly string[] }): void {
  for (const [whole, digits, name] of replace.matchAll(/\$(?:\$|(\d{1,2})|<([^>]*)>)/g)) {
    const isGroup = (text: string) => Number(text) > 0 && Number(text) <= count;
    if (digits !== undefined && !isGroup(digits) && !isGroup(digits.charAt(0))) {
      throw new CheckpointError(
        'invalid-request',
        `The replacement has ${whole}, but the pattern has ${count === 0 ? 'no groups' : `${count} ${count === 1 ? 'group' : 'groups'}`}.`,
      );
    }
    if (name !== undefined && !names.includes(name))
      throw new CheckpointError('invalid-request', `The replacement has ${whole}, but the pattern has no group of that name.`);
  }
}
