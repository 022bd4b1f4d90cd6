import { CheckpointError } from '../../../shared/contract/errors';
import { blobId } from '../../git/blobId';
import type { ThetaMetadata } from '../../theta/metadata';
import { parseMetadata } from '../../theta/parseMetadata';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { MetadataContent } from './mergeRequest';

/** One of the versions that are merged. */
export interface MergeSide {
  /** `null`: the version does not have the file. */
  readonly blob: string | null;
  readonly bytes: Uint8Array;
  readonly metadata: ThetaMetadata;
}

/** The versions that are merged. */
export interface Sides {
  readonly base: MergeSide;
  readonly ours: MergeSide;
  readonly theirs: MergeSide;
}

const NOTHING: ThetaMetadata = { entries: new Map(), broken: [] };

export interface SideToRead {
  readonly path: string;
  /** As in a message: `ours`, `theirs`, `the common base`. */
  readonly called: string;
  readonly content: MetadataContent;
  /** Digits of the repository's object ids. */
  readonly digits: number;
}

/**
 * Reads one version of a metadata file. git hands out an empty file where a version has none.
 * @throws CheckpointError malformed or conflict when it is no metadata file, or one of its entries cannot be understood: merging would lose it
 */
export async function readSide(repository: Pick<OpenedRepository, 'git'>, { path, called, content, digits }: SideToRead): Promise<MergeSide> {
  const bytes = typeof content === 'string' ? await repository.git.blob(content) : (content ?? new Uint8Array(0));
  if (bytes.byteLength === 0) return { blob: null, bytes, metadata: NOTHING };
  let metadata: ThetaMetadata;
  try {
    metadata = parseMetadata(bytes, path);
  } catch (error) {
    const { code, message, place } = CheckpointError.from(error);
    throw new CheckpointError(code, `${path} cannot be merged by parameter group: in ${called}, ${lowerFirst(message)}`, {
      place,
      hint: 'A version from before the file was tracked holds the checkpoint itself. Take one side with "git checkout --ours" or "git checkout --theirs".',
    });
  }
  const [broken] = metadata.broken;
  if (broken !== undefined) {
    throw new CheckpointError('malformed', `${path} cannot be merged: in ${called}, ${lowerFirst(broken.error.message)}`, {
      place: { file: path, group: broken.name },
      hint: 'Take one side of the file with "git checkout --ours" or "git checkout --theirs".',
    });
  }
  return { blob: typeof content === 'string' ? content : blobId(bytes, digits), bytes, metadata };
}

function lowerFirst(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`;
}
