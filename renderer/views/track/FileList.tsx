import { Check, CircleAlert, Minus, X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { formatBytes } from '../../../shared/base/formatBytes';
import { ActionRow, RowMain } from '../../components/ActionRow';
import { classNames } from '../../components/classNames';
import { IconButton } from '../../components/IconButton';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { moveRow } from '../../components/moveRow';
import { useStores } from '../../state/storesContext';
import { fileName, type TrackFile } from '../../state/trackForm';
import styles from './FileList.module.css';

interface FileListProps {
  readonly files: readonly TrackFile[];
  readonly shown: string | null;
  readonly disabled: boolean;
  /** Whether something has to be decided before the file can be committed. */
  readonly needsAttention: (file: TrackFile) => boolean;
}

/** The files of a commit. One stop for Tab; the arrows move, Delete leaves a file out. */
export function FileList({ files, shown, disabled, needsAttention }: FileListProps) {
  const { track } = useStores();
  const list = useRef<HTMLUListElement>(null);
  const at = files.findIndex(({ source }) => source === shown);
  const show = (index: number) => {
    const file = files[index];
    if (file === undefined) return;
    track.getState().show(file.source);
    list.current?.querySelectorAll<HTMLElement>('button[aria-current], button[data-file]')[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Delete' && shown !== null && !disabled) {
      event.preventDefault();
      track.getState().remove(shown);
      return;
    }
    const target = moveRow(event.key, at, { count: files.length, page: 8 });
    if (target === null) return;
    event.preventDefault();
    show(target);
  };
  return (
    <ul ref={list} className={styles.list} aria-label="Files" onKeyDown={onKeyDown}>
      {files.map((file) => {
        const isShown = file.source === shown;
        const state = stateOf(file, needsAttention(file));
        return (
          <li key={file.source}>
            <ActionRow
              className={classNames(isShown && styles.shown)}
              action={
                <IconButton
                  label={`Leave ${fileName(file.source)} out`}
                  side="left"
                  tabIndex={isShown ? 0 : -1}
                  disabled={disabled}
                  icon={<X size={14} aria-hidden="true" />}
                  onClick={() => track.getState().remove(file.source)}
                />
              }
            >
              <RowMain
                data-file
                className={styles.file}
                tabIndex={isShown ? 0 : -1}
                aria-current={isShown ? 'true' : undefined}
                title={file.source}
                onClick={() => track.getState().show(file.source)}
              >
                <span className={classNames(styles.mark, styles[state.kind])}>
                  <state.Icon size={14} aria-hidden="true" />
                  <span className="visually-hidden">{state.word}: </span>
                </span>
                <MiddleEllipsis text={fileName(file.place === '' ? file.source : file.place)} className={styles.name ?? ''} />
                <span className={styles.size}>{formatBytes(file.candidate.bytes)}</span>
              </RowMain>
            </ActionRow>
          </li>
        );
      })}
    </ul>
  );
}

function stateOf(file: TrackFile, isWaitingForUser: boolean) {
  if (file.candidate.problem !== null) return { kind: 'bad', word: 'cannot be tracked', Icon: CircleAlert } as const;
  if (file.preview.kind === 'failed' || isWaitingForUser) return { kind: 'bad', word: 'needs attention', Icon: CircleAlert } as const;
  if (file.preview.kind === 'ready' && file.preview.value.unchanged) return { kind: 'same', word: 'unchanged', Icon: Minus } as const;
  return file.preview.kind === 'ready'
    ? ({ kind: 'good', word: 'ready', Icon: Check } as const)
    : ({ kind: 'waiting', word: 'being compared', Icon: Minus } as const);
}
