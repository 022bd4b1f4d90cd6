import { CheckpointError } from '../../shared/contract/errors';
import { headCommit } from '../../shared/model/commit';
import type { Condition } from '../../shared/model/condition';
import { bisectGroup } from '../services/timeline/bisect';
import type { Session } from './session';
import { formatTable, terminalText } from './terminalText';
import { cellContext, readNamedTimeline } from './timelineTarget';

export interface BisectWanted {
  readonly group: string;
  readonly condition: Condition;
  readonly json: boolean;
}

/** `theta bisect`: the first commit, along first parents of HEAD, at which a condition on a group holds. Returns the exit code: 1 when it never does. */
export async function bisect(session: Session, name: string, { group, condition, json }: BisectWanted): Promise<number> {
  const tip = headCommit(await (await session.repository()).git.head());
  if (tip === null) throw new CheckpointError('not-found', 'This repository has no commit yet.');
  const { path, index } = await readNamedTimeline(session, name, { kind: 'commit', commit: tip });
  const { found, tested, note } = await bisectGroup(await cellContext(session, path), index, { tip, group, condition });
  const titles = new Map(index.columns.map(({ commit, title }) => [commit, title]));
  const { terminal } = session;
  if (json) {
    const described = tested.map(({ commit, value, holds }) => ({ commit, title: titles.get(commit) ?? '', value, holds }));
    terminal.out(`${JSON.stringify({ path, group, condition, found, tested: described, note }, null, 2)}\n`);
  } else {
    const text = `${condition.quantity} ${condition.operator} ${condition.threshold}`;
    const rows = tested.map(({ commit, value, holds }) => [
      commit.slice(0, 10),
      value === null ? '' : String(value),
      holds ? 'yes' : 'no',
      titles.get(commit) ?? '',
    ]);
    const columns = [{ title: 'commit' }, { title: condition.quantity, align: 'right' as const }, { title: text }, { title: 'title' }];
    const answer = found === null ? 'It holds at no version that was looked at.' : `First commit: ${found}  ${terminalText(titles.get(found) ?? '')}`;
    terminal.out(`${formatTable(columns, rows)}\n\n${answer}\n`);
    if (note !== null) terminal.err(`${terminalText(note)}\n`);
  }
  return found === null ? 1 : 0;
}
