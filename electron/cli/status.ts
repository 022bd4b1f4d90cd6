import { formatBytes } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import type { WorkChange } from '../../shared/contract/trackRequests';
import { workTreeChanges } from '../services/tracker/workTreeChanges';
import { formatError } from './formatError';
import { openSessionWriter } from './openSessionWriter';
import type { Session } from './session';
import { formatTable, terminalText } from './terminalText';

/** `theta status`: checkpoints that differ from HEAD, and those that git would store whole. */
export async function status(session: Session, { json }: { readonly json: boolean }): Promise<number> {
  const found = await workTreeChanges(await session.repository(), () => openSessionWriter(session), session.signal);
  if (json) {
    session.terminal.out(`${JSON.stringify({ changes: found.changes, other_staged: found.otherStaged, obstacle: found.obstacle }, null, 2)}\n`);
    return 0;
  }
  if (found.changes.length === 0) session.terminal.out('No checkpoint differs from HEAD.\n');
  else {
    const rows = found.changes.map((change) => [
      change.kind,
      change.staged ? 'staged' : '',
      change.path,
      change.format,
      formatBytes(change.bytes),
      remark(change),
    ]);
    const columns = [{ title: 'change' }, { title: '' }, { title: 'path' }, { title: 'format' }, { title: 'size', align: 'right' as const }, { title: '' }];
    session.terminal.out(`${formatTable(columns, rows)}\n`);
  }
  const whole = found.changes.filter(storedWhole);
  if (whole.length > 0) {
    const [first] = whole;
    session.terminal.out(
      `\n${whole.length === 1 ? 'One checkpoint is' : `${whole.length} checkpoints are`} not tracked: "git add" stores the whole file in git, for every version anew.\nTrack it first: theta track ${terminalText(JSON.stringify(first?.path ?? 'PATTERN'))}\n`,
    );
  }
  if (found.obstacle !== null) session.terminal.err(formatError(CheckpointError.fromData(found.obstacle)));
  return 0;
}

function storedWhole({ kind, filter }: WorkChange): boolean {
  return filter === 'none' && (kind === 'untracked' || kind === 'added');
}

function remark(change: WorkChange): string {
  if (storedWhole(change)) return change.staged ? 'staged as a plain blob' : 'not tracked';
  return change.filter === 'lfs' ? 'kept by Git LFS' : '';
}
