import type { ByteSource, SourceRef } from '../../bytes/byteSource';
import { openSource } from '../../bytes/openSource';
import { type Piece, piecesSource } from '../../bytes/pieces';

/** A sendable way to open a model in another thread: a file, or a file with edits that are written nowhere yet. */
export interface ModelRef {
  /** The same text is the same content for as long as the program runs. */
  readonly key: string;
  /** Key of the base alone. */
  readonly baseKey: string;
  /** Name for error messages. */
  readonly file: string;
  readonly base: SourceRef;
  /** What is made of the base; `null`: the base itself. */
  readonly pieces: readonly Piece[] | null;
  /** Parameter groups of the base whose values lie in another file, and which. */
  readonly external: readonly { readonly group: string; readonly path: string }[];
}

/** The caller closes it. @throws CheckpointError not-found, permission */
export async function openModelRef({ base, pieces, file }: ModelRef): Promise<ByteSource> {
  const source = await openSource(base);
  return pieces === null ? source : piecesSource(source, pieces, file);
}
