import { Cloud, Copy, GitBranch, GitBranchPlus, GitCommitHorizontal, Tag } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { CommitHash, RefKind } from '../../../shared/model/commit';
import { Badge } from '../../components/Badge';
import { copyText } from '../../components/copyText';
import type { MenuItem } from '../../components/Menu';
import { NavList } from '../../components/NavList';
import { SearchField } from '../../components/SearchField';
import { chooseCommit } from '../../state/chooseCommit';
import { commitActions } from '../../state/commitActions';
import { useStore, useStores } from '../../state/storesContext';
import { FoldingSection } from './FoldingSection';
import styles from './RefList.module.css';
import { type RefRow, refRows, rowsInView } from './refRows';

/** More refs than this get a filter. */
const MANY = 12;

const ICONS = { branch: GitBranch, 'remote-branch': Cloud, tag: Tag, detached: GitCommitHorizontal } as const;

interface RefListProps {
  readonly repository: RepositoryDescription;
  readonly kind: RefKind;
  readonly title: string;
}

/** Branches or tags; choosing one selects its commit in the history. */
export function RefList({ repository, kind, title }: RefListProps) {
  const stores = useStores();
  const selected = useStore(stores.workspace, (state) => state.commit);
  const [filter, setFilter] = useState('');
  const rows = useMemo(() => refRows(repository, kind), [repository, kind]);
  const view = useMemo(() => rowsInView(rows, filter), [rows, filter]);
  if (rows.length === 0) return null;
  return (
    <FoldingSection id={kind} title={title} count={rows.length}>
      {rows.length <= MANY ? null : (
        <div className={styles.filter}>
          <SearchField label={`Filter ${title.toLowerCase()}`} value={filter} onChange={setFilter} />
        </div>
      )}
      <NavList
        label={title}
        items={view.rows.map((row) => ({
          id: row.name,
          title: row.commit === null ? row.name : `${row.name}\n${row.commit}`,
          current: row.commit !== null && row.commit === selected,
          content: <RefRowContent row={row} />,
          menu: [...refItems(row), ...copyItems(row)],
          onChoose: () => choose(row.commit),
        }))}
      />
      {view.hidden === 0 ? null : <p className={styles.more}>{formatCount(view.hidden)} more; filter by name to see them.</p>}
      {view.rows.length === 0 ? <p className={styles.more}>None has “{filter}” in its name.</p> : null}
    </FoldingSection>
  );

  function refItems(row: RefRow): MenuItem[] {
    const { commit, name } = row;
    if (commit === null) return [];
    const { createBranch, createTag, switchTo } = commitActions(stores);
    const items: MenuItem[] = [
      { id: 'new-branch', label: 'Create branch here…', icon: <GitBranchPlus size={14} />, onSelect: () => createBranch(commit) },
      { id: 'new-tag', label: 'Create tag here…', icon: <Tag size={14} />, onSelect: () => createTag(commit) },
    ];
    if (row.kind === 'branch' && !repository.bare) {
      items.unshift({ id: 'switch', label: 'Switch to this branch', icon: <GitBranch size={14} />, disabled: row.isHead, onSelect: () => switchTo(name) });
    }
    return items;
  }

  function choose(commit: CommitHash | null): void {
    if (commit !== null) chooseCommit(stores, commit);
  }
}

function copyItems({ name, commit }: RefRow): MenuItem[] {
  const items: MenuItem[] = [{ id: 'name', label: 'Copy name', icon: <Copy size={14} />, startsGroup: commit !== null, onSelect: () => void copyText(name) }];
  if (commit !== null) items.push({ id: 'commit', label: 'Copy commit hash', icon: <Copy size={14} />, onSelect: () => void copyText(commit) });
  return items;
}

function RefRowContent({ row }: { readonly row: RefRow }) {
  const Icon = ICONS[row.kind];
  return (
    <>
      <Icon size={14} aria-hidden="true" className={styles.icon} />
      <bdi className={row.isHead ? styles.head : styles.name}>{row.name}</bdi>
      {row.commit === null ? <span className={styles.note}>no commits yet</span> : null}
      {row.isHead ? (
        <Badge tone="accent" title="HEAD is here">
          HEAD
        </Badge>
      ) : null}
    </>
  );
}
