import type { RefInfo, RefKind } from '../../shared/model/commit';

const ORDER: Readonly<Record<RefKind, number>> = { branch: 0, 'remote-branch': 1, tag: 2 };

const FOLDERS: readonly (readonly [string, RefKind])[] = [
  ['refs/heads/', 'branch'],
  ['refs/remotes/', 'remote-branch'],
  ['refs/tags/', 'tag'],
];

/** By kind, then by name in code-unit order, whatever the language of the machine. */
export function compareRefs(a: RefInfo, b: RefInfo): number {
  return ORDER[a.kind] - ORDER[b.kind] || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Kind and short name of a full ref name; `null` for refs that are not shown (notes, stash, replace). */
export function classifyRef(fullName: string): { readonly kind: RefKind; readonly name: string } | null {
  for (const [folder, kind] of FOLDERS) {
    if (fullName.startsWith(folder) && fullName.length > folder.length) return { kind, name: fullName.slice(folder.length) };
  }
  return null;
}

/** Branch name that HEAD points at: short when it is a branch, full otherwise. */
export function shortHeadName(fullName: string): string {
  return fullName.startsWith('refs/heads/') ? fullName.slice('refs/heads/'.length) : fullName;
}
