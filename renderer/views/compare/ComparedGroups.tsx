import { ArrowDownWideNarrow, Columns3 } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { parseNamePattern } from '../../charts/namePattern';
import { Button } from '../../components/Button';
import { EmptyState } from '../../components/EmptyState';
import { ExportMenu } from '../../components/ExportMenu';
import { Menu } from '../../components/Menu';
import { SearchField } from '../../components/SearchField';
import { SHOWN_CHANGES, type ShownChange } from '../../state/comparedNumbers';
import type { Comparison } from '../../state/compareStore';
import { useStore, useStores } from '../../state/storesContext';
import { ChangeFilter } from './ChangeFilter';
import styles from './ComparedGroups.module.css';
import { ComparedTable } from './ComparedTable';
import { COMPARED_COLUMNS, EXPORTED_COLUMNS, exportedRow, shownColumns } from './comparedColumns';
import { filterRows, type JudgedRow, type Order, sortRows, treeOfRows } from './comparedRows';
import { MetadataDifferences } from './MetadataDifferences';

interface ComparedGroupsProps {
  readonly comparison: Comparison;
  readonly rows: readonly JudgedRow[];
  readonly isMetadata: boolean;
  readonly onMetadata: (isMetadata: boolean) => void;
  /** Enter on a row: on to its detail. */
  readonly onOpen: () => void;
}

const COLUMNS = 'compare.columns';

/** The rows of a comparison with what narrows, orders and exports them; or the differences of the metadata. */
export function ComparedGroups({ comparison, rows, isMetadata, onMetadata, onOpen }: ComparedGroupsProps) {
  const { settings, workspace, compare } = useStores();
  const [text, setText] = useState('');
  const asked = useDeferredValue(text);
  const [hidden, setHidden] = useState<ReadonlySet<ShownChange>>(new Set());
  const [order, setOrder] = useState<Order>(null);
  const setting = useStore(settings, (state) => state.values[COLUMNS]);
  const columns = useMemo(() => shownColumns(setting), [setting]);
  const selected = useStore(workspace, (state) => state.group);
  const pattern = useMemo(() => parseNamePattern(asked), [asked]);
  const shown = useMemo(() => filterRows(rows, { pattern, hidden }), [rows, pattern, hidden]);
  const table = useMemo(() => {
    const by = order === null ? undefined : COMPARED_COLUMNS.find(({ id }) => id === order.column);
    return order === null || by === undefined ? treeOfRows(shown) : sortRows(shown, { value: by.value, descending: order.descending });
  }, [shown, order]);
  const counts = useMemo(() => countChanges(rows), [rows]);
  const isFiltered = asked.trim() !== '' || hidden.size > 0;

  const toggleColumn = (id: string) => {
    const ids = new Set(columns.map((column) => column.id));
    if (!ids.delete(id)) ids.add(id);
    const next = COMPARED_COLUMNS.filter((column) => ids.has(column.id)).map((column) => column.id);
    settings.getState().setValue(COLUMNS, next.join(','));
  };
  const orderBy = (column: string | null) => {
    if (column === null) setOrder(null);
    else if (order?.column !== column) setOrder({ column, descending: true });
    else setOrder(order.descending ? { column, descending: false } : null);
  };
  const differences = comparison.metadata.length;

  return (
    <div className={styles.box}>
      <div className={styles.bar}>
        <SearchField
          label="Filter compared groups"
          placeholder="Name, glob (*.bias) or /expression/"
          value={text}
          onChange={setText}
          status={pattern.problem !== null ? 'No valid expression' : isFiltered ? `${formatCount(shown.length)} of ${formatCount(rows.length)}` : ''}
          className={styles.search ?? ''}
        />
        <Menu
          label="Order"
          align="end"
          items={[
            { id: 'tree', label: 'By module', checked: order === null, onSelect: () => orderBy(null) },
            ...COMPARED_COLUMNS.map((column, index) => ({
              id: column.id,
              label: column.title,
              checked: order?.column === column.id,
              startsGroup: index === 0,
              onSelect: () => orderBy(column.id),
            })),
          ]}
        >
          <Button look="quiet" icon={<ArrowDownWideNarrow size={14} />}>
            Order
          </Button>
        </Menu>
        <Menu
          label="Columns"
          align="end"
          items={COMPARED_COLUMNS.map((column) => ({
            id: column.id,
            label: column.title,
            checked: columns.includes(column),
            onSelect: () => toggleColumn(column.id),
          }))}
        >
          <Button look="quiet" icon={<Columns3 size={14} />}>
            Columns
          </Button>
        </Menu>
        <ExportMenu
          label="the comparison"
          fileName={`comparison ${comparison.a.label} ${comparison.b.label}`}
          table={() => ({ columns: EXPORTED_COLUMNS, rows: shown.map(exportedRow) })}
        />
      </div>
      <div className={styles.kinds}>
        <ChangeFilter counts={counts} hidden={hidden} onHidden={setHidden} />
        <button type="button" className={styles.metadata} aria-pressed={isMetadata} onClick={() => onMetadata(!isMetadata)}>
          Metadata {differences === 0 ? 'equal' : formatCount(differences)}
        </button>
      </div>
      <div className={styles.content}>
        {isMetadata ? (
          <MetadataDifferences comparison={comparison} />
        ) : table.length > 0 ? (
          <ComparedTable
            rows={table}
            columns={columns}
            order={order}
            isFiltered={isFiltered}
            selected={selected}
            onOrder={orderBy}
            onSelect={(name) => workspace.getState().selectGroup(name)}
            onOpen={onOpen}
            onVisible={(indices) => compare.getState().setVisible(indices)}
          />
        ) : (
          <EmptyState
            title={rows.length === 0 ? 'No parameter groups' : 'No group fits'}
            text={rows.length === 0 ? 'Neither side holds tensors that Theta Desktop reads.' : 'Change the filter, or show more kinds of change.'}
            {...(isFiltered
              ? {
                  action: (
                    <Button
                      onClick={() => {
                        setText('');
                        setHidden(new Set());
                      }}
                    >
                      Show all groups
                    </Button>
                  ),
                }
              : {})}
          />
        )}
      </div>
    </div>
  );
}

function countChanges(rows: readonly JudgedRow[]): ReadonlyMap<ShownChange, number> {
  const counts = new Map<ShownChange, number>(SHOWN_CHANGES.map((change) => [change, 0]));
  for (const { change } of rows) counts.set(change, (counts.get(change) ?? 0) + 1);
  return counts;
}
