import { Replace, Tags } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { GraphView } from '../../../shared/model/graph';
import { Button } from '../../components/Button';
import { EmptyState } from '../../components/EmptyState';
import { Menu } from '../../components/Menu';
import { SearchField } from '../../components/SearchField';
import { Select } from '../../components/Select';
import { knownCheck } from '../../state/graphEditStore';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { MappingMenu } from './MappingMenu';
import { NamesFoot } from './NamesFoot';
import styles from './NamesPanel.module.css';
import { whyText } from './NamesRow';
import { Imported, Proposing } from './NamesStrips';
import { NamesTable } from './NamesTable';
import { chosenRows, type NameColumn, type NameFilter, type NameOrder, type NameRow, nameRows } from './nameRows';
import { ReplaceBar } from './ReplaceBar';

const FILTERS: readonly { readonly value: NameFilter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'numbered', label: 'Only numbered' },
  { value: 'proposed', label: 'With a proposal' },
  { value: 'renamed', label: 'With a new name' },
  { value: 'conflicts', label: 'With a conflict' },
];
const NONE: ReadonlySet<string> = new Set();
const NO_PREVIEW: ReadonlyMap<string, string> = new Map();

/** All initializers of the opened graph with their names, as they are and as they are to be. */
export function NamesPanel() {
  const { graph } = useStores();
  const view = useStore(graph, (state) => latest(state.graph)?.view);
  return (
    <section className={styles.panel} aria-label="Names" data-region>
      {view === undefined ? null : view.initializers.length === 0 ? (
        <EmptyState
          icon={<Tags size={24} />}
          title="This model has no initializers"
          text="Values that are computed or given as inputs have names too, but none that are stored."
        />
      ) : (
        <Names view={view} />
      )}
    </section>
  );
}

function Names({ view }: { readonly view: GraphView }) {
  const { graph, graphEdit } = useStores();
  const draft = useStore(graphEdit, (state) => state.draft);
  const checked = useStore(graphEdit, (state) => state.check);
  const proposals = useStore(graphEdit, (state) => state.proposals);
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<NameFilter>('all');
  const [order, setOrder] = useState<NameOrder>(null);
  const [marked, setSelected] = useState<ReadonlySet<string>>(NONE);
  const [active, setActive] = useState<string | null>(null);
  const [editing, setEditing] = useState<string | null>(null);
  const [isReplacing, setReplacing] = useState(false);
  const [preview, setPreview] = useState(NO_PREVIEW);
  const search = useRef<HTMLInputElement>(null);
  const rows = useMemo(() => nameRows(view), [view]);
  const check = knownCheck(checked);
  const facts = useMemo(() => ({ draft, proposals, check }), [draft, proposals, check]);
  const asked = useDeferredValue(text);
  // A row that is being written in stays where it is.
  const shown = useMemo(() => chosenRows(rows, facts, { text: asked, filter, order }), [rows, facts, asked, filter, order]);
  const selected = useMemo(() => (marked.size === 0 ? NONE : new Set(rows.filter(({ key }) => marked.has(key)).map(({ key }) => key))), [rows, marked]);
  const meant = useMemo(() => (selected.size === 0 ? shown : rows.filter(({ key }) => selected.has(key))), [rows, shown, selected]);
  const activeRow = rows.find(({ key }) => key === active);

  const changeOrder = (column: NameColumn) =>
    setOrder(order?.column !== column ? { column, isDescending: false } : order.isDescending ? null : { column, isDescending: true });
  const goToReader = (row: NameRow) => {
    setActive(row.key);
    if (row.reader !== null) graph.getState().goTo({ kind: 'node', ref: row.reader });
  };
  const status = text === '' && filter === 'all' ? formatCount(rows.length) : `${formatCount(shown.length)} of ${formatCount(rows.length)}`;
  return (
    <>
      <div className={styles.tools}>
        <SearchField
          ref={search}
          label="Filter the names"
          placeholder="Filter: words, *glob*, /expression/"
          value={text}
          status={status}
          className={styles.search ?? ''}
          onChange={setText}
        />
        <Select label="Show" inline value={filter} options={FILTERS} onChange={setFilter} />
        <ProposeMenu />
        <Button icon={<Replace size={14} />} aria-pressed={isReplacing} onClick={() => setReplacing(!isReplacing)}>
          Find and replace
        </Button>
        <MappingMenu view={view} />
      </div>
      {isReplacing ? <ReplaceBar rows={meant} isSelection={selected.size > 0} onPreview={setPreview} onClose={() => setReplacing(false)} /> : null}
      <Proposing selected={selected} />
      <Imported />
      <div className={styles.table}>
        {shown.length === 0 ? (
          <EmptyState
            title="No initializer fits"
            action={
              <Button
                onClick={() => {
                  setText('');
                  setFilter('all');
                }}
              >
                Show all
              </Button>
            }
          />
        ) : (
          <NamesTable
            view={view}
            rows={shown}
            facts={facts}
            preview={preview}
            order={order}
            selected={selected}
            active={active}
            editing={editing}
            onOrder={changeOrder}
            onSelected={setSelected}
            onActive={setActive}
            onEditing={setEditing}
            onReader={goToReader}
          />
        )}
      </div>
      <NamesFoot
        selected={selected}
        line={
          activeRow === undefined
            ? ''
            : whyText({
                draft: draft.get(activeRow.key) ?? null,
                proposal: proposals.get(activeRow.key) ?? null,
                problems: check.problems.get(activeRow.key) ?? [],
              })
        }
      />
    </>
  );
}

/** Where names can be had from. */
function ProposeMenu() {
  const { graphEdit } = useStores();
  const { propose, ask } = graphEdit.getState();
  const items = [
    { id: 'checkpoint', label: 'From a checkpoint…', onSelect: () => ask({ kind: 'propose' }) },
    {
      id: 'nodes',
      label: 'From the nodes that use them',
      startsGroup: true,
      onSelect: () => void propose({ kind: 'nodes' }, { onlyNumbered: false, words: 'the nodes' }),
    },
    {
      id: 'numbered',
      label: 'From the nodes, only numbered names',
      onSelect: () => void propose({ kind: 'nodes' }, { onlyNumbered: true, words: 'the nodes' }),
    },
    { id: 'position', label: 'By operator and position', onSelect: () => void propose({ kind: 'position' }, { onlyNumbered: true, words: 'the positions' }) },
  ];
  return (
    <Menu label="Propose names" items={items}>
      <Button icon={<Tags size={14} />}>Propose names…</Button>
    </Menu>
  );
}
