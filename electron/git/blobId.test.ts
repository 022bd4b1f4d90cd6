import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { blobId } from './blobId';

it.each(['', 'text\n', 'größe\u0000'])('gives the id that git gives to %j', (text) => {
  const content = Buffer.from(text);
  const judged = execFileSync('git', ['hash-object', '--stdin'], { input: content, cwd: '/' }).toString().trim();
  expect(blobId(content, 40)).toBe(judged);
});

it('gives ids of SHA-256 repositories', () => {
  // git hash-object of an empty blob in a repository of that object format.
  expect(blobId(new Uint8Array(0), 64)).toBe('473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813');
});
