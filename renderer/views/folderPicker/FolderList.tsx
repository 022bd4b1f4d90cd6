import { FolderGit2, Folder as FolderIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Badge } from '../../components/Badge';
import { classNames } from '../../components/classNames';
import styles from './FolderList.module.css';
import { nextByPrefix } from './nextByPrefix';
import type { Folder } from './useFolder';

interface FolderListProps {
  readonly folder: Folder;
  readonly onEnter: (path: string) => void;
  /** A repository was chosen. */
  readonly onOpen: (path: string) => void;
  readonly onUp: () => void;
}

/** Folders as a list box: arrows, Home, End, letters; Enter goes into a folder and opens a repository; Backspace goes up. */
export function FolderList({ folder, onEnter, onOpen, onUp }: FolderListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const entries = folder.entries.filter((entry) => entry.kind !== 'file');
  const [active, setActive] = useState(0);
  const shownPath = useRef<string | null>(null);
  // The list stays where the keys are while the folders change; going up finds the folder that was left.
  useEffect(() => {
    const left = shownPath.current;
    if (left === folder.path) return;
    shownPath.current = folder.path;
    const from = folder.entries.filter((entry) => entry.kind !== 'file').findIndex((entry) => entry.path === left);
    setActive(Math.max(0, from));
    list.current?.children[Math.max(0, from)]?.scrollIntoView({ block: 'nearest' });
  }, [folder]);
  const choose = (index: number) => {
    const entry = entries[index];
    if (entry?.kind === 'repository') onOpen(entry.path);
    else if (entry !== undefined) onEnter(entry.path);
  };
  const moveTo = (index: number) => {
    const target = Math.max(0, Math.min(entries.length - 1, index));
    setActive(target);
    list.current?.children[target]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 10, PageUp: active - 10, Home: 0, End: entries.length - 1 }[event.key];
    if (row !== undefined) moveTo(row);
    else if (event.key === 'Enter' || event.key === 'ArrowRight') choose(active);
    else if (event.key === 'Backspace' || event.key === 'ArrowLeft') onUp();
    else if (event.key.length === 1 && event.key !== ' ') {
      const found = nextByPrefix(
        entries.map((entry) => entry.name),
        event.key,
        active,
      );
      if (found === null) return;
      moveTo(found);
    } else return;
    event.preventDefault();
  };
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      aria-label={entries.length === 0 ? `No folders in ${folder.path}` : `Folders in ${folder.path}`}
      aria-activedescendant={entries.length === 0 ? undefined : `${id}-${active}`}
      data-empty={entries.length === 0}
      className={styles.list}
      onKeyDown={onKeyDown}
    >
      {entries.map((entry, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys
        <div
          key={entry.path}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classNames(styles.item, index === active && styles.active)}
          onClick={() => setActive(index)}
          onDoubleClick={() => choose(index)}
        >
          {entry.kind === 'repository' ? <FolderGit2 size={16} aria-hidden="true" /> : <FolderIcon size={16} aria-hidden="true" />}
          <bdi className={styles.name}>{entry.name}</bdi>
          {entry.kind === 'repository' ? <Badge tone="accent">Repository</Badge> : null}
        </div>
      ))}
    </div>
  );
}
