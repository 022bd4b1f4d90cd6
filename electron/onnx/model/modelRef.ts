import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource, SourceRef } from '../../bytes/byteSource';
import { fileIdentity } from '../../bytes/fileIdentity';
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
  /** `fileIdentity` of the base when it was opened; `null` where nobody else can write it. */
  readonly identity: string | null;
  /** What is made of the base; `null`: the base itself. */
  readonly pieces: readonly Piece[] | null;
  /** Parameter groups of the base whose values lie in another file, and which. */
  readonly external: readonly { readonly group: string; readonly path: string }[];
}

/** The caller closes it. @throws CheckpointError not-found, permission; conflict when the base has been written since */
export async function openModelRef({ base, pieces, file, identity }: ModelRef): Promise<ByteSource> {
  const source = await openSource(base);
  if (base.kind === 'file' && identity !== null && (await fileIdentity(base.path)).identity !== identity) {
    await source.close();
    throw writtenSince(file);
  }
  return pieces === null ? source : piecesSource(source, pieces, file);
}

/** What was planned for one content must not be done to another. */
export function writtenSince(file: string): CheckpointError {
  return new CheckpointError('conflict', `${file} has been written since it was opened.`, {
    place: { file },
    hint: 'Open it again and repeat the edits.',
  });
}
