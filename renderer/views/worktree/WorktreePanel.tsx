import { Copy, Ellipsis, GitCommitHorizontal, TriangleAlert, Undo2 } from 'lucide-react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { WorkChange } from '../../../shared/contract/trackRequests';
import { ActionRow, RowLabel, RowMain } from '../../components/ActionRow';
import { Button } from '../../components/Button';
import { copyText } from '../../components/copyText';
import { ErrorNotice } from '../../components/ErrorNotice';
import { IconButton } from '../../components/IconButton';
import { Menu, type MenuItem } from '../../components/Menu';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { Section } from '../../components/Section';
import { SectionNote } from '../../components/SectionNote';
import { SkeletonRows } from '../../components/Skeleton';
import { TwoLines } from '../../components/TwoLines';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import { formatName } from '../../components/words';
import { commitChanges } from '../../state/commitChanges';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { changedPaths, isCommittable, isDiscardable, isStoredWhole } from '../../state/worktreeChanges';
import type { WorktreeStatus } from '../../state/worktreeStore';
import styles from './WorktreePanel.module.css';

const CLOSED = 'sidebar.closed.worktree';
/** Rows that are shown at once; a folder of unpacked runs may hold thousands. */
const MOST_ROWS = 100;

/** Checkpoints of the working tree that differ from HEAD, and those that git would store whole. */
export function WorktreePanel() {
  const { settings, worktree, workspace } = useStores();
  const isBare = useStore(workspace, (state) => latest(state.repository)?.bare !== false);
  const isClosed = useStore(settings, (state) => state.values[CLOSED] === true);
  const loaded = useStore(worktree, (state) => state.status);
  const status = latest(loaded);
  if (isBare) return null;
  return (
    <Section
      title="Working tree"
      {...(status === undefined ? {} : { count: status.changes.length })}
      open={!isClosed}
      onOpenChange={(open) => settings.getState().setValue(CLOSED, !open)}
    >
      {loaded.kind === 'failed' ? (
        <div className={styles.failure}>
          <ErrorNotice
            bare
            title="The working tree could not be read"
            error={loaded.error}
            action={<Button onClick={() => void worktree.getState().reload()}>Try again</Button>}
          />
        </div>
      ) : null}
      {status !== undefined ? <Changes status={status} /> : loaded.kind === 'failed' ? null : <SkeletonRows count={1} label="Reading the working tree" />}
    </Section>
  );
}

function Changes({ status }: { readonly status: WorktreeStatus }) {
  const stores = useStores();
  const { changes, obstacle } = status;
  const committable = changedPaths(changes);
  const discardable = changes.filter(isDiscardable).map(({ path }) => path);
  return (
    <>
      {obstacle === null ? null : (
        <p className={styles.warning} role="status">
          <TriangleAlert size={14} aria-hidden="true" />
          <span>
            {obstacle.message} {obstacle.hint ?? ''}
          </span>
        </p>
      )}
      {changes.length === 0 ? <SectionNote>No checkpoint differs from HEAD.</SectionNote> : null}
      <ul aria-label="Changed checkpoints" className={styles.list}>
        {changes.slice(0, MOST_ROWS).map((change) => (
          <ChangeRow key={change.path} change={change} />
        ))}
      </ul>
      {changes.length > MOST_ROWS ? <SectionNote>{formatCount(changes.length - MOST_ROWS)} more; “git status” lists them all.</SectionNote> : null}
      {committable.length + discardable.length === 0 ? null : (
        <div className={styles.actions}>
          <Button disabled={committable.length === 0} onClick={() => commitChanges(stores, committable)}>
            Commit changes…
          </Button>
          <Button look="quiet" disabled={discardable.length === 0} onClick={() => stores.worktree.getState().askDiscard(discardable)}>
            Discard…
          </Button>
        </div>
      )}
    </>
  );
}

function ChangeRow({ change }: { readonly change: WorkChange }) {
  const stores = useStores();
  const { path, kind } = change;
  const look = LOOKS[kind];
  const canOpen = isCommittable(change) || kind === 'untracked';
  const warning = warningOf(change);
  const facts = [formatName(change.format), ...(kind === 'deleted' ? [] : [formatBytes(change.bytes)]), ...(change.staged ? ['staged'] : [])];
  const items: MenuItem[] = [
    {
      id: 'commit',
      label: kind === 'untracked' ? 'Track…' : 'Preview and commit…',
      icon: <GitCommitHorizontal size={14} />,
      disabled: !canOpen,
      onSelect: () => commitChanges(stores, [path]),
    },
    {
      id: 'discard',
      label: kind === 'deleted' ? 'Restore…' : 'Discard changes…',
      icon: <Undo2 size={14} />,
      danger: true,
      disabled: !isDiscardable(change),
      onSelect: () => stores.worktree.getState().askDiscard([path]),
    },
    { id: 'copy', label: 'Copy path', icon: <Copy size={14} />, startsGroup: true, onSelect: () => void copyText(path) },
  ];
  const content = (
    <>
      <span className={styles.glyph} aria-hidden="true">
        <UpdateGlyph kind={look.glyph} />
      </span>
      <span className="visually-hidden">{look.word}: </span>
      <TwoLines
        facts={
          <>
            <span aria-hidden="true">{look.word} · </span>
            {facts.join(' · ')}
          </>
        }
      >
        <MiddleEllipsis text={path} className={styles.path ?? ''} />
      </TwoLines>
    </>
  );
  return (
    <li className={styles.item}>
      <ActionRow
        action={
          <Menu label={path} items={items} align="end">
            <IconButton label={`What to do with ${path}`} side="left" icon={<Ellipsis size={14} aria-hidden="true" />} />
          </Menu>
        }
      >
        {canOpen ? (
          <RowMain className={styles.open} onClick={() => commitChanges(stores, [path])}>
            {content}
          </RowMain>
        ) : (
          <RowLabel className={styles.open}>{content}</RowLabel>
        )}
      </ActionRow>
      {warning === null ? null : (
        <p className={styles.warning}>
          <TriangleAlert size={14} aria-hidden="true" />
          <span>
            {warning}{' '}
            {canOpen ? (
              <button type="button" className={styles.link} onClick={() => commitChanges(stores, [path])}>
                Track it
              </button>
            ) : null}
          </span>
        </p>
      )}
    </li>
  );
}

/** Glyphs as everywhere; a new file is not yet an addition to the history, but looks like the one it will be. */
const LOOKS: { readonly [K in WorkChange['kind']]: { readonly glyph: string; readonly word: string } } = {
  modified: { glyph: 'replaced', word: 'Modified' },
  added: { glyph: 'added', word: 'Added' },
  deleted: { glyph: 'removed', word: 'Deleted' },
  untracked: { glyph: 'other', word: 'Untracked' },
  conflict: { glyph: 'conflict', word: 'In conflict' },
};

function warningOf(change: WorkChange): string | null {
  if (change.kind === 'conflict')
    return 'A merge left both versions of it: “theta merge” decides between them, and it can be committed then. “git merge --abort” gives the merge up.';
  if (!isStoredWhole(change)) return null;
  if (change.kind === 'untracked') return '“git add” would store all of this file as a plain blob.';
  return 'Git stores all of this file with every change.';
}
