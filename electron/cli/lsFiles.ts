import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import { describeRepository } from '../services/repositories/describeRepository';
import type { Session } from './session';
import { formatTable } from './terminalText';

/** `theta ls-files`: the checkpoints of HEAD that are kept in git-theta's format. */
export async function lsFiles(session: Session, { json }: { readonly json: boolean }): Promise<number> {
  const { checkpoints } = await describeRepository(await session.repository());
  const tracked = checkpoints.filter(({ storage }) => storage === 'theta');
  if (json) {
    const files = tracked.map(({ path, format, groups, bytes, status }) => ({ path, format, groups, bytes, status }));
    session.terminal.out(`${JSON.stringify(files, null, 2)}\n`);
  } else if (tracked.length === 0) session.terminal.out('No checkpoint is tracked at HEAD.\n');
  else {
    const rows = tracked.map(({ path, format, groups, bytes, status }) => [path, format, formatCount(groups ?? 0), formatBytes(bytes), status]);
    const columns = [
      { title: 'path' },
      { title: 'format' },
      { title: 'groups', align: 'right' as const },
      { title: 'size', align: 'right' as const },
      { title: 'working tree' },
    ];
    session.terminal.out(`${formatTable(columns, rows)}\n`);
  }
  return 0;
}
