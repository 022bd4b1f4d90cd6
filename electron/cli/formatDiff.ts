import { formatCount } from '../../shared/base/formatBytes';
import { formatShape } from '../../shared/model/shape';
import type { CheckpointDiff, GroupDiff } from '../services/differ/groupDiff';
import { formatTable, terminalText } from './terminalText';

/** SGR parameters, as git's own diff uses them. */
const COLOURS = { added: '32', removed: '31', renamed: '36', modified: '33', header: '1' } as const;

/** Share of the elements, in percent, below which their number says more. */
const SMALLEST_SHARE = 0.01;

/** What was compared, for the lines above the groups. */
export interface DiffHeader {
  readonly before: string;
  readonly after: string;
  /** Lines such as `new file` or `rename from a.pt`. */
  readonly lines: readonly string[];
}

/** A comparison as text: a header, one line for every changed group, and a sum. Ends with a line break. */
export function formatDiff(header: DiffHeader, diff: CheckpointDiff, colour: boolean): string {
  const paint = (kind: keyof typeof COLOURS, text: string) => (colour ? `\u001b[${COLOURS[kind]}m${text}\u001b[m` : text);
  const top = [`diff --theta ${header.before} ${header.after}`, ...header.lines].map((line) => paint('header', terminalText(line)));
  const columns = [{ title: '' }, { title: '' }, { title: '' }, { title: '' }, { title: '' }, { title: '' }];
  const rows = diff.groups.map((group) => [
    group.change.toUpperCase(),
    group.from === null ? group.name : `${group.from} -> ${group.name}`,
    group.updateType ?? '',
    group.dtype,
    formatShape(group.shape),
    describeChange(group),
  ]);
  const [, ...table] = formatTable(columns, rows).split('\n');
  const lines = table.map((line, index) => paint(diff.groups[index]?.change ?? 'modified', line));
  return [...top, ...lines, ...diff.notes.map(terminalText), sum(diff)].map((line) => `${line}\n`).join('');
}

/** `‖Δ‖ 0.001235, 12.5 % of the elements`; why there is no number. */
function describeChange({ change, before, dtype, shape, difference, elements, error }: GroupDiff): string {
  if (error !== null) return `cannot be read: ${error.message}`;
  if (before !== null) {
    const parts = [before.dtype === dtype ? '' : before.dtype, formatShape(before.shape) === formatShape(shape) ? '' : formatShape(before.shape)];
    return `was ${parts.filter((part) => part !== '').join(', ')}`;
  }
  if (change !== 'modified' || difference === null) return '';
  if (difference.changed === 0) return 'same value, stored anew';
  const odd = difference.notFinite === 0 ? '' : `, ${formatCount(difference.notFinite)} to or from NaN or infinity`;
  return `‖Δ‖ ${formatNorm(difference.norm)}, ${formatShare(difference.changed, elements)}${odd}`;
}

export function formatNorm(norm: number): string {
  return norm === 0 ? '0' : norm.toPrecision(4);
}

function formatShare(changed: number, elements: number): string {
  const share = (100 * changed) / elements;
  if (changed === elements) return 'all elements';
  return share >= SMALLEST_SHARE ? `${share.toPrecision(3)} % of the elements` : `${formatCount(changed)} of ${formatCount(elements)} elements`;
}

function sum({ groups, unchanged }: CheckpointDiff): string {
  const count = (change: GroupDiff['change']) => groups.filter((group) => group.change === change).length;
  const parts = (['added', 'removed', 'renamed', 'modified'] as const).flatMap((change) => (count(change) > 0 ? [`${count(change)} ${change}`] : []));
  return [...parts, `${unchanged} unchanged`].join(', ');
}
