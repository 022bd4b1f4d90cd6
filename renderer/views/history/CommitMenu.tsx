import { type MouseEvent, type ReactElement, useMemo, useState } from 'react';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { type CommitHash, isCommitHash } from '../../../shared/model/commit';
import { commitMenuItems } from '../../components/commitMenuItems';
import { ContextMenu } from '../../components/Menu';
import { commitActions } from '../../state/commitActions';
import { parentOf } from '../../state/compareActions';
import { useStore, useStores } from '../../state/storesContext';
import { rowId } from './CommitRow';

interface CommitMenuProps {
  readonly repository: RepositoryDescription;
  /** The list. */
  readonly children: ReactElement;
}

/** One menu for all rows: a right click selects its commit first; the menu key and Shift+F10 take the selected one. */
export function CommitMenu({ repository, children }: CommitMenuProps) {
  const stores = useStores();
  const selected = useStore(stores.workspace, (state) => state.commit);
  const marked = useStore(stores.compare, (state) => state.marked);
  const canCompare = useStore(stores.workspace, (state) => state.path !== null);
  const [previous, setPrevious] = useState<CommitHash | null>(null);
  const items = useMemo(
    () =>
      selected === null
        ? []
        : commitMenuItems(
            {
              commit: selected,
              refs: repository.refs,
              head: repository.head,
              bare: repository.bare,
              parent: parentOf(stores, selected),
              other: marked ?? previous,
              canCompare,
            },
            commitActions(stores),
          ),
    [selected, repository, stores, marked, previous, canCompare],
  );
  const prepare = (event: MouseEvent<HTMLDivElement>) => {
    const row = event.target instanceof Element ? event.target.closest('[role="row"][id^="commit-"]') : null;
    const hash = row?.id.slice(rowId('').length) ?? '';
    if (isCommitHash(hash)) {
      if (hash !== selected) setPrevious(selected);
      stores.workspace.getState().selectCommit(hash);
      return;
    }
    // From the keyboard the event is about the whole list: it is sent once more from the row it is meant for.
    const active = selected === null ? null : document.getElementById(rowId(selected));
    event.preventDefault();
    event.stopPropagation();
    if (active === null || event.button === 2) return;
    const { left, bottom } = active.getBoundingClientRect();
    active.dispatchEvent(new window.MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left + 48, clientY: bottom, button: 2 }));
  };
  return (
    <ContextMenu label="Commit" items={items}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what it holds has the focus and the keys */}
      <div style={{ height: '100%' }} onContextMenu={prepare}>
        {children}
      </div>
    </ContextMenu>
  );
}
