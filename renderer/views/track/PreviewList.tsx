import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { PreviewGroup } from '../../../shared/contract/trackRequests';
import { formatShape } from '../../../shared/model/shape';
import { classNames } from '../../components/classNames';
import { asksToCopy, copyText } from '../../components/copyText';
import { Grid } from '../../components/Grid';
import { GridHead, GridRow } from '../../components/GridRow';
import { gridCell } from '../../components/gridRoles';
import { ROW_HEIGHT, rowsOfPage, showRow } from '../../components/gridRows';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { moveRow } from '../../components/moveRow';
import { NameCell, ParameterHeads, SizeCell, SizeHead, TensorCells } from '../../components/ParameterCells';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import { updateLook } from '../../components/updateLook';
import styles from './PreviewList.module.css';
import { lookOf } from './previewRows';

const WORDS: { readonly [K in PreviewGroup['change']]: string } = {
  added: 'Added',
  removed: 'Removed',
  renamed: 'Renamed',
  modified: 'Modified',
  unchanged: 'Unchanged',
};

interface PreviewListProps {
  readonly groups: readonly PreviewGroup[];
  readonly label: string;
}

/** What would be stored, group by group: draws only what is in view. The grid has the focus; the arrows move its active row. */
export function PreviewList({ groups, label }: PreviewListProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtual = useVirtualizer({ count: groups.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 10 });
  const current = Math.min(active, groups.length - 1);
  const items = virtual.getVirtualItems();
  const isInView = items.some((item) => item.index === current);

  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const group = groups[current];
    if (group !== undefined && asksToCopy(event)) {
      event.preventDefault();
      void copyText(group.name);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = moveRow(event.key, current, { count: groups.length, page: rowsOfPage(scroller.current) });
    if (target === null) return;
    event.preventDefault();
    setActive(target);
    showRow(scroller.current, target);
  };

  return (
    <Grid
      ref={scroller}
      label={label}
      rowCount={groups.length}
      activeId={isInView ? `${id}-${current}` : null}
      className={styles.grid}
      onKeyDown={handleKey}
      head={<ColumnHeads />}
      bodyHeight={virtual.getTotalSize()}
    >
      {items.map((item) => {
        const group = groups[item.index];
        if (group === undefined) return null;
        return (
          <GridRow
            key={item.key}
            id={`${id}-${item.index}`}
            aria-rowindex={item.index + 2}
            aria-level={1}
            aria-label={describeRow(group)}
            aria-selected={item.index === current}
            top={item.start}
            isActive={item.index === current}
            className={classNames(styles.row, styles[group.change])}
            onClick={() => setActive(item.index)}
          >
            <Cells group={group} />
          </GridRow>
        );
      })}
    </Grid>
  );
}

function ColumnHeads() {
  return (
    <GridHead className={styles.head}>
      <ParameterHeads columns={styles} name="Parameter group" />
      <SizeHead className={styles.size} title="Bytes that this version adds to the store">
        Adds
      </SizeHead>
    </GridHead>
  );
}

function Cells({ group }: { readonly group: PreviewGroup }) {
  const notes = group.notes.join('\n');
  return (
    <>
      <NameCell className={styles.name}>
        <UpdateGlyph kind={lookOf(group)} size={11} />
        <MiddleEllipsis text={group.name === '' ? '(no name)' : group.name} className={styles.label ?? ''} />
      </NameCell>
      <div {...gridCell} className={styles.change} title={group.from === undefined ? undefined : `Renamed from ${group.from}`}>
        {WORDS[group.change]}
      </div>
      <div {...gridCell} className={styles.update} title={notes === '' ? undefined : notes}>
        {group.updateType === null ? '–' : <UpdateGlyph kind={group.updateType} showLabel size={11} />}
        {notes === '' ? null : <span className={styles.note}>*</span>}
      </div>
      <TensorCells columns={styles} group={group} />
      <SizeCell className={styles.size} title={`${formatCount(group.addedBytes)} bytes`}>
        {group.addedBytes === 0 ? '–' : formatBytes(group.addedBytes)}
      </SizeCell>
    </>
  );
}

/** A row in words: `fc1.weight, modified, sparse, float32, 64 × 3, adds 1.20 kB`. */
function describeRow(group: PreviewGroup): string {
  const from = group.from === undefined ? '' : ` from ${group.from}`;
  const parts = [group.name === '' ? '(no name)' : group.name, `${WORDS[group.change].toLowerCase()}${from}`];
  if (group.updateType !== null) parts.push(updateLook(group.updateType).label.toLowerCase());
  parts.push(group.dtype, formatShape(group.shape), group.addedBytes === 0 ? 'adds nothing' : `adds ${formatBytes(group.addedBytes)}`, ...group.notes);
  return parts.join(', ');
}
