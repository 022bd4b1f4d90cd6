import { formatCount } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import type { Stores } from './createStores';

/** A mapping is text; a checkpoint that was taken for one is not read whole. */
const MOST_BYTES = 256 * 1024 * 1024;
const LISTED = 5;

/** Takes a mapping file of this machine into the draft of new names, and says what of it fits no initializer. */
export async function readMapping({ graphEdit, notices }: Pick<Stores, 'graphEdit' | 'notices'>, file: File): Promise<void> {
  try {
    if (file.size > MOST_BYTES)
      throw new CheckpointError('too-large', `${file.name} has ${formatCount(file.size)} bytes; a mapping has at most ${formatCount(MOST_BYTES)}.`);
    const text = await file.text();
    const { names, unknown, ambiguous } = graphEdit.getState().takeMapping(text, /\.json$/i.test(file.name) || /^\s*\{/.test(text) ? 'json' : 'csv');
    graphEdit.getState().openNames(true);
    const parts = [
      unknown.length === 0 ? '' : `The model has no initializer called ${listed(unknown)}.`,
      ambiguous.length === 0 ? '' : `Several graphs have ${listed(ambiguous)}: say which is meant.`,
    ].filter((part) => part !== '');
    const taken = `${formatCount(names.length)} ${names.length === 1 ? 'name' : 'names'} from ${file.name}.`;
    graphEdit.getState().sayImported({ text: [taken, ...parts].join(' '), isComplete: parts.length === 0 });
  } catch (error) {
    notices.getState().show({ kind: 'error', title: 'The mapping could not be read', error: CheckpointError.from(error).at({ file: file.name }) });
  }
}

function listed(names: readonly string[]): string {
  const some = names.slice(0, LISTED).map((name) => `“${name}”`);
  return names.length > LISTED ? `${some.join(', ')} and ${formatCount(names.length - LISTED)} more` : some.join(', ');
}
