import { Check, File as FileIcon, FolderGit2, Folder as FolderIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { formatBytes } from '../../../shared/base/formatBytes';
import { Badge } from '../../components/Badge';
import { classNames } from '../../components/classNames';
import styles from './FolderList.module.css';
import { nextByPrefix } from './nextByPrefix';
import type { Folder } from './useFolder';

interface FolderListProps {
  readonly folder: Folder;
  /** What is looked for: a repository is then opened, not gone into; files are shown only where files are wanted. */
  readonly wanted: 'repository' | 'folder' | 'files';
  /** Paths of the files that are ticked. */
  readonly ticked: ReadonlySet<string>;
  readonly onEnter: (path: string) => void;
  /** A repository or file was chosen. */
  readonly onOpen: (path: string) => void;
  readonly onTick: (path: string) => void;
  readonly onUp: () => void;
}

/**
 * Folders, and where they are wanted files, as a list box: arrows, Home, End, letters; Enter goes into a folder and takes a repository or file;
 * Space ticks a file; Backspace goes up.
 */
export function FolderList({ folder, wanted, ticked, onEnter, onOpen, onTick, onUp }: FolderListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const entries = shownEntries(folder, wanted);
  const [active, setActive] = useState(0);
  const shownPath = useRef<string | null>(null);
  // The list stays where the keys are while the folders change; going up finds the folder that was left.
  useEffect(() => {
    const left = shownPath.current;
    if (left === folder.path) return;
    shownPath.current = folder.path;
    const from = shownEntries(folder, wanted).findIndex((entry) => entry.path === left);
    setActive(Math.max(0, from));
    list.current?.children[Math.max(0, from)]?.scrollIntoView({ block: 'nearest' });
  }, [folder, wanted]);
  const choose = (index: number) => {
    const entry = entries[index];
    if (entry === undefined) return;
    if (entry.kind === 'file' || (entry.kind === 'repository' && wanted === 'repository')) onOpen(entry.path);
    else onEnter(entry.path);
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
    else if (event.key === ' ' && entries[active]?.kind === 'file') onTick(entries[active].path);
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
      aria-multiselectable={wanted === 'files'}
      aria-label={labelOf(folder, { wanted, isEmpty: entries.length === 0 })}
      aria-activedescendant={entries.length === 0 ? undefined : `${id}-${active}`}
      data-empty={entries.length === 0 ? wanted : undefined}
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
          aria-selected={wanted === 'files' ? ticked.has(entry.path) : index === active}
          className={classNames(styles.item, index === active && styles.active, ticked.has(entry.path) && styles.ticked)}
          onClick={() => {
            setActive(index);
            if (entry.kind === 'file') onTick(entry.path);
          }}
          onDoubleClick={() => choose(index)}
        >
          <EntryIcon kind={entry.kind} isTicked={ticked.has(entry.path)} />
          <bdi className={styles.name}>{entry.name}</bdi>
          {entry.kind === 'repository' ? <Badge tone="accent">Repository</Badge> : null}
          {entry.bytes === null ? null : <span className={styles.size}>{formatBytes(entry.bytes)}</span>}
        </div>
      ))}
    </div>
  );
}

function EntryIcon({ kind, isTicked }: { readonly kind: Folder['entries'][number]['kind']; readonly isTicked: boolean }) {
  if (isTicked) return <Check size={16} aria-hidden="true" className={styles.tick ?? ''} />;
  const Icon = kind === 'repository' ? FolderGit2 : kind === 'folder' ? FolderIcon : FileIcon;
  return <Icon size={16} aria-hidden="true" />;
}

function shownEntries(folder: Folder, wanted: FolderListProps['wanted']): Folder['entries'] {
  return wanted === 'files' ? folder.entries : folder.entries.filter((entry) => entry.kind !== 'file');
}

function labelOf({ path }: Folder, { wanted, isEmpty }: { readonly wanted: FolderListProps['wanted']; readonly isEmpty: boolean }): string {
  const what = wanted === 'files' ? 'folders and files' : 'folders';
  return isEmpty ? `No ${what} in ${path}` : `${what.charAt(0).toUpperCase()}${what.slice(1)} in ${path}`;
}
