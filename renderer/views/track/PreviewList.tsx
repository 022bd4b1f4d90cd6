import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { PreviewGroup } from '../../../shared/contract/trackRequests';
import { formatShape } from '../../../shared/model/shape';
import { classNames } from '../../components/classNames';
import { copyText } from '../../components/copyText';
import { GridRow } from '../../components/GridRow';
import { gridCell, gridHeader, gridRows } from '../../components/gridRoles';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { moveRow } from '../../components/moveRow';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import { updateLook } from '../../components/updateLook';
import styles from './PreviewList.module.css';
import { lookOf } from './previewRows';

const ROW = 28;
const WORDS: { readonly [K in PreviewGroup['change']]: string } = { added: 'Added', removed: 'Removed', modified: 'Modified', unchanged: 'Unchanged' };

interface PreviewListProps {
  readonly groups: readonly PreviewGroup[];
  readonly label: string;
}

/** What would be stored, group by group: draws only what is in view. The grid has the focus; the arrows move its active row. */
export function PreviewList({ groups, label }: PreviewListProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtual = useVirtualizer({ count: groups.length, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 10 });
  const current = Math.min(active, groups.length - 1);
  const items = virtual.getVirtualItems();
  const isInView = items.some((item) => item.index === current);

  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const group = groups[current];
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && group !== undefined && window.getSelection()?.isCollapsed !== false) {
      event.preventDefault();
      void copyText(group.name);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW) - 2);
    const target = moveRow(event.key, current, { count: groups.length, page });
    if (target === null) return;
    event.preventDefault();
    setActive(target);
    showRow(scroller.current, target);
  };

  return (
    <div
      ref={scroller}
      role="treegrid"
      aria-label={label}
      aria-rowcount={groups.length + 1}
      {...(isInView ? { 'aria-activedescendant': `${id}-${current}` } : {})}
      tabIndex={0}
      className={styles.grid}
      onKeyDown={handleKey}
    >
      <GridRow aria-rowindex={1} className={styles.head}>
        <div {...gridHeader} className={styles.name}>
          Parameter group
        </div>
        <div {...gridHeader} className={styles.change}>
          Change
        </div>
        <div {...gridHeader} className={styles.update} title="How the group is stored">
          Update
        </div>
        <div {...gridHeader} className={styles.dtype}>
          Type
        </div>
        <div {...gridHeader} className={styles.shape}>
          Shape
        </div>
        <div {...gridHeader} className={styles.size} title="Bytes of the whole tensor">
          Size
        </div>
        <div {...gridHeader} className={styles.size} title="Bytes that this version adds to the store">
          Adds
        </div>
      </GridRow>
      <div {...gridRows} className={styles.body} style={{ height: virtual.getTotalSize() }}>
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
              className={classNames(styles.row, styles[group.change], item.index === current && styles.active)}
              style={{ transform: `translateY(${item.start}px)` }}
              onClick={() => setActive(item.index)}
            >
              <Cells group={group} />
            </GridRow>
          );
        })}
      </div>
    </div>
  );
}

function Cells({ group }: { readonly group: PreviewGroup }) {
  const notes = group.notes.join('\n');
  return (
    <>
      <div {...gridCell} className={styles.name}>
        <UpdateGlyph kind={lookOf(group)} size={11} />
        <MiddleEllipsis text={group.name === '' ? '(no name)' : group.name} className={styles.label ?? ''} />
      </div>
      <div {...gridCell} className={styles.change}>
        {WORDS[group.change]}
      </div>
      <div {...gridCell} className={styles.update} title={notes === '' ? undefined : notes}>
        {group.updateType === null ? '–' : <UpdateGlyph kind={group.updateType} showLabel size={11} />}
        {notes === '' ? null : <span className={styles.note}>*</span>}
      </div>
      <div {...gridCell} className={styles.dtype}>
        {group.dtype}
      </div>
      <div {...gridCell} className={styles.shape} title={formatShape(group.shape)}>
        {formatShape(group.shape)}
      </div>
      <div {...gridCell} className={styles.size} title={`${formatCount(group.bytes)} bytes`}>
        {formatBytes(group.bytes)}
      </div>
      <div {...gridCell} className={styles.size} title={`${formatCount(group.addedBytes)} bytes`}>
        {group.addedBytes === 0 ? '–' : formatBytes(group.addedBytes)}
      </div>
    </>
  );
}

/** A row in words: `fc1.weight, modified, sparse, float32, 64 × 3, adds 1.20 kB`. */
function describeRow(group: PreviewGroup): string {
  const parts = [group.name === '' ? '(no name)' : group.name, WORDS[group.change].toLowerCase()];
  if (group.updateType !== null) parts.push(updateLook(group.updateType).label.toLowerCase());
  parts.push(group.dtype, formatShape(group.shape), group.addedBytes === 0 ? 'adds nothing' : `adds ${formatBytes(group.addedBytes)}`, ...group.notes);
  return parts.join(', ');
}

/** Scrolls as little as it takes; the sticky head covers the first row of the view. */
function showRow(element: HTMLElement | null, row: number): void {
  if (element === null) return;
  const [top, bottom] = [row * ROW, (row + 1) * ROW];
  const height = element.clientHeight - ROW;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + height) element.scrollTop = bottom - height;
}
