import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import type { FileCheckpoint } from '../../formats/format';
import type { TensorPlan } from '../../updates/updateChain';

/** A group of the file that is to be stored. */
export interface SourceGroup {
  readonly name: string;
  readonly keys: readonly string[];
  readonly dtype: DType;
  readonly shape: Shape;
  readonly bytes: number;
  readonly plan: TensorPlan;
}

/**
 * The groups of a checkpoint file that lie in it, all readable and with names of their own: what cannot be read cannot be stored, and a version with holes is
 * worse than none.
 * @throws CheckpointError what is wrong with a group; invalid-request when two groups have the same joined name
 */
export function sourceGroups({ groups }: FileCheckpoint, file: string): readonly SourceGroup[] {
  const names = new Set<string>();
  // A filter sees one file: values that lie in others are no part of the version.
  const own = groups.filter(({ external }) => external === undefined);
  return own.map(({ keys, dtype, shape, data }) => {
    const name = keys.join('/');
    if ('code' in data) throw CheckpointError.fromData(data).at({ file, group: name });
    if (names.has(name)) {
      throw new CheckpointError('invalid-request', `Two parameter groups of the checkpoint have the joined name ${name}.`, { place: { file, group: name } });
    }
    names.add(name);
    return { name, keys, dtype, shape, bytes: tensorBytes(dtype, shape), plan: { kind: 'ref', group: name, ref: data } };
  });
}
