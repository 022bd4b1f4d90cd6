import { devNull } from 'node:os';
import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import { diffCheckpoints } from '../services/differ/diffCheckpoints';
import { openDiffSide } from '../services/differ/diffSide';
import type { OpenedRepository } from '../services/repositories/openedRepository';
import { driverRepository } from './driverRepository';
import { type DiffHeader, formatDiff } from './formatDiff';
import type { Session } from './session';
import { terminalText } from './terminalText';
import { wantsColour } from './wantsColour';

/** One side as git hands it to an external diff: a file with the content, blob id, mode; `/dev/null . .` where it does not exist. */
interface GivenSide {
  readonly file: string;
  readonly hex: string;
  readonly path: string;
}

/**
 * `theta diff-driver`: what changed between two versions, for git (git(1), `GIT_EXTERNAL_DIFF`): `path old-file old-hex old-mode new-file new-hex
 * new-mode [new-path rename-lines]`, or the path alone when it is unmerged. git gives up all other files of a diff when a driver fails, so what
 * goes wrong is part of the text and the exit code is 0.
 */
export async function diffDriver(session: Session, args: readonly string[]): Promise<number> {
  const [path, oldFile, oldHex, , newFile, newHex, , newPath, changes] = args;
  if (path === undefined) throw new CheckpointError('invalid-request', 'A diff driver is run by git, with the names of two files.');
  if (oldFile === undefined || oldHex === undefined || newFile === undefined || newHex === undefined) {
    session.terminal.out(`* Unmerged path ${terminalText(path)}\n`);
    return 0;
  }
  const before = { file: oldFile, hex: oldHex, path };
  const after = { file: newFile, hex: newHex, path: newPath ?? path };
  const repository = await driverRepository(session, process.env);
  try {
    const colour = await wantsColour({ repository, environment: process.env, terminal: process.stdout.isTTY === true });
    session.terminal.out(await compare(session, repository, { before, after, changes: changes ?? '', colour }));
  } catch (error) {
    throwIfCancelled(session.signal);
    const { message, hint } = CheckpointError.from(error);
    const lines = [`diff --theta a/${before.path} b/${after.path}`, `cannot be compared: ${message}`, ...(hint === undefined ? [] : [hint])];
    session.terminal.out(lines.map((line) => `${terminalText(line)}\n`).join(''));
  }
  return 0;
}

interface Comparison {
  readonly before: GivenSide;
  readonly after: GivenSide;
  /** What git says about a rename, lines. */
  readonly changes: string;
  readonly colour: boolean;
}

async function compare(session: Session, repository: OpenedRepository | null, { before, after, changes, colour }: Comparison): Promise<string> {
  const open = ({ file, hex, path }: GivenSide) =>
    openDiffSide(repository, { file: isNothing(file) ? null : session.path(file), blob: blobOf(hex), path }, session.signal);
  const [old, now] = [await open(before), await open(after)];
  const diff = await diffCheckpoints(old, now, { repository, pool: session.pool, signal: session.signal });
  const lines = changes.split('\n').filter((line) => line !== '' && !/^index [0-9a-f]+\.\.[0-9a-f]+/.test(line));
  const header: DiffHeader = {
    before: old.kind === 'absent' ? devNull : `a/${before.path}`,
    after: now.kind === 'absent' ? devNull : `b/${after.path}`,
    lines: [...(old.kind === 'absent' ? ['new file'] : now.kind === 'absent' ? ['deleted file'] : []), ...lines],
  };
  return formatDiff(header, diff, colour);
}

function isNothing(file: string): boolean {
  return file === '/dev/null' || file === devNull || file === 'nul';
}

/** git writes zeros for a file of the work tree, and a dot for one that does not exist. */
function blobOf(hex: string): string | null {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(hex) && !/^0+$/.test(hex) ? hex : null;
}
