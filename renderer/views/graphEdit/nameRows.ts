import type { GraphView } from '../../../shared/model/graph';
import type { NameProposal, ProposalSource, ValueAddress } from '../../../shared/model/graphEdit';
import { isNumberedName } from '../../../shared/model/isNumberedName';
import { formatShape } from '../../../shared/model/shape';
import { compareNatural } from '../../charts/compareNatural';
import { ValueReaders } from '../../charts/graphScene';
import { parseNamePattern } from '../../charts/namePattern';
import { addressKey, type DraftCheck, type NameOrigin, type RenameDraft } from '../../state/renameDraft';

/** An initializer in the table of names; what does not depend on the draft. */
export interface NameRow {
  /** Index among the initializers. */
  readonly initializer: number;
  readonly key: string;
  readonly address: ValueAddress;
  /** `float32[64, 3, 3]` as far as ONNX calls it so. */
  readonly type: string;
  readonly bytes: number;
  readonly uses: number;
  /** The first node that reads it; `null` when none of its own graph does. */
  readonly reader: number | null;
  /** Operator and name of that node; empty without one. */
  readonly readerText: string;
  readonly isNumbered: boolean;
}

export const NAME_COLUMNS = ['name', 'type', 'bytes', 'uses', 'new'] as const;
export type NameColumn = (typeof NAME_COLUMNS)[number];

export type NameOrder = { readonly column: NameColumn; readonly isDescending: boolean } | null;

export const NAME_FILTERS = ['all', 'numbered', 'proposed', 'renamed', 'conflicts'] as const;
export type NameFilter = (typeof NAME_FILTERS)[number];

/** All initializers, in the order of the model. */
export function nameRows(view: GraphView): readonly NameRow[] {
  const readers = new ValueReaders(view);
  return view.initializers.map(({ name, scope, value, type, shape, bytes, uses }, initializer) => {
    const address = { graph: view.scopes[scope]?.path ?? '', name };
    const reader = readers.of(value)[0] ?? null;
    const operator = reader === null ? '' : (view.operators[view.nodes.operator[reader] ?? -1] ?? '');
    return {
      initializer,
      key: addressKey(address),
      address,
      type: `${type} ${formatShape(shape)}`,
      bytes,
      uses,
      reader,
      readerText: reader === null ? '' : [operator, view.nodes.names[reader] ?? ''].filter((word) => word !== '').join(' '),
      isNumbered: isNumberedName(name),
    };
  });
}

export interface NameFacts {
  readonly draft: RenameDraft;
  readonly proposals: ReadonlyMap<string, NameProposal>;
  readonly check: DraftCheck;
}

interface RowChoice {
  readonly text: string;
  readonly filter: NameFilter;
  readonly order: NameOrder;
}

/** The rows that fit, in the order that was chosen. The text is looked for in the name, the new name and the operator that reads it. */
export function chosenRows(rows: readonly NameRow[], { draft, proposals, check }: NameFacts, { text, filter, order }: RowChoice): readonly NameRow[] {
  const pattern = parseNamePattern(text);
  const fits = ({ key, address, readerText, isNumbered }: NameRow): boolean => {
    const entry = draft.get(key);
    if (filter === 'numbered' && !isNumbered) return false;
    if (filter === 'proposed' && !proposals.has(key)) return false;
    if (filter === 'renamed' && entry === undefined) return false;
    if (filter === 'conflicts' && !check.problems.has(key)) return false;
    if (text === '') return true;
    return pattern.fits(address.name) || (entry !== undefined && pattern.fits(entry.to)) || (readerText !== '' && pattern.fits(readerText));
  };
  const kept = text === '' && filter === 'all' ? rows : rows.filter(fits);
  if (order === null) return kept;
  const compare = comparer(order.column, draft);
  const sign = order.isDescending ? -1 : 1;
  return [...kept].sort((a, b) => sign * compare(a, b) || a.initializer - b.initializer);
}

function comparer(column: NameColumn, draft: RenameDraft): (a: NameRow, b: NameRow) => number {
  switch (column) {
    case 'name':
      return (a, b) => compareNatural(a.address.name, b.address.name);
    case 'type':
      return (a, b) => compareNatural(a.type, b.type);
    case 'bytes':
      return (a, b) => a.bytes - b.bytes;
    case 'uses':
      return (a, b) => compareNatural(a.readerText, b.readerText);
    case 'new':
      // Those without a new name last, in either direction they stay together.
      return (a, b) => compareNatural(draft.get(a.key)?.to ?? '\uffff', draft.get(b.key)?.to ?? '\uffff');
  }
}

const SOURCES: { readonly [S in ProposalSource]: string } = {
  node: 'from its node',
  content: 'equal content',
  'content-transposed': 'equal content, transposed',
  'batch-norm-folded': 'folded Conv + BatchNorm',
  position: 'by position',
};

/** Where a new name comes from, in few words. */
export function originWords(origin: NameOrigin): string {
  switch (origin) {
    case 'typed':
      return 'typed';
    case 'pattern':
      return 'by pattern';
    case 'mapping':
      return 'from a mapping';
    default:
      return SOURCES[origin];
  }
}

/** Proposals whose names are not in the draft yet. */
export function openProposals({ draft, proposals }: Pick<NameFacts, 'draft' | 'proposals'>): readonly string[] {
  return [...proposals].filter(([key, { to, address }]) => to !== address.name && draft.get(key)?.to !== to).map(([key]) => key);
}
