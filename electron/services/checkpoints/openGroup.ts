import type { ErrorData } from '../../../shared/contract/errors';
import { tensorBytes } from '../../../shared/model/shape';
import type { FileGroup } from '../../formats/format';
import type { TensorPlan } from '../../updates/updateChain';
import type { OpenedGroup, OriginalFile } from './openedCheckpoint';

/**
 * A group of a version that is a file, or whose value lies in a file beside it.
 * @param files the version's own, when it is one, and those beside it by path
 */
export function openGroup(
  name: string,
  { keys, dtype, shape, data, tiedTo, external }: FileGroup,
  files: { readonly own: OriginalFile | null; readonly siblings: ReadonlyMap<string, OriginalFile> },
): OpenedGroup {
  const bytes = tensorBytes(dtype, shape);
  const plan: TensorPlan | ErrorData = 'source' in data ? { kind: 'ref', group: name, ref: data } : data;
  const error = 'source' in data ? null : data;
  const sibling = 'source' in data && data.source.kind === 'file' ? (files.siblings.get(data.source.path) ?? null) : null;
  return {
    keys,
    plan,
    original: external === undefined ? files.own : sibling,
    entry: null,
    group: { name, dtype, shape, bytes, updateType: null, storedBytes: tiedTo === null ? bytes : 0, oid: null, tiedTo, error },
    ...(external === undefined ? {} : { external }),
  };
}
