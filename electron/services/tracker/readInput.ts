import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { openSource } from '../../bytes/openSource';
import type { FileCheckpoint } from '../../formats/format';
import { readCheckpoint } from '../../formats/openCheckpointFile';
import { type CheckpointFacts, factsOf } from '../../formats/template/checkpointFacts';
import { type Arriving, openArriving } from './arriving';
import type { CleanRequest } from './cleanRequest';

type InputRequest = Pick<CleanRequest, 'arriving' | 'file' | 'path' | 'signal'>;

export interface InputFile {
  readonly checkpoint: FileCheckpoint;
  readonly bytes: number;
  /** Reads what is not in the headers. @throws as `factsOf` */
  facts(): Promise<CheckpointFacts>;
  close(): Promise<void>;
}

/** Opens the file that is to be stored, by its headers. @throws as `openCheckpointFile` */
export async function openInput({ arriving, file, path, signal }: InputRequest): Promise<InputFile> {
  const source = await open({ arriving, file, path });
  const options = { file: path, ...(signal === undefined ? {} : { signal }) };
  try {
    const checkpoint = await readCheckpoint(source, { ...options, ref: { kind: 'file', path: file } });
    return {
      checkpoint,
      bytes: source.length,
      async facts() {
        // Values may be read as well, and not through the source.
        if (!isPlain(checkpoint)) await arriving?.until(source.length);
        return factsOf(source, checkpoint, options);
      },
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function open({ arriving, file, path }: Pick<InputRequest, 'file' | 'path'> & { readonly arriving: Arriving | undefined }): Promise<ByteSource> {
  if (arriving !== undefined) return openArriving(file, arriving);
  return openSource({ kind: 'file', path: file }).catch((error: unknown) => {
    throw CheckpointError.from(error).at({ file: path });
  });
}

/** Whether all that the facts need is beside the values. */
function isPlain({ format, groups, skipped }: FileCheckpoint): boolean {
  return format === 'safetensors' && skipped.length === 0 && groups.every(({ tiedTo }) => tiedTo === null);
}
