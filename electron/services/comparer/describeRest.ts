import type { MetadataDifference } from '../../../shared/model/comparison';
import type { OpenedCheckpoint } from '../checkpoints/openedCheckpoint';

/** Notes on what is no tensor; longer lists end with their number. */
const MAX_NOTES = 50;

/** Entries of the files' metadata that are not the same on both sides, by key. */
export function metadataDifferences(a: OpenedCheckpoint, b: OpenedCheckpoint): MetadataDifference[] {
  const [before, after] = [a, b].map(({ metadata }) => new Map(metadata.map(({ key, value }) => [key, value])));
  const keys = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])].sort();
  return keys.flatMap((key) => {
    const [old, now] = [before?.get(key) ?? null, after?.get(key) ?? null];
    return old === now ? [] : [{ key, a: old, b: now }];
  });
}

/** What both files hold besides tensors, or cannot be read of them. */
export function skippedNotes(a: OpenedCheckpoint, b: OpenedCheckpoint): string[] {
  const [before, after] = [a, b].map(({ skipped }) => new Map(skipped.map(({ name, reason }) => [name, reason])));
  const names = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])].sort();
  const notes = names.flatMap((name) => {
    const [old, now] = [before?.get(name), after?.get(name)];
    if (old === now) return [`${name} (A and B): ${now ?? ''}`];
    return [...(old === undefined ? [] : [`${name} (A): ${old}`]), ...(now === undefined ? [] : [`${name} (B): ${now}`])];
  });
  const more = notes.length - MAX_NOTES;
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `${more} more entries are not compared.`] : notes;
}
