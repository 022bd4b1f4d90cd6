import { isCheckpointError } from '../../../shared/contract/errors';
import type { FileCheckpoint } from '../../formats/format';
import { formatById } from '../../formats/registry';
import { templateSource } from '../../formats/template/templateSource';
import type { OpenedCheckpoint } from './openedCheckpoint';
import { openGroup } from './openGroup';
import { siblingOpener } from './siblingOpener';
import type { FindSibling } from './siblingParts';

/**
 * A version kept by its groups, with those whose values lie in other files of the same commit (ONNX external data): the version keeps their names,
 * types and places with the rest of the file. They come behind the others.
 */
export async function addExternalGroups(opened: OpenedCheckpoint, siblings: FindSibling, signal?: AbortSignal): Promise<OpenedCheckpoint> {
  const template = opened.facts?.template;
  // No other format knows them.
  if (template === undefined || opened.format !== 'onnx') return opened;
  const { sibling, originals } = siblingOpener(siblings);
  const file = opened.version.path;
  let read: FileCheckpoint | undefined;
  try {
    const ref = { kind: 'memory', bytes: new Uint8Array(0) } as const;
    read = await formatById(opened.format)?.read(templateSource(template), { ref, file, sibling, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    // What is stored is not a model: its groups are there all the same.
    if (!isCheckpointError(error) || error.code === 'cancelled') throw error;
  }
  const groups = new Map(opened.groups);
  for (const group of read?.groups ?? []) {
    const name = group.keys.join('/');
    if (group.external !== undefined && !groups.has(name)) groups.set(name, openGroup(name, group, { own: null, siblings: originals }));
  }
  return groups.size === opened.groups.size ? opened : { ...opened, groups };
}
