import { describe, expect, it } from 'vitest';
import { pairEqual } from './pairEqual';

interface Thing {
  readonly name: string;
  readonly content: string;
}

/** Names with their contents: `conv.weight=1`. */
const things = (...texts: readonly string[]): readonly Thing[] =>
  texts.map((text) => {
    const [name = '', content = ''] = text.split('=');
    return { name, content };
  });

function paired(a: readonly Thing[], b: readonly Thing[], common: readonly string[] = ['0']): readonly string[] {
  const pairs = pairEqual({ a, b }, { nameOf: ({ name }) => name, keyOf: ({ content }) => content, isCommon: (pair) => common.includes(pair.a.content) });
  return pairs.map((pair) => `${pair.a.name} ${pair.b.name}`).sort();
}

describe('things that were renamed', () => {
  it('are paired by content, whatever their names, where each is alone', () => {
    expect(paired(things('onnx::Conv_32=1', 'onnx::Conv_33=2', 'gone=3'), things('conv1.bias=2', 'conv1.weight=1', 'new=4'))).toEqual([
      'onnx::Conv_32 conv1.weight',
      'onnx::Conv_33 conv1.bias',
    ]);
  });

  it('need names that are alike where the content is a common one', () => {
    expect(paired(things('alpha=0'), things('quite=0'))).toEqual([]);
    expect(paired(things('layers.0.norm.bias=0'), things('blocks.0.norm.bias=0'))).toEqual(['layers.0.norm.bias blocks.0.norm.bias']);
  });

  it('need names that say which is which where several have one content', () => {
    expect(paired(things('m.0.b=1', 'm.1.b=1'), things('n.1.b=1', 'n.0.b=1'))).toEqual(['m.0.b n.0.b', 'm.1.b n.1.b']);
    // Each of the two could be it.
    expect(paired(things('m.w=1'), things('a.m.w=1', 'b.m.w=1'))).toEqual([]);
    expect(paired(things('m.0.b=0', 'x=0'), things('n.0.b=0', 'y=0'))).toEqual(['m.0.b n.0.b']);
    // The last of them is alone again.
    expect(paired(things('m.0.b=1', 'x=1'), things('n.0.b=1', 'y=1'))).toEqual(['m.0.b n.0.b', 'x y']);
  });

  it('are found among a thousand of one content where one module explains all of them', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `layers.${index}.norm.bias=0`);
    expect(paired(things(...names), things(...names.map((name) => `module.${name}`)))).toHaveLength(1000);
    expect(paired(things(...names), things(...names.map((name) => `module.${name}`).slice(1)))).toHaveLength(999);
  });

  it('are none without anything known of their content', () => {
    const one = things('a=1');
    expect(pairEqual({ a: one, b: things('b=1') }, { nameOf: ({ name }) => name, keyOf: () => null, isCommon: () => false })).toEqual([]);
  });
});
