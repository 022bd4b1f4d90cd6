import { Download, GitCompareArrows } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { CheckpointWithChanges } from '../../../shared/model/checkpoint';
import { sumGroups } from '../../charts/treeRows';
import { Badge } from '../../components/Badge';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { classNames } from '../../components/classNames';
import { EmptyState } from '../../components/EmptyState';
import { IconButton } from '../../components/IconButton';
import { SearchField } from '../../components/SearchField';
import { compareWithParent } from '../../state/compareActions';
import { useStore, useStores } from '../../state/storesContext';
import styles from './CheckpointGroups.module.css';
import { newBytes, summarise } from './describeGroup';
import { Fold } from './Fold';
import { filterGroups } from './filterGroups';
import { GroupTree } from './GroupTree';

interface CheckpointGroupsProps {
  readonly value: CheckpointWithChanges;
  /** What is shown belongs to another version; the wanted one is loading. */
  readonly isStale: boolean;
  readonly path: string;
  readonly onOpenGroup: () => void;
}

const FORMAT_NAMES = { safetensors: 'safetensors', pytorch: 'PyTorch', npz: 'npz', onnx: 'ONNX', flax: 'Flax', unknown: 'unknown format' } as const;
const STORAGE_NAMES = { theta: 'git-theta', lfs: 'Git LFS', blob: 'plain file', file: 'file' } as const;

const MOST_ENTRIES = 500;

/** The groups of a version: summary, filter, tree, and what the file holds besides. */
export function CheckpointGroups({ value, isStale, path, onOpenGroup }: CheckpointGroupsProps) {
  const stores = useStores();
  const { workspace, settings } = stores;
  const selected = useStore(workspace, (state) => state.group);
  const changedOnly = useStore(settings, (state) => state.values['parameters.changedOnly'] === true);
  const [text, setText] = useState('');
  const shownText = useDeferredValue(text);
  const field = useRef<HTMLInputElement>(null);

  const { checkpoint, groups, parent } = value;
  const totals = useMemo(() => sumGroups(groups), [groups]);
  const shown = useMemo(() => filterGroups(groups, { text: shownText, changedOnly }), [groups, shownText, changedOnly]);
  const isFiltered = shownText.trim() !== '' || changedOnly;
  const storedBytes = useMemo(() => (checkpoint.storage === 'theta' ? newBytes(groups) : null), [checkpoint.storage, groups]);
  const broken = useMemo(() => groups.filter((entry) => entry.group.error !== null).length, [groups]);
  const summary = summarise(totals, { hasParent: parent !== null, storedBytes });

  return (
    <div className={classNames(styles.box, isStale && styles.stale)} aria-busy={isStale}>
      <div className={styles.top}>
        <div className={styles.about}>
          <div className={styles.file}>
            <h3 className={styles.path} title={path}>
              <bdi>{path}</bdi>
            </h3>
            <Badge>{FORMAT_NAMES[checkpoint.format]}</Badge>
            <Badge title="How the checkpoint is kept in git">{STORAGE_NAMES[checkpoint.storage]}</Badge>
          </div>
          <p className={styles.summary}>
            {summary}
            {broken > 0 ? <span className={styles.broken}>{` · ${formatCount(broken)} cannot be read`}</span> : null}
          </p>
        </div>
        {parent === null || parent.commit === null ? null : (
          <IconButton
            label="Compare with parent"
            icon={<GitCompareArrows size={16} aria-hidden="true" />}
            disabled={isStale}
            onClick={() => {
              const { commit } = checkpoint.version;
              if (commit !== null && parent.commit !== null) compareWithParent(stores, { commit, parent: parent.commit });
            }}
          />
        )}
        <Button
          icon={<Download size={14} />}
          shortcut="Mod+E"
          disabled={isStale || checkpoint.version.commit === null}
          onClick={() => {
            const { commit } = checkpoint.version;
            if (commit !== null) workspace.getState().requestExport(commit, path);
          }}
        >
          Export…
        </Button>
      </div>
      <div className={styles.filter}>
        <SearchField
          ref={field}
          label="Filter parameter groups"
          placeholder="Filter by name, type, shape or update"
          value={text}
          onChange={setText}
          status={isFiltered ? `${formatCount(shown.length)} of ${formatCount(groups.length)}` : ''}
          className={styles.field ?? ''}
        />
        <Checkbox label="Changed only" checked={changedOnly} onChange={(checked) => settings.getState().setValue('parameters.changedOnly', checked)} />
      </div>
      <div className={styles.tree}>
        {shown.length > 0 ? (
          <GroupTree
            key={path}
            groups={shown}
            isFiltered={isFiltered}
            selected={selected}
            onSelect={(group) => workspace.getState().selectGroup(group)}
            onOpen={onOpenGroup}
          />
        ) : groups.length === 0 ? (
          <EmptyState title="No parameter groups" text="The file holds no tensors that Theta Desktop reads." />
        ) : shownText.trim() === '' ? (
          <EmptyState title="No group changed" text="This commit leaves every parameter group as it was in its first parent." />
        ) : (
          <EmptyState title="No group fits the filter" action={<Button onClick={() => setText('')}>Clear the filter</Button>} />
        )}
      </div>
      {checkpoint.skipped.length === 0 && checkpoint.metadata.length === 0 ? null : (
        <div className={styles.folds}>
          {checkpoint.skipped.length === 0 ? null : (
            <Fold title="Skipped entries" count={checkpoint.skipped.length}>
              <Entries entries={checkpoint.skipped.map(({ name, reason }) => ({ name, text: reason }))} />
            </Fold>
          )}
          {checkpoint.metadata.length === 0 ? null : (
            <Fold title="Metadata" count={checkpoint.metadata.length}>
              <Entries entries={checkpoint.metadata.map(({ key, value: text }) => ({ name: key, text }))} />
            </Fold>
          )}
        </div>
      )}
    </div>
  );
}

/** Names with a text each; a hostile file may hold very many, so the rest is only counted. */
function Entries({ entries }: { readonly entries: readonly { readonly name: string; readonly text: string }[] }) {
  const shown = entries.slice(0, MOST_ENTRIES);
  return (
    <dl className={styles.list}>
      {shown.map(({ name, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the entries of a version never change
        <div key={index}>
          <dt>
            <bdi>{name === '' ? '(no name)' : name}</bdi>
          </dt>
          <dd>
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
      {entries.length > shown.length ? <div className={styles.more}>and {formatCount(entries.length - shown.length)} more</div> : null}
    </dl>
  );
}
