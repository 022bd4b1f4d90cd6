import { CheckpointError } from '../../../shared/contract/errors';
import type { OriginalFile } from './openedCheckpoint';

/**
 * Finds another file that a checkpoint names by a path relative to itself, as ONNX models do for external data. Such a path comes from a file that
 * anybody may have made: nothing outside the checkpoint's folder is ever opened for it.
 * @throws CheckpointError invalid-request for a path that may not be followed; not-found, permission and what else keeps the file from being read
 */
export type FindSibling = (location: string) => Promise<OriginalFile>;

/** The components of a location. @throws CheckpointError invalid-request for one that is absolute or leads out of its folder */
export function siblingParts(location: string): readonly string[] {
  const parts = location.split('/').filter((part) => part !== '.' && part !== '');
  const outside =
    location.startsWith('/') ||
    /^[A-Za-z]:/.test(location) ||
    parts.some((part) => part === '..' || part.includes('\0') || /^\.\.\\|\\\.\.(?:\\|$)|^\\/.test(part));
  if (outside) throw refusedSibling(location, 'The path leads out of the folder of the model');
  if (parts.length === 0) throw new CheckpointError('malformed', "The tensor's values lie outside the model, but the model does not say in which file.");
  return parts;
}

/** @param why the beginning of a sentence */
export function refusedSibling(location: string, why: string, hint?: string): CheckpointError {
  return new CheckpointError('invalid-request', `${why}, so the file ${shownLocation(location)} was not opened; the tensor's values lie in it.`, {
    hint: hint ?? 'Values are read only from files in the same folder as the model, or below it.',
  });
}

export function missingSibling(location: string, where: string): CheckpointError {
  return new CheckpointError('not-found', `The tensor's values lie in the file ${shownLocation(location)}, which is not ${where}.`, {
    hint: 'Put the file where the model expects it: external data belongs to the model.',
  });
}

export function shownLocation(location: string): string {
  return JSON.stringify(location.length > 200 ? `${location.slice(0, 199)}…` : location);
}
