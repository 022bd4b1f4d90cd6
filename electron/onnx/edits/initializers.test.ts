import { describe, expect, it } from 'vitest';
import { modelOf, patched } from '../testing/readBytes';
import { constantTensor } from '../values/constantTensor';
import { nodeNamesFor } from './nodeNamesFor';
import { planAddInitializer } from './planAddInitializer';
import { planRemoveInitializer } from './planRemoveInitializer';
import { planRenameNodes } from './planRenameNodes';
import { body, decoded, floatFeed, floats, info, node, run, smallModel } from './testing/smallModel';

const at = (name: string, graph = '') => ({ graph, name });

describe('add an initializer', () => {
  const ones = constantTensor('1', { type: 1, dims: [2] });
  const before = smallModel({
    input: [info('x', [2])],
    output: [info('y', [2])],
    node: [node('Add', ['x', 'W'], ['y'])],
    valueInfo: [],
  });

  it('gives a name that was missing a value', async () => {
    const plan = planAddInitializer(await modelOf(before), { address: at('W'), value: ones });
    expect(plan.refusals).toEqual([]);
    expect(plan.warnings.join()).toContain('1 place uses the name "W", which nothing defined so far');
    expect(await run(await patched(before, plan), { x: await floatFeed([1, 2], [2]) })).toEqual({ y: [2, 3] });
  });

  it('is an input as well in IR 3', async () => {
    const old = smallModel(
      { input: [info('x', [2])], output: [info('y', [2])], node: [node('Add', ['x', 'W'], ['y'])] },
      { irVersion: 3, opsetImport: [{ domain: '', version: 8 }] },
    );
    const after = await patched(old, planAddInitializer(await modelOf(old), { address: at('W'), value: ones }));
    expect(decoded(after).graph.input?.map(({ name }) => name)).toEqual(['x', 'W']);
    expect(await run(after, { x: await floatFeed([1, 2], [2]) })).toEqual({ y: [2, 3] });
  });

  it('can give an input its default, and raises ir_version for later types', async () => {
    const given = await modelOf(smallModel({ input: [info('x', [2]), info('W', [2])], output: [info('y', [2])], node: [node('Add', ['x', 'W'], ['y'])] }));
    expect(planAddInitializer(given, { address: at('W'), value: ones }).warnings.join()).toContain('its default');
    expect(planAddInitializer(given, { address: at('W'), value: constantTensor('1', { type: 11, dims: [2] }) }).refusals.join()).toContain(
      'is float, but the value is double',
    );
    const plan = planAddInitializer(given, { address: at('Q'), value: constantTensor('1', { type: 22, dims: [3] }) });
    expect(plan.sites.map(({ place, after }) => [place, after])).toEqual([
      ['initializer 0 "Q"', 'int4[3]'],
      ['ir_version', '10'],
    ]);
  });

  it('refuses a name that a graph around it or inside it has, and functions', async () => {
    const inner = body('then_branch', { initializer: [floats('w', [1], [1])], output: [info('w', [1])] });
    const model = await modelOf(
      smallModel({ input: [info('c', [], 9)], initializer: [floats('V', [1], [1])], node: [node('If', ['c'], ['y'], { attribute: [inner] })] }),
    );
    const refusals = (name: string, graph = '') => planAddInitializer(model, { address: at(name, graph), value: ones }).refusals.join();
    expect(refusals('w')).toContain('defines "w" already');
    expect(refusals('y')).toContain('by node 0 If, output 0');
    expect(refusals('V', '#0.then_branch')).toContain('defines "V" already');
    expect(refusals('')).toContain('needs a name');
    expect(refusals('n', '#7.body')).toContain('no graph');
    expect(refusals('n', '#0.then_branch')).toBe('');
  });
});

describe('remove an initializer', () => {
  const model = () =>
    modelOf(
      smallModel(
        {
          input: [info('x', [1]), info('I', [1])],
          output: [info('y', [1]), info('O', [1])],
          initializer: ['used', 'inside', 'O', 'trained', 'scale', 'free', 'I'].map((name) => floats(name, [1], [1])),
          node: [
            node('Add', ['x', 'used'], ['y'], { name: 'adder' }),
            node('If', ['x'], ['z'], { attribute: [body('then_branch', { node: [node('Neg', ['inside'], ['t'])], output: [info('t', [1])] })] }),
          ],
          valueInfo: [info('free', [1])],
          quantizationAnnotation: [
            { tensorName: 'free', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'scale' }] },
            { tensorName: 'y', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'scale' }] },
          ],
        },
        { trainingInfo: [{ algorithm: { node: [node('Neg', ['x'], ['n'])], output: [info('n', [1])] }, updateBinding: [{ key: 'trained', value: 'n' }] }] },
      ),
    );

  it.each([
    ['used', 'used at 1 place: node 0 Add "adder", input 1'],
    ['inside', 'node 0 Neg, input 0 of graph #1.then_branch'],
    ['O', 'output 1 of the graph'],
    ['trained', 'training_info 0, update_binding 0, key'],
    ['scale', 'used at 2 places: quantization_annotation 0, SCALE_TENSOR and quantization_annotation 1, SCALE_TENSOR'],
    ['x', 'no initializer'],
    ['nothing', 'No value is called "nothing"'],
  ])('%s: %s', async (name, words) => {
    const plan = planRemoveInitializer(await model(), at(name));
    expect(plan.refusals.join()).toContain(words);
    expect(plan.edits).toEqual([]);
  });

  it('takes what is said about it along', async () => {
    const bytes = smallModel({
      initializer: [floats('free', [1], [1]), floats('other', [1], [1])],
      valueInfo: [info('free', [1])],
      quantizationAnnotation: [{ tensorName: 'free', quantParameterTensorNames: [] }],
    });
    const { graph } = decoded(await patched(bytes, planRemoveInitializer(await modelOf(bytes), at('free'))));
    expect([graph.initializer?.map(({ name }) => name), graph.valueInfo, graph.quantizationAnnotation]).toEqual([['other'], [], []]);
    const plan = planRemoveInitializer(await model(), at('I'));
    expect([plan.refusals, plan.warnings.join()]).toEqual([[], expect.stringContaining('also an input')]);
    expect(plan.sites.map(({ place }) => place)).toEqual(['input 1 "I"', 'initializer 6 "I"']);
  });
});

describe('names for nodes', () => {
  it('are their operator and a number, and never taken', async () => {
    const inner = body('then_branch', { node: [node('Conv', [], ['i']), node('Neg', [], ['j'], { name: 'Conv_1' })] });
    const bytes = smallModel({
      node: [node('Conv', [], ['a']), node('Conv', [], ['b'], { name: 'stem' }), node('If', [], ['c'], { attribute: [inner] }), node('Conv', [], ['d'])],
    });
    const model = await modelOf(bytes);
    const names = nodeNamesFor(model);
    expect(names).toEqual([
      { graph: '', index: 0, to: 'Conv_0' },
      { graph: '', index: 2, to: 'If_0' },
      { graph: '', index: 3, to: 'Conv_2' },
      { graph: '#2.then_branch', index: 0, to: 'Conv_3' },
    ]);
    const { graph } = decoded(await patched(bytes, planRenameNodes(model, names)));
    expect(graph.node?.map(({ name }) => name)).toEqual(['Conv_0', 'stem', 'If_0', 'Conv_2']);
  });
});
