import { ChevronDown, ChevronUp } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { IconButton } from '../../components/IconButton';
import { SearchField } from '../../components/SearchField';
import type { HistorySearch } from '../../state/historySearch';
import { useStore, useStores } from '../../state/storesContext';
import styles from './HistoryView.module.css';

interface HistorySearchBarProps {
  /** Arrow down, or Escape in the empty box: back to the list. */
  readonly onLeave: () => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Finds commits by message, author, hash, and by the parameter names and update types that they changed. */
export function HistorySearchBar({ onLeave, ref }: HistorySearchBarProps) {
  const { history, workspace } = useStores();
  const search = useStore(history, (state) => state.search);
  const selected = useStore(workspace, (state) => state.commit);
  const { setSearch, stepSearch } = history.getState();

  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && search.found.length > 0) {
      event.preventDefault();
      stepSearch(event.shiftKey ? 'previous' : 'next');
    } else if (event.key === 'ArrowDown' || (event.key === 'Escape' && search.text === '')) {
      event.preventDefault();
      onLeave();
    }
  };
  return (
    <div className={styles.search}>
      <SearchField
        {...(ref === undefined ? {} : { ref })}
        label="Search history"
        placeholder="Message, author, hash, parameter or update type"
        value={search.text}
        onChange={setSearch}
        status={searchStatus(search, selected)}
        shortcut="/"
        onKeyDown={handleKey}
        className={styles.field ?? ''}
      />
      {search.found.length > 0 ? (
        <>
          <IconButton label="Previous match" shortcut="Shift+F3" icon={<ChevronUp size={16} />} onClick={() => stepSearch('previous')} />
          <IconButton label="Next match" shortcut="F3" icon={<ChevronDown size={16} />} onClick={() => stepSearch('next')} />
        </>
      ) : null}
    </div>
  );
}

/** `3 of 12`, `No match`, `Searching…`. */
export function searchStatus(search: HistorySearch, selected: string | null): string {
  switch (search.status) {
    case 'idle':
      return '';
    case 'searching':
      return 'Searching…';
    case 'failed':
      return search.error?.message ?? 'The search failed';
    case 'ready': {
      const total = search.found.length;
      if (total === 0) return 'No match';
      const more = search.truncated ? '+' : '';
      const place = search.found.findIndex((entry) => entry.commit === selected);
      if (place < 0) return `${formatCount(total)}${more} ${total === 1 ? 'match' : 'matches'}`;
      return `${formatCount(place + 1)} of ${formatCount(total)}${more}`;
    }
  }
}
