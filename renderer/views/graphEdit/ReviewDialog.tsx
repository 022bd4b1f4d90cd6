import { useVirtualizer } from '@tanstack/react-virtual';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { EditReview, EditSite } from '../../../shared/model/graphEdit';
import { Button } from '../../components/Button';
import { classNames } from '../../components/classNames';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Grid } from '../../components/Grid';
import { GridHead, GridRow } from '../../components/GridRow';
import { gridCell, gridHeader } from '../../components/gridRoles';
import { ROW_HEIGHT, rowsOfPage, showRow } from '../../components/gridRows';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { moveRow } from '../../components/moveRow';
import { SkeletonRows } from '../../components/Skeleton';
import type { ShownReview } from '../../state/graphEditStore';
import { useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';

/** Everything that an edit would touch, before it is done. */
export function ReviewDialog({ shown: { review, isApplying } }: { readonly shown: ShownReview }) {
  const { graphEdit } = useStores();
  const { closeReview, applyReview, retryReview } = graphEdit.getState();
  const apply = useRef<HTMLButtonElement>(null);
  const value = review.kind === 'ready' ? review.value : null;
  const isRefused = value !== null && value.refusals.length > 0;
  const isEmpty = value !== null && value.sites.length === 0 && value.bytesTouched === 0;
  return (
    <Dialog
      open
      onClose={closeReview}
      keepOpen={isApplying}
      title={value?.title ?? 'Review the edit'}
      size="large"
      initialFocus={apply}
      footer={
        <>
          <span role="status" className={classNames(styles.status, isRefused && styles.problem)}>
            {value === null
              ? ''
              : isRefused
                ? 'It cannot be applied: see the reasons above.'
                : isEmpty
                  ? 'Nothing would change.'
                  : 'Nothing is written to a file yet; it can be undone.'}
          </span>
          <Button disabled={isApplying} onClick={closeReview}>
            Cancel
          </Button>
          {/* Not disabled, so that the focus does not fall out of the dialog while it is read. */}
          <Button
            ref={apply}
            look="primary"
            aria-disabled={value === null || isRefused || isEmpty}
            disabled={isRefused || isApplying}
            onClick={() => void applyReview()}
          >
            {isApplying ? 'Applying…' : 'Apply'}
          </Button>
        </>
      }
    >
      {review.kind === 'failed' ? (
        <div className={styles.content}>
          <ErrorNotice title="The edit could not be looked at" error={review.error} action={<Button onClick={retryReview}>Try again</Button>} />
        </div>
      ) : value === null ? (
        <div className={styles.content}>
          <SkeletonRows count={6} label="Looking at what the edit touches" />
        </div>
      ) : (
        <Reviewed review={value} />
      )}
    </Dialog>
  );
}

/** Rows before the list scrolls, where the window is high enough. */
const MOST_SHOWN = 16;

function Reviewed({ review: { sites, warnings, refusals, bytesTouched } }: { readonly review: EditReview }) {
  return (
    <>
      <Notes
        title={refusals.length === 1 ? 'Why it cannot be done' : `Why it cannot be done: ${formatCount(refusals.length)} reasons`}
        texts={refusals}
        isRefusal
        icon={<CircleAlert size={14} aria-hidden="true" />}
      />
      <Notes
        title={warnings.length === 1 ? 'To know before' : `To know before: ${formatCount(warnings.length)} things`}
        texts={warnings}
        icon={<TriangleAlert size={14} aria-hidden="true" />}
      />
      {sites.length === 0 && refusals.length > 0 ? (
        <div className={styles.gap} />
      ) : (
        <div className={styles.sites}>
          <p className={styles.sums}>
            {formatCount(sites.length)} {sites.length === 1 ? 'place' : 'places'}
            {refusals.length > 0 ? '' : ` · ${formatBytes(bytesTouched)} of the model written anew`}
          </p>
          {sites.length === 0 ? null : (
            <div className={styles.list} style={{ height: (Math.min(sites.length, MOST_SHOWN) + 1) * ROW_HEIGHT }}>
              <SiteList sites={sites} />
            </div>
          )}
        </div>
      )}
    </>
  );
}

interface NotesProps {
  readonly title: string;
  readonly texts: readonly string[];
  readonly icon: ReactNode;
  readonly isRefusal?: boolean;
}

function Notes({ title, texts, icon, isRefusal = false }: NotesProps) {
  if (texts.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classNames(styles.notes, isRefusal && styles.refusals)} aria-label={title} tabIndex={0}>
      <h3>
        {icon}
        {title}
      </h3>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Every place with what stands there before and after; only what is in view is drawn. */
function SiteList({ sites }: { readonly sites: readonly EditSite[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtual = useVirtualizer({ count: sites.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 8 });
  const items = virtual.getVirtualItems();
  const hasGraphs = sites.some(({ graph }) => graph !== '');
  const handleKey = (event: KeyboardEvent) => {
    const target = moveRow(event.key, active, { count: sites.length, page: rowsOfPage(scroller.current) });
    if (target === null) return;
    event.preventDefault();
    setActive(target);
    showRow(scroller.current, target);
  };
  return (
    <Grid
      ref={scroller}
      label="Places that change"
      rowCount={sites.length}
      activeId={items.some(({ index }) => index === active) ? `site-${active}` : null}
      className={styles.grid}
      onKeyDown={handleKey}
      bodyHeight={virtual.getTotalSize()}
      head={
        <GridHead className={styles.row}>
          <div {...gridHeader} className={styles.place}>
            Place
          </div>
          {hasGraphs ? (
            <div {...gridHeader} className={styles.graph}>
              Graph
            </div>
          ) : null}
          <div {...gridHeader} className={styles.before}>
            Before
          </div>
          <div {...gridHeader} className={styles.after}>
            After
          </div>
        </GridHead>
      }
    >
      {items.map(({ index, start }) => {
        const site = sites[index];
        if (site === undefined) return null;
        return (
          <GridRow
            key={index}
            id={`site-${index}`}
            top={start}
            isActive={index === active}
            aria-rowindex={index + 2}
            className={styles.row}
            onClick={() => setActive(index)}
          >
            <div {...gridCell} className={styles.place}>
              <MiddleEllipsis text={site.place} />
            </div>
            {hasGraphs ? (
              <div {...gridCell} className={styles.graph} title={site.graph === '' ? 'main graph' : site.graph}>
                {site.graph === '' ? 'main' : site.graph}
              </div>
            ) : null}
            <div {...gridCell} className={styles.before}>
              {site.before === '' ? '–' : <MiddleEllipsis text={site.before} />}
            </div>
            <div {...gridCell} className={styles.after}>
              {site.after === '' ? '–' : <MiddleEllipsis text={site.after} />}
            </div>
          </GridRow>
        );
      })}
    </Grid>
  );
}
