import type { CheckpointError } from '../../shared/contract/errors';
import { terminalText } from './terminalText';

/** An error for a terminal: what, where, what next; each on a line. */
export function formatError(error: CheckpointError): string {
  const { file, group, offset, commit, oid } = error.place;
  const place = [
    file === undefined ? null : `file ${file}`,
    group === undefined ? null : `group ${group}`,
    offset === undefined ? null : `offset ${offset}`,
    commit === undefined ? null : `commit ${commit}`,
    oid === undefined ? null : `object ${oid}`,
  ].filter((part) => part !== null);
  const lines = [`theta: ${terminalText(error.message)}`];
  if (place.length > 0) lines.push(`  at ${terminalText(place.join(', '))}`);
  if (error.hint !== undefined) lines.push(`  ${terminalText(error.hint)}`);
  if (error.code === 'internal' && error.detail !== undefined) lines.push(...error.detail.split('\n').map((line) => `  ${terminalText(line)}`));
  return `${lines.join('\n')}\n`;
}
