import { CircleAlert, CornerDownRight } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { NameProposal } from '../../../shared/model/graphEdit';
import { classNames } from '../../components/classNames';
import { GridRow } from '../../components/GridRow';
import { gridCell } from '../../components/gridRoles';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import type { DraftName } from '../../state/renameDraft';
import { useStores } from '../../state/storesContext';
import styles from './NamesTable.module.css';
import { type NameRow, originWords } from './nameRows';

interface NamesRowProps {
  readonly row: NameRow;
  /** Graphs of the model: of several it is said which. */
  readonly scopes: number;
  readonly draft: DraftName | null;
  readonly proposal: NameProposal | null;
  readonly preview: string | null;
  readonly problems: readonly string[];
  readonly id: string;
  readonly rowIndex: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isEditing: boolean;
  readonly onToggle: (withRange: boolean) => void;
  readonly onActive: () => void;
  readonly onEdit: () => void;
  /** `null`: the name stays as it was. Then the row before or after is gone to. */
  readonly onFinish: (text: string | null, move: 0 | 1 | -1) => void;
  readonly onReader: () => void;
}

/** One initializer: its names, and what is known of it. */
export function NamesRow(props: NamesRowProps) {
  const { row, scopes, draft, proposal, preview, problems, id, rowIndex, top, isActive, isSelected, isEditing } = props;
  const { onToggle, onActive, onEdit, onFinish, onReader } = props;
  const { graphEdit } = useStores();
  const { address, type, bytes, uses, readerText } = row;
  const shownName = address.name === '' ? '(no name)' : address.name;
  const isOpen = proposal !== null && proposal.to !== draft?.to && proposal.to !== address.name;
  return (
    <GridRow
      id={id}
      top={top}
      isActive={isActive}
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      className={classNames(styles.row, isSelected && styles.selected)}
      onClick={onActive}
      onDoubleClick={(event) => {
        // Buttons and the field have a meaning of their own.
        if (!isEditing && event.target instanceof Element && event.target.closest('button, input') === null) onEdit();
      }}
    >
      <div {...gridCell} className={styles.check}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${shownName}`}
          checked={isSelected}
          onChange={() => undefined}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(event.shiftKey);
          }}
        />
      </div>
      <div {...gridCell} className={classNames(styles.cell, styles.name)}>
        <MiddleEllipsis text={shownName} className={styles.mono ?? ''} title={address.graph === '' ? shownName : `${shownName}, in graph ${address.graph}`} />
        {scopes > 1 && address.graph !== '' ? <bdi className={styles.scope}>{address.graph}</bdi> : null}
      </div>
      <div {...gridCell} className={classNames(styles.cell, styles.type, styles.mono)} title={type}>
        {type}
      </div>
      <div {...gridCell} className={classNames(styles.cell, styles.bytes, styles.mono)} title={`${formatCount(bytes)} bytes`}>
        {formatBytes(bytes)}
      </div>
      <div {...gridCell} className={classNames(styles.cell, styles.uses)}>
        {row.reader === null ? (
          <span className={styles.quiet}>{uses === 0 ? 'nothing' : `${uses} in other graphs`}</span>
        ) : (
          <button type="button" tabIndex={-1} className={styles.link} title={`Show ${readerText} in the graph`} onClick={onReader}>
            <bdi>{readerText}</bdi>
            {uses > 1 ? <span className={styles.quiet}> +{formatCount(uses - 1)}</span> : null}
          </button>
        )}
      </div>
      <div {...gridCell} className={classNames(styles.cell, styles.newName, problems.length > 0 && styles.wrong)}>
        {isEditing ? (
          <NameField label={`New name of ${shownName}`} start={draft?.to ?? address.name} onFinish={onFinish} />
        ) : preview !== null ? (
          <MiddleEllipsis text={preview === '' ? '(empty)' : preview} className={classNames(styles.mono, styles.preview)} />
        ) : draft === null ? null : (
          <>
            {problems.length > 0 ? <CircleAlert size={12} aria-label="Conflict" className={styles.alert} /> : null}
            <MiddleEllipsis text={draft.to} className={classNames(styles.mono, styles.changed)} />
          </>
        )}
      </div>
      <div {...gridCell} className={classNames(styles.cell, styles.proposal)}>
        {proposal === null ? null : isOpen ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.accept}
            title={`Take ${proposal.to}`}
            aria-label={`Take ${proposal.to} for ${shownName}`}
            onClick={(event) => {
              event.stopPropagation();
              onActive();
              graphEdit.getState().accept([row.key]);
            }}
          >
            <CornerDownRight size={12} aria-hidden="true" />
            <MiddleEllipsis text={proposal.to} className={styles.mono ?? ''} title={`Take ${proposal.to}`} />
          </button>
        ) : (
          <span className={styles.quiet}>taken</span>
        )}
      </div>
      <Why draft={draft} proposal={proposal} problems={problems} />
    </GridRow>
  );
}

function Why({ draft, proposal, problems }: Pick<NamesRowProps, 'draft' | 'proposal' | 'problems'>) {
  const text = whyText({ draft, proposal, problems });
  return (
    <div {...gridCell} className={classNames(styles.cell, styles.why, problems.length > 0 && styles.problem)} title={text}>
      {text}
    </div>
  );
}

/** Why a name cannot be had, else where it comes from. */
export function whyText({ draft, proposal, problems }: Pick<NamesRowProps, 'draft' | 'proposal' | 'problems'>): string {
  if (problems.length > 0) return problems.join(' ');
  if (proposal !== null && (draft === null || draft.to === proposal.to)) return `${originWords(proposal.source)}: ${proposal.reason}`;
  if (draft === null) return '';
  return draft.reason === '' ? originWords(draft.origin) : `${originWords(draft.origin)}: ${draft.reason}`;
}

interface NameFieldProps {
  readonly label: string;
  readonly start: string;
  readonly onFinish: NamesRowProps['onFinish'];
}

/** Enter takes the name and goes on below, Tab takes it, Escape leaves it; so does leaving the field by the mouse, which takes it. */
function NameField({ label, start, onFinish }: NameFieldProps) {
  const [text, setText] = useState(start);
  const isDone = useRef(false);
  const end = (value: string | null, move: 0 | 1 | -1) => {
    if (isDone.current) return;
    isDone.current = true;
    onFinish(value, move);
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') end(text, event.shiftKey ? -1 : 1);
    else if (event.key === 'Tab') end(text, 0);
    else if (event.key === 'Escape') end(null, 0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <input
      className={styles.field}
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      dir="auto"
      ref={(field) => {
        if (field !== null && document.activeElement !== field) {
          field.focus();
          field.select();
        }
      }}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={handleKey}
      onBlur={() => end(text, 0)}
    />
  );
}
