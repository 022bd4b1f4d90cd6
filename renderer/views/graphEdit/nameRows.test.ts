import { describe, expect, it } from 'vitest';
import { graphView } from '../../charts/testing/graphSamples';
import { addressKey, checkOf, NO_CHECK, NO_DRAFT, withNames } from '../../state/renameDraft';
import { namesForNodes } from './editItems';
import { chosenRows, nameRows, openProposals } from './nameRows';

const view = graphView({
  inputs: ['x'],
  outputs: ['z'],
  initializers: { 'onnx::Conv_32': [16, 1, 3, 3], 'layer10.weight': [10], 'layer2.weight': [4, 4] },
  nodes: [
    { name: '/conv/Conv', operator: 'Conv', inputs: ['x', 'onnx::Conv_32'], outputs: ['y'], module: 'conv' },
    { name: '', operator: 'Add', inputs: ['y', 'layer2.weight'], outputs: ['a'], module: '' },
    { name: 'Add_0', operator: 'Add', inputs: ['a', 'layer2.weight'], outputs: ['b'], module: '' },
    { name: '', operator: 'Add', inputs: ['b', 'layer2.weight'], outputs: ['z'], module: '' },
  ],
});
const rows = nameRows(view);
const facts = { draft: NO_DRAFT, proposals: new Map(), check: NO_CHECK };
const names = (list: readonly { readonly address: { readonly name: string } }[]) => list.map(({ address }) => address.name);
const all = { text: '', filter: 'all', order: null } as const;

describe('rows of names', () => {
  it('know what the initializers are and who reads them', () => {
    expect(rows.map(({ type, bytes, uses, reader, readerText, isNumbered }) => ({ type, bytes, uses, reader, readerText, isNumbered }))).toEqual([
      { type: 'float 16 × 1 × 3 × 3', bytes: 576, uses: 1, reader: 0, readerText: 'Conv /conv/Conv', isNumbered: true },
      { type: 'float 10', bytes: 40, uses: 0, reader: null, readerText: '', isNumbered: false },
      { type: 'float 4 × 4', bytes: 64, uses: 3, reader: 1, readerText: 'Add', isNumbered: false },
    ]);
  });

  it('are filtered by names, new names and readers', () => {
    expect(chosenRows(rows, facts, all)).toBe(rows);
    expect(names(chosenRows(rows, facts, { ...all, text: 'layer' }))).toEqual(['layer10.weight', 'layer2.weight']);
    expect(names(chosenRows(rows, facts, { ...all, text: '/^onnx::/' }))).toEqual(['onnx::Conv_32']);
    expect(names(chosenRows(rows, facts, { ...all, text: '/conv/conv' }))).toEqual(['onnx::Conv_32']);
    expect(names(chosenRows(rows, facts, { ...all, filter: 'numbered' }))).toEqual(['onnx::Conv_32']);
    const address = { graph: '', name: 'layer2.weight' };
    const draft = withNames(NO_DRAFT, [{ address, to: 'stem.kernel', origin: 'typed', reason: '' }]);
    expect(names(chosenRows(rows, { ...facts, draft }, { ...all, text: 'kernel' }))).toEqual(['layer2.weight']);
    expect(names(chosenRows(rows, { ...facts, draft }, { ...all, filter: 'renamed' }))).toEqual(['layer2.weight']);
    const check = checkOf({ title: '', sites: [], warnings: [], refusals: ['no'], conflicts: [{ address, text: 'no' }], bytesTouched: 0 });
    expect(names(chosenRows(rows, { ...facts, check }, { ...all, filter: 'conflicts' }))).toEqual(['layer2.weight']);
  });

  it('are sorted with numbers as numbers, both ways', () => {
    const order = (column: 'name' | 'bytes' | 'new', isDescending: boolean) => names(chosenRows(rows, facts, { ...all, order: { column, isDescending } }));
    expect(order('name', false)).toEqual(['layer2.weight', 'layer10.weight', 'onnx::Conv_32']);
    expect(order('name', true)).toEqual(['onnx::Conv_32', 'layer10.weight', 'layer2.weight']);
    expect(order('bytes', true)).toEqual(['onnx::Conv_32', 'layer2.weight', 'layer10.weight']);
    expect(order('new', false)).toEqual(names(rows));
  });

  it('count as proposals only what would change something', () => {
    const address = { graph: '', name: 'layer2.weight' };
    const proposals = new Map([[addressKey(address), { address, to: 'stem.weight', source: 'node', reason: '' } as const]]);
    expect(openProposals({ draft: NO_DRAFT, proposals })).toEqual([addressKey(address)]);
    const draft = withNames(NO_DRAFT, [{ address, to: 'stem.weight', origin: 'node', reason: '' }]);
    expect(openProposals({ draft, proposals })).toEqual([]);
  });
});

describe('names for nodes', () => {
  it('are operators with numbers that no node has', () => {
    expect(namesForNodes(view, [1, 3])).toEqual([
      { graph: '', index: 1, to: 'Add_1' },
      { graph: '', index: 3, to: 'Add_2' },
    ]);
  });
});
