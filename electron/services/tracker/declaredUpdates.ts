import { CheckpointError } from '../../../shared/contract/errors';
import type { UpdateChoice } from '../../../shared/model/track';
import { type GitThetaKind, isUpdateKind } from '../../../shared/model/update';
import type { FileCheckpoint } from '../../formats/format';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import type { DeclaredMember } from '../../updates/store/storeRequest';

/** Members that an update file names for each update type (git-theta's own names). */
const MEMBERS: { readonly [K in Exclude<GitThetaKind, 'dense'>]: readonly string[] } = {
  sparse: ['data', 'indices', 'indptr', 'shape'],
  'low-rank': ['R', 'C'],
  ia3: ['ia3'],
};
/** Metadata key `<group>/update_type`, or `update_type` for all groups of the file. */
const TYPE_KEY = 'update_type';

export interface DeclaredUpdate {
  readonly kind: Exclude<GitThetaKind, 'dense'>;
  readonly members: readonly DeclaredMember[];
}

/**
 * Reads a file of side-loaded updates: tensors named `<group>/<member>`. The members tell the update type; where the file's metadata or the user
 * names one it must be that one.
 * @param groups joined names of the checkpoint's groups
 * @throws CheckpointError invalid-request for a name that is no group's, for members that do not make an update, for another type than asked
 */
export async function readDeclaredUpdates(
  file: string,
  groups: ReadonlySet<string>,
  options: { readonly choice: UpdateChoice; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, DeclaredUpdate>> {
  const read = await openCheckpointFile({ kind: 'file', path: file }, file, options.signal);
  const byGroup = collectMembers(read, groups, file);
  const types = new Map(read.metadata.map(({ key, value }) => [key, value]));
  const updates = new Map<string, DeclaredUpdate>();
  for (const [group, members] of byGroup) {
    const kind = kindOf(members, { group, file });
    const asked = types.get(`${group}/${TYPE_KEY}`) ?? types.get(TYPE_KEY) ?? (options.choice === 'auto' ? kind : options.choice);
    if (!isUpdateKind(asked)) throw refused(`The update file asks for the type ${JSON.stringify(asked.slice(0, 80))}, which is none.`, { group, file });
    if (asked !== kind) throw refused(`The update data of ${group} is a ${kind} update (${[...members.keys()].join(', ')}), not ${asked}.`, { group, file });
    const ordered = MEMBERS[kind].flatMap((name) => members.get(name) ?? []);
    updates.set(group, { kind, members: ordered });
  }
  if (updates.size === 0) throw refused('The update file holds no tensors.', { file });
  return updates;
}

type Members = Map<string, DeclaredMember>;

function collectMembers(read: FileCheckpoint, groups: ReadonlySet<string>, file: string): ReadonlyMap<string, Members> {
  const byGroup = new Map<string, Members>();
  for (const { keys, data } of read.groups) {
    const name = keys.join('/');
    const cut = name.lastIndexOf('/');
    const group = name.slice(0, Math.max(0, cut));
    if (cut <= 0 || !groups.has(group)) {
      throw new CheckpointError('invalid-request', `${name} belongs to no parameter group of the checkpoint.`, {
        place: { file, group: name },
        hint: 'Update data is named by the group and the member: "layer.weight/R" and "layer.weight/C", "layer.weight/ia3", or "layer.weight/data", "/indices", "/indptr" and "/shape".',
      });
    }
    if ('code' in data) throw CheckpointError.fromData(data).at({ file, group: name });
    const members = byGroup.get(group) ?? new Map<string, DeclaredMember>();
    byGroup.set(group, members);
    members.set(name.slice(cut + 1), { member: name.slice(cut + 1), plan: { kind: 'ref', group: name, ref: data } });
  }
  return byGroup;
}

function kindOf(members: Members, place: { readonly group: string; readonly file: string }): Exclude<GitThetaKind, 'dense'> {
  const names = [...members.keys()];
  for (const kind of ['sparse', 'low-rank', 'ia3'] as const) {
    const wanted = MEMBERS[kind];
    if (wanted.length === names.length && wanted.every((name) => members.has(name))) return kind;
  }
  throw refused(
    `The update data of ${place.group} has the members ${names.join(', ')}; an update needs data, indices, indptr and shape (sparse), R and C (low-rank), or ia3.`,
    place,
  );
}

function refused(message: string, place: { readonly group?: string; readonly file: string }): CheckpointError {
  return new CheckpointError('invalid-request', message, { place });
}
