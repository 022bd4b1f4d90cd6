import { describe, expect, it } from 'vitest';
import { writeSvg } from './svgText';

describe('writeSvg', () => {
  it('escapes text and values, and leaves out what XML has no character for', () => {
    const text = writeSvg({
      name: 'svg',
      attributes: [
        ['xmlns', 'http://www.w3.org/2000/svg'],
        ['aria-label', 'a "b" <c> & d\n'],
      ],
      children: [
        { name: 'text', attributes: [], children: ['</text><script>alert(1)</script>\u0000\u001b\ud800\uffff'] },
        { name: 'g', attributes: [], children: [] },
      ],
    });
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" aria-label="a &quot;b&quot; &lt;c&gt; &amp; d&#10;"><text>&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;\ufffd</text><g/></svg>\n',
    );
  });
});
