import { Command } from 'cmdk';
import { Box, FolderGit2, GitBranch, GitCommitHorizontal, HardDrive, Search, Tag } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import type { SideName } from '../../state/compareStore';
import { baseName } from '../../state/describeChoice';
import { latest } from '../../state/loadable';
import type { SideChoice } from '../../state/sideChoice';
import { useStore, useStores } from '../../state/storesContext';
import styles from './SidePicker.module.css';
import { type SideEntry, sideSections } from './sideEntries';
import { useOtherSide } from './useOtherSide';
import { useRevisions } from './useRevisions';

interface SidePickerProps {
  readonly side: SideName;
  readonly onClose: () => void;
}

/** Chooses one side: by name or search in this repository, in another one, or a file. */
export function SidePicker({ side, onClose }: SidePickerProps) {
  const { compare, workspace } = useStores();
  const opened = useStore(workspace, (state) => latest(state.repository));
  const take = (choice: SideChoice) => {
    compare.getState().setSide(side, choice);
    onClose();
  };
  const other = useOtherSide(take);
  const repository = other.repository ?? opened;
  const letter = side.toUpperCase();
  return (
    <Dialog
      open
      onClose={onClose}
      title={other.repository === null ? `Choose side ${letter}` : `Choose side ${letter} in ${baseName(other.repository.path)}`}
      footer={
        <>
          <span className={styles.more}>
            <Button icon={<HardDrive size={14} />} onClick={() => void other.chooseFile()}>
              A file…
            </Button>
            {other.repository === null ? (
              <Button icon={<FolderGit2 size={14} />} onClick={() => void other.chooseRepository()}>
                Another repository…
              </Button>
            ) : (
              <Button onClick={other.leave}>Back to this repository</Button>
            )}
          </span>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      {other.error === null ? null : (
        <div className={styles.failure}>
          <ErrorNotice bare title="It could not be opened" error={other.error} />
        </div>
      )}
      {repository === undefined ? null : (
        <Versions key={repository.id} repository={repository} isOther={other.repository !== null} side={side} onChoose={take} />
      )}
    </Dialog>
  );
}

interface VersionsProps {
  readonly repository: RepositoryDescription;
  readonly isOther: boolean;
  readonly side: SideName;
  readonly onChoose: (choice: SideChoice) => void;
}

function Versions({ repository, isOther, side, onChoose }: VersionsProps) {
  const { compare, workspace } = useStores();
  const [text, setText] = useState('');
  const asked = useDeferredValue(text);
  const found = useRevisions(repository, asked);
  const chosen = useStore(compare, (state) => state[side] ?? state[side === 'a' ? 'b' : 'a']);
  const current = useStore(workspace, (state) => state.path);
  const path = pathIn(repository, { isOther, wishes: [chosen !== null && chosen.kind !== 'file' ? chosen.path : null, current] });
  const sections = useMemo(() => sideSections({ repository, ...found }, asked), [repository, found, asked]);
  const entries = sections.flatMap((section) => section.entries);
  const [picked, setPicked] = useState('');
  const selected = entries.find(({ id }) => id === picked) ?? entries[0];

  const choose = (entry: SideEntry) => {
    if (path === null) return;
    const folder = isOther ? repository.path : null;
    onChoose(
      entry.revision === null ? { kind: 'worktree', repository: folder, path } : { kind: 'revision', repository: folder, revision: entry.revision, path },
    );
  };
  return (
    <Command label="Versions" shouldFilter={false} loop value={selected?.id ?? ''} onValueChange={setPicked} className={styles.picker}>
      <div className={styles.inputLine}>
        <Search size={16} aria-hidden="true" className={styles.icon} />
        <Command.Input
          value={text}
          onValueChange={setText}
          className={styles.input}
          aria-label="Branch, tag, commit or revision"
          placeholder="Branch, tag, commit, or a revision such as HEAD~2"
        />
      </div>
      <Command.List className={styles.list} label="Versions">
        <Command.Empty className={styles.empty}>{found.isSearching ? 'Searching…' : `Nothing is called “${asked}”.`}</Command.Empty>
        {path === null ? <p className={styles.empty}>There is no checkpoint in this repository.</p> : null}
        {sections.map(({ title, entries: some }) => (
          <Command.Group key={title} heading={title} className={styles.group}>
            {some.map((entry) => (
              <Command.Item key={entry.id} value={entry.id} disabled={path === null} onSelect={() => choose(entry)} className={styles.item}>
                <span className={styles.icon} aria-hidden="true">
                  {ICONS[entry.kind]}
                </span>
                <bdi className={styles.text} title={entry.text}>
                  {entry.text}
                </bdi>
                <span className={styles.note}>{entry.note}</span>
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

const ICONS: Readonly<Record<SideEntry['kind'], ReactNode>> = {
  head: <GitCommitHorizontal size={14} />,
  worktree: <Box size={14} />,
  branch: <GitBranch size={14} />,
  tag: <Tag size={14} />,
  commit: <GitCommitHorizontal size={14} />,
};

/** What was chosen before stays, also when HEAD does not have it any more; in another repository only when it has it too. */
function pathIn(
  { checkpoints }: RepositoryDescription,
  { isOther, wishes }: { readonly isOther: boolean; readonly wishes: readonly (string | null)[] },
): string | null {
  const known = checkpoints.map(({ path }) => path);
  return wishes.find((path) => path !== null && (!isOther || known.includes(path))) ?? known[0] ?? null;
}
