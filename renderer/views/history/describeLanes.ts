import type { LaneRow } from '../../charts/commitLanes';

/** The graph of one row in words, for those who do not see the lanes: `Merge of 2 parents, on branch main, lane 2`. */
export function describeLanes(row: LaneRow, parents: number): string {
  const parts: string[] = [];
  if (parents > 1) parts.push(`merge of ${parents} parents`);
  if (parents === 0) parts.push('first commit');
  const children = row.edges.filter((edge) => edge.kind === 'in').length;
  if (children > 1) parts.push(`fork into ${children} lines`);
  if (row.name !== null) parts.push(`on branch ${row.name}`);
  parts.push(`lane ${row.lane + 1}`);
  if (row.parentsAbove > 0) parts.push(row.parentsAbove === 1 ? 'a parent stands above' : `${row.parentsAbove} parents stand above`);
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
