import { parseArgs } from 'node:util';
import { compareCase } from './compareCase';
import { exportCase } from './exportCase';
import { graphCase } from './graphCase';
import { historyCase } from './historyCase';
import { openCase } from './openCase';
import { printRows, type Row, writeResults } from './report';
import { statisticsCase } from './statisticsCase';
import { timelineCase } from './timelineCase';
import { trackCase } from './trackCase';

const CASES: Readonly<Record<string, { readonly title: string; readonly run: (repeat: number) => Promise<readonly Row[]> }>> = {
  history: { title: 'History of 100,000 commits', run: historyCase },
  timeline: { title: 'Timeline of 1,000 commits × 1,000 parameter groups', run: timelineCase },
  open: { title: 'Opening large files', run: openCase },
  statistics: { title: 'Statistics of 1 GB tensors in the page cache', run: statisticsCase },
  compare: { title: 'Comparing two checkpoints of 1 GB in the page cache', run: compareCase },
  track: { title: 'Tracking a checkpoint of 410 MB, 183 parameter groups, through git', run: trackCase },
  graph: { title: 'The graph of decoders with up to 54,400 nodes', run: graphCase },
  export: { title: 'Exporting 410 MB, 183 parameter groups, from git-theta updates', run: exportCase },
};

const { values } = parseArgs({ options: { only: { type: 'string' }, repeat: { type: 'string', default: '3' } } });
const names = values.only?.split(',') ?? Object.keys(CASES);
const repeat = Number(values.repeat);
const results: Record<string, readonly Row[]> = {};
for (const name of names) {
  const chosen = Object.hasOwn(CASES, name) ? CASES[name] : undefined;
  if (chosen === undefined) throw new Error(`There is no case ${name}; there are ${Object.keys(CASES).join(', ')}.`);
  const rows = await chosen.run(repeat);
  results[name] = rows;
  printRows(chosen.title, rows);
}
console.log(`\nWritten to ${await writeResults(results)}. Medians of ${repeat}; all ratios within this run.`);
const missed = Object.values(results)
  .flat()
  .filter(({ value, target }) => target !== null && !(value <= target));
if (missed.length > 0) {
  console.log(`${missed.length} ${missed.length === 1 ? 'target was' : 'targets were'} missed.`);
  process.exitCode = 1;
}
