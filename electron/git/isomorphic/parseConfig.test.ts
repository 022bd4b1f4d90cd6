import { describe, expect, it, onTestFinished } from 'vitest';
import { makeRepository } from '../testing/testRepository';
import { parseConfig } from './parseConfig';

/** git itself says what a file means. */
async function byGit(text: string): Promise<readonly (readonly [string, string])[] | null> {
  const test = await makeRepository();
  onTestFinished(() => test.dispose());
  await test.write('config-under-test', text);
  const output = await test.git(['config', '--file', 'config-under-test', '--list', '-z', '--no-includes']).catch(() => null);
  if (output === null) return null;
  return output
    .split('\0')
    .filter((item) => item !== '')
    .map((item) => (item.includes('\n') ? [item.slice(0, item.indexOf('\n')), item.slice(item.indexOf('\n') + 1)] : [item, 'true']));
}

describe('parseConfig', () => {
  it.each([
    '',
    '[core]\n\tbare = false\n',
    '\ufeff[core]\r\n\tbare = false\r\n\tx = y z\r\n',
    '[a]b=c\n[A "Sub Section.x"]B = d\n[a.OLD]\nk=v',
    '[a "q\\"u\\\\o\\te"]\nk = v',
    '[a]\nk = " spaces " # comment\nl = a;b\nm = "a;b" ; c\nn =   inner   space   \no = a"b c"d',
    '[a]\nk = one \\\n  two\nl = tab\\tnew\\nline\\\\ \\"q\\"',
    '[a]\nswitch\nother\n  third ; comment\nempty =\nquoted = ""',
    '# only\n; comments\n\n[a] ; here too\nk = v # and here',
    '[a]\nk-1 = x\nK-1 = y\n[a ""]\nk = z',
    '[a]\n1k = bad',
    '[a]\nk_x = bad',
    '[a]\nk = "open',
    '[a]\nk = bad\\escape',
    '[a\nk = v',
    'k = v',
    '[a "b]\nk = v',
    '[a b]\nk = v',
    '[a]\nk v',
    '[__proto__]\nconstructor = 1\n',
    '[http "https://example.org:8443/"]\n\tproxy = http://[::1]:80/#x',
  ])('means what git says: %j', async (text) => {
    const expected = await byGit(text);
    if (expected === null) expect(() => parseConfig(text)).toThrow(expect.objectContaining({ code: 'malformed' }));
    else expect(parseConfig(text)).toEqual(expected);
  });
});
