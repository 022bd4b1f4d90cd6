import { Box, Copy, Download } from 'lucide-react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { RepositoryDescription, TrackedCheckpoint } from '../../../shared/contract/requests';
import { headCommit } from '../../../shared/model/commit';
import { Badge } from '../../components/Badge';
import { copyText } from '../../components/copyText';
import { NavList } from '../../components/NavList';
import { SectionNote } from '../../components/SectionNote';
import { TwoLines } from '../../components/TwoLines';
import { formatName, storageName } from '../../components/words';
import { useStore, useStores } from '../../state/storesContext';
import styles from './CheckpointList.module.css';
import { splitPath } from './splitPath';

export function CheckpointList({ repository }: { readonly repository: RepositoryDescription }) {
  const { workspace } = useStores();
  const chosen = useStore(workspace, (state) => state.path);
  const { checkpoints } = repository;
  const head = headCommit(repository.head);
  if (checkpoints.length === 0) {
    return (
      <SectionNote>
        {repository.head.kind === 'unborn' ? 'This repository has no commits yet.' : 'No checkpoint was found at HEAD.'} Files of safetensors, PyTorch, NumPy
        (.npz), Flax and ONNX are recognised, and whatever git-theta tracks.
      </SectionNote>
    );
  }
  return (
    <NavList
      label="Checkpoints"
      tall
      items={checkpoints.map((checkpoint) => ({
        id: checkpoint.path,
        title: `${checkpoint.path}\n${storageName(checkpoint.storage).long}`,
        current: checkpoint.path === chosen,
        content: <CheckpointRow checkpoint={checkpoint} />,
        menu: [
          {
            id: 'export',
            label: 'Export the version at HEAD…',
            icon: <Download size={14} />,
            disabled: head === null,
            onSelect: () => {
              if (head !== null) workspace.getState().requestExport(head, checkpoint.path);
            },
          },
          { id: 'copy', label: 'Copy path', icon: <Copy size={14} />, startsGroup: true, onSelect: () => void copyText(checkpoint.path) },
        ],
        onChoose: () => workspace.getState().choosePath(checkpoint.path),
      }))}
    />
  );
}

function CheckpointRow({ checkpoint }: { readonly checkpoint: TrackedCheckpoint }) {
  const { folder, name } = splitPath(checkpoint.path);
  const facts = [
    formatName(checkpoint.format),
    storageName(checkpoint.storage).short,
    checkpoint.groups === null ? null : `${formatCount(checkpoint.groups)} ${checkpoint.groups === 1 ? 'group' : 'groups'}`,
    formatBytes(checkpoint.bytes),
  ];
  return (
    <>
      <Box size={16} aria-hidden="true" className={styles.icon} />
      <TwoLines facts={facts.filter((fact) => fact !== null).join(' · ')}>
        <span className={styles.line}>
          <span className={styles.path}>
            {folder === '' ? null : <bdi className={styles.folder}>{folder}</bdi>}
            <bdi className={styles.name}>{name}</bdi>
          </span>
          <StatusBadge status={checkpoint.status} />
        </span>
      </TwoLines>
    </>
  );
}

function StatusBadge({ status }: { readonly status: TrackedCheckpoint['status'] }) {
  switch (status) {
    case 'modified':
      return (
        <Badge tone="warning" title="The file in the working tree differs from HEAD">
          Modified
        </Badge>
      );
    case 'deleted':
      return (
        <Badge tone="danger" title="The file is gone from the working tree">
          Deleted
        </Badge>
      );
    case 'conflict':
      return (
        <Badge tone="danger" title="A merge left this file in conflict">
          Conflict
        </Badge>
      );
    case 'unmodified':
    case 'unknown':
      return null;
  }
}
