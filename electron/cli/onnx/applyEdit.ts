import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import type { EditReview, GraphEdit } from '../../../shared/model/graphEdit';
import type { Session } from '../session';
import { terminalText } from '../terminalText';
import type { OnnxTarget } from './readTarget';

export interface EditOptions {
  /** Where the edited model goes; `undefined`: nothing is written. */
  readonly out: string | undefined;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Sites shown to people; JSON has all of them. */
const MAX_SHOWN = 200;
const REFUSED = 1;

/**
 * Reviews an edit, and writes the model unless it is a dry run, has no `out`, or is refused. Returns the exit code: 1 when it is refused, and
 * then nothing is written.
 */
export async function applyEdit(session: Session, target: OnnxTarget, edit: GraphEdit, options: EditOptions): Promise<number> {
  const { graphs, run, state } = target;
  const { terminal } = session;
  const review = await graphs.review(state.graph, edit, run);
  if (review.refusals.length > 0) {
    if (options.json) terminal.out(`${JSON.stringify(jsonOf(review, null), null, 2)}\n`);
    for (const refusal of review.refusals) terminal.err(`theta: ${terminalText(refusal)}\n`);
    terminal.err('Nothing was written.\n');
    return REFUSED;
  }
  const written = options.dryRun || options.out === undefined ? null : await write(session, target, edit, { ...options, out: options.out });
  if (options.json) terminal.out(`${JSON.stringify(jsonOf(review, written), null, 2)}\n`);
  else terminal.out(formatReview(review));
  for (const warning of review.warnings) terminal.err(`warning: ${terminalText(warning)}\n`);
  if (written !== null) {
    const files = written.files.length === 0 ? '' : `, and ${written.files.map(terminalText).join(', ')}`;
    if (!options.json) terminal.err(`Wrote ${terminalText(written.path)}: ${formatBytes(written.bytes)}${files}.\n`);
  } else if (!options.json) terminal.err(options.dryRun ? 'A dry run: nothing was written.\n' : 'Nothing was written: give -o OUT.\n');
  return 0;
}

async function write(session: Session, { graphs, run, state }: OnnxTarget, edit: GraphEdit, { out, force }: { readonly out: string; readonly force: boolean }) {
  const { revision, graph } = state;
  await graphs.apply({ graph, revision, edit }, run);
  try {
    return await graphs.save({ graph, path: session.path(out), overwrite: force }, run);
  } catch (error) {
    const failed = CheckpointError.from(error);
    if (failed.code !== 'exists') throw failed;
    throw new CheckpointError('exists', failed.message, { place: failed.place, hint: 'Give --force to replace it.' });
  }
}

function jsonOf(
  { title, sites, warnings, refusals }: EditReview,
  written: { readonly path: string; readonly bytes: number; readonly files: readonly string[] } | null,
) {
  return { title, sites, warnings, refusals, written };
}

function formatReview({ title, sites }: EditReview): string {
  const shown = sites.slice(0, MAX_SHOWN).map(({ graph, place, before, after }) => {
    const where = graph === '' ? place : `${graph}: ${place}`;
    return `  ${terminalText(where)}: ${terminalText(before)} → ${terminalText(after)}\n`;
  });
  const more = sites.length > MAX_SHOWN ? [`  … ${sites.length - MAX_SHOWN} more places\n`] : [];
  return [`${terminalText(title)}\n`, ...shown, ...more].join('');
}
