import { expect, it, onTestFinished } from 'vitest';
import { makeRepository } from '../../testing/testRepository';
import type { Settings } from './transferSettings';
import { httpSetting, httpSettings } from './urlMatch';

const PATTERNS = [
  'https://example.com',
  'https://example.com/',
  'https://example.com/a',
  'https://example.com/a/b/',
  'https://user@example.com/a',
  'https://other@example.com/a/b/c',
  'https://*.example.com',
  'https://sub.example.com/a',
  'https://example.com:8443',
  'http://example.com',
  'https://EXAMPLE.com/a',
];
const ADDRESSES = [
  'https://example.com/a/b/c',
  'https://example.com/ab',
  'https://example.com',
  'https://user@example.com/a/b',
  'https://sub.example.com/a/b',
  'https://sub.example.com/x',
  'https://deep.sub.example.com/x',
  'https://example.com:8443/a',
  'https://example.com:443/a',
  'http://example.com/a',
  'http://example.com:80/a',
  'https://example.org/',
];

it('chooses among http.<url> as git does', async () => {
  const test = await makeRepository();
  onTestFinished(() => test.dispose());
  await test.git(['config', 'http.userAgent', 'plain']);
  for (const pattern of PATTERNS) await test.git(['config', `http.${pattern}.userAgent`, pattern]);
  const settings: Settings = [['http.useragent', 'plain'], ...PATTERNS.map((pattern) => [`http.${pattern}.useragent`, pattern] as const)];
  for (const address of ADDRESSES) {
    const expected = await test.git(['config', '--get-urlmatch', 'http.userAgent', address]);
    expect([address, httpSetting(settings, 'userAgent', new URL(address))]).toEqual([address, expected]);
  }
});

it('gives all values of the nearest match', () => {
  const settings: Settings = [
    ['http.extraheader', 'A: 1'],
    ['http.https://h/.extraheader', 'B: 1'],
    ['http.https://h/.extraheader', 'B: 2'],
  ];
  expect(httpSettings(settings, 'extraHeader', new URL('https://h/x'))).toEqual(['B: 1', 'B: 2']);
  expect(httpSettings(settings, 'extraHeader', new URL('https://i/x'))).toEqual(['A: 1']);
});
