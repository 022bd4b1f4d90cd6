import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../testing/readBytes';
import { planRename, type Rename } from './planRename';
import { adds, branches, main, out, refused, rename } from './testing/renaming';
import { runBits } from './testing/runBits';
import { floats, node } from './testing/smallModel';

describe('refusals', () => {
  it.each<[string, Uint8Array, Rename[], RegExp]>([
    ['an empty name', adds(), main({ W: '' }), /new name of "W" is empty/],
    ['a name of the graph', adds(), main({ W: 'x' }), /"W" cannot become "x": its graph defines that name already, by input 0/],
    ['a name that a node makes', adds(), main({ W: 'y' }), /by node 0 Add, output 0/],
    ['what does not exist', adds(), main({ nothing: 'v', W: 'V' }), /No value is called "nothing" in the main graph/],
    ['a graph that does not exist', adds(), [{ graph: '#7.body', name: 'W', to: 'V' }], /no graph "#7.body"/],
    ['two names for one value', adds(), [...main({ W: 'a' }), ...main({ W: 'b' })], /"W" cannot become both "a" and "b"/],
    ['one name for two values', adds(), main({ W: 'v', x: 'v' }), /cannot both become "v"/],
    [
      'a name inside a body',
      branches({ initializer: [floats('Lw', [2], [7, 7])], node: [node('Mul', ['W', 'Lw'], ['t'])], output: [out('t')] }),
      main({ W: 'Lw' }),
      /a graph inside it defines that name already, by initializer 0 of graph #0.then_branch/,
    ],
    [
      'a name around a body',
      branches({ initializer: [floats('Lw', [2], [7, 7])], node: [node('Mul', ['W', 'Lw'], ['t'])], output: [out('t')] }),
      [{ graph: '#0.then_branch', name: 'Lw', to: 'W' }],
      /a graph around it defines that name already, by initializer 0\./,
    ],
    [
      'a name of training',
      adds({}, { trainingInfo: [{ algorithm: { name: 'a', initializer: [floats('rate', [], [1])] } }] }),
      main({ W: 'rate' }),
      /the training information defines that name already/,
    ],
    ['a name that is used without a definition', adds({ node: [node('Add', ['x', 'ghost'], ['y'])] }), main({ W: 'ghost' }), /which nothing defines yet/],
    ['a name that value_info has without a definition', adds({ valueInfo: [out('ghost')] }), main({ W: 'ghost' }), /value_info 0 holds that name/],
    [
      'a value that a node makes too',
      adds({ node: [node('Add', ['x', 'W'], ['y']), node('Neg', ['x'], ['W'])] }),
      main({ W: 'V' }),
      /initializer 0 and node 1 Neg, output 0/,
    ],
    [
      'two initializers of one name',
      adds({ initializer: [floats('W', [2], [1, 2]), floats('W', [2], [3, 4])] }),
      main({ W: 'V' }),
      /initializer 0 and initializer 1/,
    ],
    [
      'a value of training that the main graph has too',
      adds({}, { trainingInfo: [{ algorithm: { name: 'a', initializer: [floats('W', [], [1])] } }] }),
      main({ W: 'V' }),
      /initializer 0 and initializer 0 of graph training:0.algorithm, which training runs as one graph/,
    ],
    [
      'a name that a body reads before it makes one of its own',
      branches({ node: [node('Neg', ['W'], ['n']), node('Add', ['n', 'x'], ['W'])], output: [out('W')] }),
      main({ W: 'V' }),
      /reads that name before .* makes a value of the same name/,
    ],
  ])('%s', async (_, bytes, renames, words) => {
    expect(await refused(bytes, renames)).toMatch(words);
  });

  it('a name of another graph is said with its place', async () => {
    const inside = { initializer: [floats('Lw', [2], [7, 7])], node: [node('Mul', ['W', 'Lw'], ['t'])], output: [out('t')] };
    expect(await refused(branches(inside), main({ Lw: 'V' }))).toMatch(/That name is defined in graph #0.then_branch/);
  });

  it('are counted when they are too many to read', async () => {
    const model = await modelOf(adds());
    const plan = planRename(
      model,
      Array.from({ length: 500 }, (_, i) => ({ graph: '', name: `missing${i}`, to: 'v' })),
    );
    expect(plan.refusals.length).toBe(101);
    expect(plan.refusals.at(-1)).toBe('There are 400 more reasons.');
  });
});

/** What a rename that only looks at the graph it is in would do, by the schema's own decoder and encoder. */
function naive(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const model = onnx.ModelProto.decode(bytes);
  const walk = (graph: onnx.IGraphProto) => {
    for (const each of graph.node ?? []) {
      each.input = each.input?.map((name) => (name === from ? to : name)) ?? [];
      for (const { g } of each.attribute ?? []) if (g) walk(g);
    }
  };
  for (const tensor of model.graph?.initializer ?? []) if (tensor.name === from) tensor.name = to;
  if (model.graph) walk(model.graph);
  return onnx.ModelProto.encode(model).finish();
}

describe('why captures are refused', () => {
  it.each<[string, Uint8Array, string]>([
    [
      'the name of an initializer of a body',
      branches({ initializer: [floats('Lw', [2], [7, 7])], node: [node('Mul', ['x', 'W'], ['m']), node('Add', ['m', 'Lw'], ['t'])], output: [out('t')] }),
      'Lw',
    ],
    ['the name of an input', adds({ node: [node('Mul', ['x', 'W'], ['y'])], initializer: [floats('W', [2], [3, 5])] }), 'x'],
  ])('ONNX Runtime computes something else with %s, without a word', async (_, before, to) => {
    expect(await refused(before, main({ W: to }))).toMatch(/defines that name already/);
    const expected = await runBits(before);
    expect(await runBits((await rename(before, main({ W: 'other' }))).bytes)).toEqual(expected);
    expect(await runBits(naive(before, 'W', to))).not.toEqual(expected);
  });
});
