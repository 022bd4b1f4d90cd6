import { describe, expect, it } from 'vitest';
import { parseMapping } from '../../../shared/model/nameMapping/mapping';
import { modelOf } from '../testing/readBytes';
import { addressRenames } from './addressRenames';
import { planRename } from './planRename';
import { body, floats, info, node, smallModel } from './testing/smallModel';

describe('addressRenames', () => {
  const inside = { initializer: [floats('W', [2], [1, 2]), floats('L', [2], [1, 2])], node: [node('Mul', ['W', 'L'], ['t'])], output: [info('t', [2])] };
  const model = () =>
    modelOf(
      smallModel({
        initializer: [floats('W', [2], [1, 2])],
        node: [node('If', ['c'], ['y'], { attribute: [body('then_branch', inside)] })],
        output: [info('y', [2])],
      }),
    );

  it('finds the one value of a name in whatever graph, and takes graphs as they are said', async () => {
    const entries = parseMapping('L,lora\nW,V,#0.then_branch', 'csv');
    const { renames, problems } = addressRenames(await model(), entries);
    expect(problems).toEqual([]);
    expect(renames).toEqual([
      { graph: '#0.then_branch', name: 'L', to: 'lora' },
      { graph: '#0.then_branch', name: 'W', to: 'V' },
    ]);
    expect(planRename(await model(), renames).refusals).toEqual([]);
  });

  it('says where a name is defined when it is several values, and what names nothing', async () => {
    const { renames, problems } = addressRenames(await model(), parseMapping('W,V\nnothing,x\na,b,#9.body', 'csv'));
    expect(renames).toEqual([]);
    expect(problems).toEqual([
      'Line 1: "W" is 2 values: initializer 0 and initializer 0 of graph #0.then_branch. Say in which graph it is meant: "" and "#0.then_branch".',
      'Line 2: no value of the model is called "nothing".',
      'Line 3: the model has no graph "#9.body".',
    ]);
  });
});
