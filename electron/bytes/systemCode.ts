/** Code of a failed system call, or of another error of Node's (`ENOENT`, `ERR_WORKER_OUT_OF_MEMORY` ...); `null` when it has none. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
