import type { CheckpointError } from '../../../../shared/contract/errors';
import type { Progress } from '../../../../shared/contract/frames';

/** An object by its pointer. */
export interface TransferObject {
  /** SHA-256 of the content, 64 lowercase hexadecimal digits. */
  readonly oid: string;
  readonly bytes: number;
}

export interface TransferOptions {
  /** Full name of the ref on the remote that the objects belong to, for servers that give rights by branch. */
  readonly ref?: string;
  readonly signal?: AbortSignal | undefined;
  /** Bytes done and to be done, of the objects that have to be moved. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface FailedTransfer {
  readonly object: TransferObject;
  readonly error: CheckpointError;
}

/** What became of every object that was asked for; each is in exactly one list. */
export interface TransferReport {
  readonly moved: readonly TransferObject[];
  /** There already. */
  readonly present: readonly TransferObject[];
  readonly failed: readonly FailedTransfer[];
}

/** A remote's object store, open in one direction. */
export interface Transfer {
  /** Address for messages, without user name and password. */
  readonly where: string;
  /** Moves objects, each verified against size and SHA-256. Failures of single objects are reported, all others thrown. */
  move(objects: readonly TransferObject[], options: TransferOptions): Promise<TransferReport>;
  close(): void;
}
