import { describe, expect, it } from 'vitest';
import { encodeModel, nodesOf, viewOf } from '../view/testing/viewOf';
import { modulePath, pathFromName, pathFromValues } from './modulePath';
import { MAX_CHILDREN } from './moduleTree';

describe('the module path of a node', () => {
  it.each([
    ['/encoder/body/conv/Conv', 'Conv', ['encoder', 'body', 'conv']],
    ['//encoder//Conv', 'Conv', ['encoder']],
    ['/Flatten', 'Flatten', []],
    ['encoder.body.conv', 'Conv', ['encoder', 'body']],
    ['p2o.Conv.12', 'Conv', null],
    ['Conv_12', 'Conv', null],
    ['onnx::Conv_32', 'Conv', null],
    ['', 'Conv', null],
  ])('%s', (name, op, path) => expect(pathFromName(name, op)).toEqual(path));

  it('is taken from what PyTorch writes about a node first', () => {
    const node = (key: string, value: string) => ({ name: 'node_conv2d', op: 'Conv', metadata: [{ key, value }] });
    expect(modulePath(node('pkg.torch.onnx.name_scopes', "['', 'encoder', 'encoder.body', 'encoder.body.conv', 'conv2d']"))).toEqual([
      'encoder',
      'body',
      'conv',
    ]);
    expect(modulePath(node('namespace', ': m.Net/encoder: m.Encoder/encoder.conv: torch.nn.Conv2d/conv2d: aten.conv2d.default'))).toEqual(['encoder', 'conv']);
  });

  it('is taken from values where names say nothing', () => {
    expect(pathFromValues(['onnx::Conv_3', 'encoder.conv.weight'], ['/other/x'])).toEqual(['encoder', 'conv']);
    expect(pathFromValues([], ['/encoder/conv/Conv_output_0'])).toEqual(['encoder', 'conv']);
    expect(pathFromValues(['p2o.helper.constant.3'], ['x'])).toBeNull();
  });

  it('of ten thousand slashes is no deeper than any', () => expect(pathFromName('a/'.repeat(10_000), 'Conv')?.length).toBeLessThanOrEqual(32));
});

describe('groups', () => {
  const paths = async (lines: readonly string[]) => (await viewOf(encodeModel({ node: nodesOf(lines) }))).view;

  it('join chains, leave out single nodes, and end with the deepest level of hostile names', async () => {
    const view = await paths(['Relu /a/b/c/Relu: x -> y', 'Relu /a/b/c/Relu_1: y -> z', 'Relu /d/e/Relu: z -> w']);
    expect(view.groups.map(({ label, path, parent }) => ({ label, path, parent })).slice(1)).toEqual([{ label: 'a/b/c', path: 'a/b/c', parent: 0 }]);
    const deep = await paths(['Relu A: x -> y', `Relu ${'s/'.repeat(10_000)}Relu: y -> z`, `Relu ${'s/'.repeat(10_000)}Relu_1: z -> w`]);
    expect(deep.groups).toHaveLength(2);
  });

  it('take in nodes between two of their own', async () => {
    const initializer = ['enc.conv1.weight', 'enc.conv2.weight', 'head.fc.weight'].map((name) => ({
      name,
      dataType: 1,
      dims: [1],
      rawData: new Uint8Array(4),
    }));
    const node = nodesOf(['Conv: x, enc.conv1.weight -> a', 'Relu: a -> b', 'Conv: b, enc.conv2.weight -> c', 'Relu: c -> d', 'Gemm: d, head.fc.weight -> e']);
    const { view } = await viewOf(encodeModel({ node, initializer }));
    expect(Array.from(view.nodes.group, (group) => view.groups[group]?.path)).toEqual(['enc', 'enc', 'enc', '', '']);
    expect(view.groups.map(({ kind }) => kind)).toEqual(['root', 'values']);
  });

  it('of thousands of nodes are split into runs that end where few edges cross', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `v${i}`);
    // Every second node takes the two values before it: a run that ends inside such a pair cuts two edges.
    const view = await paths(names.slice(1).map((name, i) => `Relu: ${i % 2 === 0 ? `${names[i]}` : `${names[i]}, ${names[i - 1]}`} -> ${name}`));
    const runs = view.groups.filter(({ kind }) => kind === 'run');
    expect(runs.length).toBeGreaterThanOrEqual(9);
    expect(runs[0]?.label).toMatch(/^Relu … Relu, 1 to \d+$/);
    expect(runs.reduce((sum, { nodes }) => sum + nodes, 0)).toBe(999);
    const children = view.groups.map(
      (_, group) => view.nodes.group.filter((own) => own === group).length + view.groups.filter(({ parent }) => parent === group).length,
    );
    expect(Math.max(...children)).toBeLessThanOrEqual(MAX_CHILDREN);
  });

  it('put a constant beside the node that uses it', async () => {
    const node = [
      { opType: 'Constant', output: ['k'], attribute: [{ name: 'value_float', type: 1, f: 2 }] },
      ...nodesOf(['Relu /a/Relu: x -> y', 'Mul /a/Mul: y, k -> z']),
    ];
    const { view } = await viewOf(encodeModel({ node }));
    expect(Array.from(view.nodes.group, (group) => view.groups[group]?.path)).toEqual(['a', 'a', 'a']);
  });
});
