import { isCheckpointError } from '../../../shared/contract/errors';
import type { CheckpointFormat } from '../format';
import { groupBytes, readMemory } from './readBack';

/** For tests: every cut and flips spread over a file; each is either read, its tensors too, or ends in a CheckpointError. */
export async function fuzz(format: CheckpointFormat, file: Uint8Array, options: { readonly headerBytes: number }): Promise<{ read: number; refused: number }> {
  const counts = { read: 0, refused: 0 };
  const attempt = async (bytes: Uint8Array, what: string) => {
    try {
      for (const group of (await readMemory(format, bytes)).groups) await groupBytes(group);
      counts.read++;
    } catch (error) {
      if (!isCheckpointError(error) || error.code === 'internal') throw new Error(`${what}: ${String(error)}`, { cause: error });
      counts.refused++;
    }
  };
  const step = Math.max(1, Math.floor(options.headerBytes / 700));
  for (let cut = 0; cut < options.headerBytes; cut += step) await attempt(file.subarray(0, cut), `cut at ${cut}`);
  let state = 7;
  for (let at = 0; at < options.headerBytes; at += step) {
    for (const value of [0x00, 0xff, 0x80, -1]) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const bytes = Uint8Array.from(file);
      bytes[at] = value === -1 ? state >>> 24 : value;
      await attempt(bytes, `byte ${at} set to ${bytes[at]}`);
    }
  }
  return counts;
}
