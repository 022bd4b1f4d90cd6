import { describe, expect, it } from 'vitest';
import { safeFileName } from './saveFile';

describe('safeFileName', () => {
  it.each([
    ['fc1.weight histogram', 'csv', 'fc1.weight-histogram.csv'],
    ['encoder/body/conv:weight', 'svg', 'encoder-body-conv-weight.svg'],
    ['../../etc/passwd', 'json', 'etc-passwd.json'],
    ['a\u0000b\nc\u202ed', 'csv', 'a-b-c-d.csv'],
    ['CON', 'png', '_CON.png'],
    ['...', 'png', 'export.png'],
    ['', 'png', 'export.png'],
    ['משקל', 'csv', 'משקל.csv'],
  ])('makes of %j a name for %s', (stem, extension, name) => {
    expect(safeFileName(stem, extension)).toBe(name);
  });

  it('keeps both ends of a long name and no half of a character', () => {
    const name = safeFileName(`begin${'😀'.repeat(300)}end`, 'csv');
    expect([...name].length).toBeLessThan(130);
    expect(name.startsWith('begin😀')).toBe(true);
    expect(name.endsWith('😀end.csv')).toBe(true);
    expect(/\p{Surrogate}/u.test(name)).toBe(false);
  });
});
