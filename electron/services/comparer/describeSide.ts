import type { SideDescription } from '../../../shared/model/comparison';
import { addBytes } from '../addBytes';
import type { ComparedCheckpoint } from './comparedCheckpoint';

/** What a side turned out to be, for people. */
export async function describeSide({ opened, repository, identity }: ComparedCheckpoint): Promise<SideDescription> {
  const { version, format, storage, groups } = opened;
  const bytes = [...groups.values()].reduce((sum, { group }) => (group.tiedTo === null ? addBytes(sum, group.bytes) : sum), 0);
  const { commit, path } = version;
  const at = commit === null ? '' : ` at ${commit.slice(0, 8)}`;
  const name = commit === null || repository === null ? null : await nameOf(repository, commit);
  const where = commit === null && repository !== null && identity !== null ? ' (working tree)' : '';
  return { label: `${path}${at}${name === null ? '' : ` (${name})`}${where}`, format, storage, groups: groups.size, bytes };
}

/** A branch or tag that ends at the commit. */
async function nameOf({ git }: NonNullable<ComparedCheckpoint['repository']>, commit: string): Promise<string | null> {
  const refs = await git.refs().catch(() => []);
  return refs.find((ref) => ref.commit === commit)?.name ?? null;
}
