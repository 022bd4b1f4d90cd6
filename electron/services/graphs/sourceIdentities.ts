import { fileIdentity } from '../../bytes/fileIdentity';
import type { Piece } from '../../bytes/pieces';

/** Which files pieces are of besides their base, and which content these have now. @throws CheckpointError not-found, permission */
export async function sourceIdentities(lists: readonly (readonly Piece[])[]): Promise<Map<string, string>> {
  const identities = new Map<string, string>();
  for (const piece of lists.flat()) {
    if (piece.kind === 'file' && !identities.has(piece.path)) identities.set(piece.path, (await fileIdentity(piece.path)).identity);
  }
  return identities;
}
