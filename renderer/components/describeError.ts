import { formatCount } from '../../shared/base/formatBytes';
import type { CheckpointError, ErrorPlace } from '../../shared/contract/errors';

/** Where an error happened, in words, from the outside in. */
export function placeParts(place: ErrorPlace): { readonly name: string; readonly value: string }[] {
  const parts: { name: string; value: string }[] = [];
  if (place.file !== undefined) parts.push({ name: 'File', value: place.file });
  if (place.offset !== undefined) parts.push({ name: 'At byte', value: formatCount(place.offset) });
  if (place.group !== undefined) parts.push({ name: 'Parameter group', value: place.group });
  if (place.commit !== undefined) parts.push({ name: 'Commit', value: place.commit });
  if (place.oid !== undefined) parts.push({ name: 'Object', value: place.oid });
  return parts;
}

/** All of an error as plain text, to be pasted into a report. */
export function describeError(title: string, error: CheckpointError): string {
  const place = placeParts(error.place).map(({ name, value }) => `${name}: ${value}`);
  return [title, error.message, ...place, error.hint, `Code: ${error.code}`, error.detail].filter((line) => line !== undefined).join('\n');
}
