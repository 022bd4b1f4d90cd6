import { stat } from 'node:fs/promises';
import { fileError } from './fileError';

export interface FileIdentity {
  /** Device, inode, size and time of change: another text when the file is written or replaced. Never to be kept on disk. */
  readonly identity: string;
  readonly bytes: number;
}

/** Which file stands at a path now. @throws CheckpointError not-found, permission, invalid-request */
export async function fileIdentity(path: string): Promise<FileIdentity> {
  const info = await stat(path, { bigint: true }).catch((error: unknown) => {
    throw fileError(error, path);
  });
  return { identity: `${info.dev}:${info.ino}:${info.size}:${info.mtimeNs}:${info.ctimeNs}`, bytes: Number(info.size) };
}
