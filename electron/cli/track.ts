import { relative, sep } from 'node:path';
import { CheckpointError } from '../../shared/contract/errors';
import { editAttributesFile } from '../git/attributes/attributesFile';
import { listTracked, type TrackedPattern } from '../git/attributes/editAttributes';
import { programCommand } from '../programCommand';
import { programVersion } from '../resources';
import { ensureInstalled } from '../services/tracker/ensureInstalled';
import { trackPatterns, untrackPatterns, workTreeOf } from '../services/tracker/trackPatterns';
import { openSessionWriter } from './openSessionWriter';
import type { Session } from './session';
import { formatTable, terminalText } from './terminalText';

export interface TrackOptions {
  readonly convertLfs: boolean;
  readonly json: boolean;
}

/** `theta track`: has git keep the files of patterns group by group, or lists the patterns. @returns 1 when some stay with Git LFS */
export async function track(session: Session, patterns: readonly string[], { convertLfs, json }: TrackOptions): Promise<number> {
  if (patterns.length === 0) return list(session, json);
  const repository = await session.repository();
  const writer = await openSessionWriter(session);
  const { folder, inFolder } = placeOf(session, workTreeOf(repository));
  const installed = await ensureInstalled(repository, { command: programCommand(), version: programVersion() }, session.signal);
  const tracked = await trackPatterns({ repository, writer, patterns: patterns.map(inFolder), folder, convertLfs, signal: session.signal });
  const { left } = tracked;
  const notes = [...installed, ...tracked.notes];
  if (json) session.terminal.out(`${JSON.stringify({ changed: tracked.changed, notes, left_with_lfs: left }, null, 2)}\n`);
  else {
    const said = tracked.changed.length === 0 ? 'These patterns are tracked already.' : `Tracked, and staged: ${tracked.changed.join(', ')}`;
    session.terminal.out(`${[said, ...notes].map(terminalText).join('\n')}\n`);
  }
  for (const sentence of left) session.terminal.err(`theta: ${terminalText(sentence)}\n`);
  return left.length > 0 ? 1 : 0;
}

/** `theta untrack`. */
export async function untrack(session: Session, patterns: readonly string[], { json }: Pick<TrackOptions, 'json'>): Promise<number> {
  const repository = await session.repository();
  const { folder, inFolder } = placeOf(session, workTreeOf(repository));
  const changed = await untrackPatterns({
    repository,
    writer: await openSessionWriter(session),
    patterns: patterns.map(inFolder),
    folder,
    signal: session.signal,
  });
  if (changed.length === 0) throw new CheckpointError('not-found', `No line of ${folder}.gitattributes tracks ${patterns.join(' or ')}.`);
  if (json) session.terminal.out(`${JSON.stringify({ changed }, null, 2)}\n`);
  else
    session.terminal.out(
      `No longer tracked, and staged: ${changed.map(terminalText).join(', ')}\nVersions that are committed stay readable. What HEAD has stays in git-theta's format until "git add --renormalize"; clones without this line check out its metadata.\n`,
    );
  return 0;
}

async function list(session: Session, json: boolean): Promise<number> {
  const root = workTreeOf(await session.repository());
  const { folder } = placeOf(session, root);
  let tracked: readonly TrackedPattern[] = [];
  await editAttributesFile(`${root}/${folder}.gitattributes`, (text) => {
    tracked = listTracked(text);
    return { text, changed: false };
  });
  if (json) session.terminal.out(`${JSON.stringify(tracked, null, 2)}\n`);
  else if (tracked.length === 0) session.terminal.out(`Nothing is tracked in ${folder}.gitattributes.\n`);
  else
    session.terminal.out(
      `${formatTable(
        [{ title: 'line', align: 'right' }, { title: 'pattern' }],
        tracked.map(({ line, pattern }) => [String(line), pattern]),
      )}\n`,
    );
  return 0;
}

/** As with git-lfs, the attributes file of the folder that the command works in, and patterns from there. */
function placeOf(session: Session, root: string): { readonly folder: string; readonly inFolder: (pattern: string) => string } {
  const inside = relative(root, session.folder).split(sep).join('/');
  if (inside.startsWith('..')) throw new CheckpointError('invalid-request', `${session.folder} is not in the work tree ${root}.`);
  const folder = inside === '' ? '' : `${inside}/`;
  return { folder, inFolder: (pattern) => (pattern.includes('/') ? `${folder}${pattern.replace(/^\.?\//, '')}` : pattern) };
}
