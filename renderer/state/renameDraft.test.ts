import { describe, expect, it } from 'vitest';
import { parseMapping } from '../../shared/model/nameMapping/mapping';
import { smallGraph } from '../charts/testing/graphSamples';
import { addressKey, checkOf, type DraftName, mappingOf, NO_DRAFT, namesOfMapping, ofGraph, renameEdit, withNames, withoutNames } from './renameDraft';

const typed = (name: string, to: string, graph = ''): DraftName => ({ address: { graph, name }, to, origin: 'typed', reason: '' });
const { view } = smallGraph();
const [first, second] = view.initializers.map(({ name }) => name);
/** A graph with a body that has a value of the name of the first initializer, and one of its own. */
const nested = {
  ...view,
  scopes: [...view.scopes, { kind: 'subgraph' as const, path: '#1.body', name: 'body', parent: { scope: 0, node: 1 } }],
  initializers: [...view.initializers, ...view.initializers.map((each, at) => ({ ...each, name: at === 0 ? each.name : 'inner', scope: 1 }))],
  values: { ...view.values, names: [...view.values.names, first ?? '', 'inner'] },
};

describe('a draft of new names', () => {
  it('keeps one new name for each value, and none that changes nothing', () => {
    const draft = withNames(NO_DRAFT, [typed('a', 'b'), typed('b', 'a'), typed('c', 'c'), typed('d', ''), typed('a', 'x', '#1.body')]);
    expect([...draft.values()].map(({ address, to }) => [address.graph, address.name, to])).toEqual([
      ['', 'a', 'b'],
      ['', 'b', 'a'],
      ['#1.body', 'a', 'x'],
    ]);
    expect(withNames(draft, [typed('a', 'a')]).size).toBe(2);
    expect(withNames(draft, [])).toBe(draft);
    expect(withoutNames(draft, ['nobody'])).toBe(draft);
    expect(withoutNames(draft, [addressKey({ graph: '', name: 'a' })]).size).toBe(2);
    expect(renameEdit(withNames(NO_DRAFT, [typed('a', 'b')]))).toEqual({ kind: 'rename', renames: [{ graph: '', name: 'a', to: 'b' }] });
  });

  it('follows the graph: what is no longer there is forgotten', () => {
    const draft = withNames(NO_DRAFT, [typed(first ?? '', 'x'), typed('gone', 'y')]);
    expect([...ofGraph(draft, view).values()].map(({ to }) => to)).toEqual(['x']);
    const kept = ofGraph(draft, view);
    expect(ofGraph(kept, view)).toBe(kept);
  });
});

describe('conflicts', () => {
  it('stand at the values they concern; others are said once for all', () => {
    const check = checkOf({
      title: '',
      sites: [],
      warnings: ['Look out.'],
      refusals: ['a clashes.', 'The model would not be valid.', 'There are 12 more reasons.'],
      conflicts: [
        { address: { graph: '', name: 'a' }, text: 'a clashes.' },
        { address: { graph: '', name: 'a' }, text: 'a is also something else.' },
      ],
      bytesTouched: 0,
    });
    expect(check.problems.get(addressKey({ graph: '', name: 'a' }))).toEqual(['a clashes.', 'a is also something else.']);
    expect(check.general).toEqual(['The model would not be valid.']);
    expect(check.warnings).toEqual(['Look out.']);
  });
});

describe('mappings', () => {
  it('name values of the graph; what they do not fit is told', () => {
    const entries = parseMapping(`{"${second}": "new", "absent": "x", "${first}": "y", "inner": "z"}`, 'json');
    const { names, unknown, ambiguous } = namesOfMapping(nested, entries);
    expect(names.map(({ address, to }) => [address.graph, address.name, to])).toEqual([
      ['', second, 'new'],
      ['#1.body', 'inner', 'z'],
    ]);
    expect(unknown).toEqual(['absent']);
    expect(ambiguous).toEqual([first]);
    const said = parseMapping(`old,new,graph\n${first},y,#1.body\n${first},z,#9.body\n`, 'csv');
    expect(namesOfMapping(nested, said)).toMatchObject({ names: [{ address: { graph: '#1.body', name: first }, to: 'y' }], unknown: [first], ambiguous: [] });
  });

  it('are written with the graph where a name alone would not do', () => {
    const draft = withNames(NO_DRAFT, [typed(first ?? '', 'x'), typed(second ?? '', 'y'), typed('inner', 'z', '#1.body')]);
    expect(mappingOf(draft, nested)).toEqual([
      { graph: '', name: first, to: 'x' },
      { graph: null, name: second, to: 'y' },
      { graph: null, name: 'inner', to: 'z' },
    ]);
  });
});
