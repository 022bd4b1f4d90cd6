import { describe, expect, it } from 'vitest';
import { BOX, boxSize, groupBoxText, shortCount, shortenMiddle } from './graphBoxes';

describe('boxes of the graph', () => {
  it('are as wide as their longest line, within limits, and as high as their lines', () => {
    expect(boxSize({ title: 'Relu', subtitle: '', lines: [] })).toEqual({ width: BOX.minWidth, height: 2 * BOX.paddingY + BOX.line });
    expect(boxSize({ title: 'Conv', subtitle: 'conv', lines: ['weight [64, 3, 7, 7]', 'bias [64]'] })).toEqual({
      width: 2 * BOX.paddingX + 20 * BOX.character,
      height: 2 * BOX.paddingY + 4 * BOX.line + BOX.gap,
    });
    expect(boxSize({ title: 'x'.repeat(1000), subtitle: '', lines: [] }).width).toBe(BOX.maxWidth);
  });

  it('have names whose middle gives way', () => {
    expect(shortenMiddle('conv', 10)).toBe('conv');
    const short = shortenMiddle('encoder.layers.12.attention.weight', 20);
    expect(short).toHaveLength(20);
    expect(short).toMatch(/^encoder…/);
    expect(short.endsWith('ention.weight'.slice(-12))).toBe(true);
  });

  it('count in short', () => {
    expect([0, 999, 1000, 1234, 999_949, 999_950, 46_800_000, 7e9, 1.5e12].map(shortCount)).toEqual([
      '0',
      '999',
      '1.0 k',
      '1.2 k',
      '999.9 k',
      '1.0 M',
      '46.8 M',
      '7.0 G',
      '1.5 T',
    ]);
    expect(groupBoxText({ label: 'body', nodes: 54_400, parameters: 1 })).toEqual({ title: 'body', subtitle: '54,400 operators', lines: ['1 parameter'] });
    expect(groupBoxText({ label: 'body', nodes: 1, parameters: 0 }).lines).toEqual([]);
  });
});
