import { ChevronsDownUp, ChevronsUpDown, ListFilter, Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { TIMELINE_KINDS } from '../../../shared/model/timeline';
import { CELL_SIZES } from '../../charts/timelineZoom';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { IconButton } from '../../components/IconButton';
import { SearchField } from '../../components/SearchField';
import { Select } from '../../components/Select';
import { updateLook } from '../../components/updateLook';
import { MEASURE_LOOKS, MEASURES, type Measure } from '../../state/cellNumbers';
import { useStore, useStores } from '../../state/storesContext';
import type { TimelineOptions, TimelineSort } from '../../state/timelineStore';
import styles from './TimelineBar.module.css';

const MEASURE_OPTIONS: readonly { readonly value: 'update' | Measure; readonly label: string }[] = [
  { value: 'update', label: 'Update type' },
  ...MEASURES.map((measure) => ({ value: measure, label: MEASURE_LOOKS[measure].label })),
];
const FILTERS_SHOWN = 'timeline.filtersShown';
const SORTS: readonly { readonly value: TimelineSort; readonly label: string }[] = [
  { value: 'name', label: 'Name' },
  { value: 'drift', label: 'Total drift' },
  { value: 'last', label: 'Last change' },
  { value: 'size', label: 'Size' },
];
const SCOPES: readonly { readonly value: TimelineOptions['scope']; readonly label: string }[] = [
  { value: 'head', label: 'This branch' },
  { value: 'all', label: 'All branches' },
];
const KINDS = [{ value: '', label: 'Any' }, ...TIMELINE_KINDS.map((kind) => ({ value: kind as string, label: updateLook(kind).label }))];

interface TimelineBarProps {
  /** Types of the groups, for the filter. */
  readonly dtypes: readonly string[];
  readonly status: string;
  readonly hasRange: boolean;
  readonly hasClosed: boolean;
  readonly onToggleAll: () => void;
  readonly onZoom: (direction: 1 | -1) => void;
  readonly onLeaveSearch: () => void;
  readonly exportMenu: ReactNode;
  readonly searchRef: React.Ref<HTMLInputElement>;
}

/** What the grid shows, in which order, and of what. */
export function TimelineBar({ dtypes, status, hasRange, hasClosed, onToggleAll, onZoom, onLeaveSearch, exportMenu, searchRef }: TimelineBarProps) {
  const { settings, timeline } = useStores();
  const areFiltersShown = useStore(settings, (state) => state.values[FILTERS_SHOWN] === true);
  const options = useStore(timeline, (state) => state.options);
  const set = (change: Partial<TimelineOptions>) => timeline.getState().setOptions(change);
  const filters = [options.kind !== null, options.dtype !== null, options.hasNan, options.changedInRange].filter(Boolean).length;
  return (
    <div className={styles.bars}>
      <div className={styles.bar}>
        <SearchField
          ref={searchRef}
          label="Filter by name"
          placeholder="Filter: words, *.bias or /regex/"
          shortcut="/"
          value={options.pattern}
          status={status}
          className={styles.search ?? ''}
          onChange={(pattern) => set({ pattern })}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
            event.preventDefault();
            onLeaveSearch();
          }}
        />
        <Select label="Show" inline value={options.measure} options={MEASURE_OPTIONS} onChange={(measure) => set({ measure })} />
        <Select label="Sort" inline value={options.sort} options={SORTS} onChange={(sort) => set({ sort })} />
        <Select label="Versions" inline value={options.scope} options={SCOPES} onChange={(scope) => set({ scope })} />
        <span className={styles.buttons}>
          <Button
            look="quiet"
            icon={<ListFilter size={14} />}
            aria-expanded={areFiltersShown}
            onClick={() => settings.getState().setValue(FILTERS_SHOWN, !areFiltersShown)}
          >
            Filters{filters === 0 ? '' : ` (${filters})`}
          </Button>
          <IconButton
            label={hasClosed ? 'Open all modules' : 'Close all modules'}
            icon={hasClosed ? <ChevronsUpDown size={14} aria-hidden="true" /> : <ChevronsDownUp size={14} aria-hidden="true" />}
            onClick={onToggleAll}
          />
          <IconButton
            label="Smaller cells"
            shortcut="-"
            icon={<Minus size={14} aria-hidden="true" />}
            disabled={options.cell <= CELL_SIZES[0]}
            onClick={() => onZoom(-1)}
          />
          <IconButton
            label="Larger cells"
            shortcut="+"
            icon={<Plus size={14} aria-hidden="true" />}
            disabled={options.cell >= (CELL_SIZES.at(-1) ?? 0)}
            onClick={() => onZoom(1)}
          />
          {exportMenu}
        </span>
      </div>
      {areFiltersShown ? <Filters dtypes={dtypes} hasRange={hasRange} /> : null}
    </div>
  );
}

/** Which groups and commits are shown at all. */
function Filters({ dtypes, hasRange }: Pick<TimelineBarProps, 'dtypes' | 'hasRange'>) {
  const { timeline } = useStores();
  const options = useStore(timeline, (state) => state.options);
  const set = (change: Partial<TimelineOptions>) => timeline.getState().setOptions(change);
  return (
    <div className={styles.bar}>
      <Select
        label="Update"
        inline
        value={options.kind ?? ''}
        options={KINDS}
        onChange={(value) => set({ kind: TIMELINE_KINDS.find((kind) => kind === value) ?? null })}
      />
      <Select
        label="Type"
        inline
        value={options.dtype ?? ''}
        options={[{ value: '', label: 'Any' }, ...dtypes.map((dtype) => ({ value: dtype, label: dtype }))]}
        onChange={(value) => set({ dtype: value === '' ? null : value })}
      />
      <Checkbox label="Has NaN" checked={options.hasNan} onChange={(hasNan) => set({ hasNan })} />
      <Checkbox label="Changed in the range" checked={options.changedInRange} disabled={!hasRange} onChange={(changedInRange) => set({ changedInRange })} />
      <Checkbox label="Only commits that changed it" checked={options.touchedOnly} onChange={(touchedOnly) => set({ touchedOnly })} />
    </div>
  );
}
