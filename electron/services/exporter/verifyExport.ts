import { CheckpointError } from '../../../shared/contract/errors';
import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { formatShape, sameShape, tensorBytes } from '../../../shared/model/shape';
import type { CheckpointFormat, FileGroup } from '../../formats/format';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import type { WorkerPool } from '../../workers/workerPool';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import type { ExportProgress } from './exportProgress';
import type { GroupToExport } from './groupToExport';
import { placeInFile } from './placeInFile';
import { largestFirst } from './writeLayout';

export interface VerifyOptions {
  readonly groups: readonly GroupToExport[];
  /** SHA-256 of what was reconstructed, in the order of the groups. */
  readonly digests: readonly string[];
  /** Groups whose bytes were not written, by their index, and where they must be: of these, only that is checked. */
  readonly present?: ReadonlyMap<number, number> | undefined;
  readonly format: CheckpointFormat;
  readonly pool: WorkerPool;
  readonly signal: AbortSignal | undefined;
  readonly progress: ExportProgress;
}

/**
 * Reads a written file again, as any file that comes from outside, and compares every group with what was to be written: name, dtype,
 * shape, and the SHA-256 of its bytes.
 * @throws CheckpointError `internal` naming the first difference.
 */
export async function verifyExport(path: string, options: VerifyOptions): Promise<void> {
  const { groups, digests, format, pool, progress } = options;
  const checkpoint = await openCheckpointFile({ kind: 'file', path }, path, options.signal);
  if (checkpoint.format !== format.id) throw new CheckpointError('internal', `The file was written as ${format.label} but reads as ${checkpoint.format}.`);
  // What lies in other files was not written.
  const own = checkpoint.groups.filter(({ external }) => external === undefined);
  if (own.length !== groups.length) {
    throw new CheckpointError('internal', `The file was written with ${groups.length} parameter groups but reads with ${own.length}.`);
  }
  // Formats without nesting read back the joined name as their only key.
  const found = new Map<string, FileGroup>();
  for (const group of own) found.set(JSON.stringify(group.keys), group);
  const { controller, release } = linkedController(options.signal);

  async function verifyGroup(index: number): Promise<void> {
    const expected = groups[index];
    if (expected === undefined) return;
    const name = expected.keys.join('/');
    const group = found.get(JSON.stringify(expected.keys)) ?? found.get(JSON.stringify([name]));
    if (group === undefined) throw new CheckpointError('internal', `${name} is not in the file that was written.`, { place: { group: name } });
    if ('code' in group.data) throw CheckpointError.fromData(group.data).at({ group: name });
    if (!holds(group.dtype, expected.dtype) || !sameShape(group.shape, expected.shape)) {
      const [was, is] = [expected, group].map(({ dtype, shape }) => `${dtype} ${formatShape(shape)}`);
      throw new CheckpointError('internal', `${name} was written as ${was} but reads as ${is}.`, { place: { group: name } });
    }
    const part = progress.part();
    const offset = options.present?.get(index);
    if (offset !== undefined) {
      if (placeInFile(group.data, path) !== offset) throw new CheckpointError('internal', `${name} is not where it was left.`, { place: { group: name } });
      return part.end(tensorBytes(group.dtype, group.shape));
    }
    const plan = { kind: 'ref', group: name, ref: group.data } as const;
    const output = await pool.run('digest', { plan }, { signal: controller.signal, priority: 'background', onProgress: part.at });
    if (output.sha256 !== digests[index]) {
      throw new CheckpointError('internal', `The bytes of ${name} read back differently from what was written.`, {
        place: { group: name },
        hint: 'The disk or the memory of this machine may be failing.',
      });
    }
    part.end(output.bytes);
  }

  try {
    await forEachLimited(largestFirst(groups), verifyGroup, { limit: pool.size * 2, controller });
  } finally {
    release();
  }
}

/** A format that lacks a type keeps its bits in unsigned integers of the same size, which its notes say. */
function holds(found: DType, expected: DType): boolean {
  return found === expected || (dtypeKind(found) === 'uint' && dtypeBytes(found) === dtypeBytes(expected));
}
