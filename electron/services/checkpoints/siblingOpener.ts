import type { SiblingFile } from '../../formats/format';
import type { OriginalFile } from './openedCheckpoint';
import type { FindSibling } from './siblingParts';

/** As formats ask for siblings, remembering what was found by its path. */
export function siblingOpener(find: FindSibling): {
  readonly sibling: (location: string) => Promise<SiblingFile>;
  readonly originals: Map<string, OriginalFile>;
} {
  const originals = new Map<string, OriginalFile>();
  const sibling = async (location: string): Promise<SiblingFile> => {
    const original = await find(location);
    originals.set(original.path, original);
    return { ref: { kind: 'file', path: original.path }, bytes: original.bytes };
  };
  return { sibling, originals };
}
