import { describe, expect, it } from 'vitest';
import { formatSide, parseSide, type SideChoice } from './sideChoice';

describe('formatSide', () => {
  it('reads well', () => {
    expect(formatSide({ kind: 'revision', repository: null, revision: 'HEAD~2', path: 'sub/model.pt' })).toBe('rev:HEAD~2:sub/model.pt');
    expect(formatSide({ kind: 'worktree', repository: null, path: 'model.pt' })).toBe('tree:model.pt');
    expect(formatSide({ kind: 'file', path: '/data/base.pt' })).toBe('file:/data/base.pt');
  });

  it.each<SideChoice>([
    { kind: 'revision', repository: null, revision: 'a'.repeat(40), path: 'model.pt' },
    { kind: 'revision', repository: 'C:\\base models', revision: ':/fix: 5%', path: 'a:b%3A.pt' },
    { kind: 'worktree', repository: '/data/שלום', path: 'x/מודל.pt' },
    { kind: 'file', path: 'C:\\models\\50%.pt' },
  ])('comes back as it was: $kind $path', (choice) => {
    expect(parseSide(formatSide(choice))).toEqual(choice);
  });

  it.each(['', 'rev', 'rev:', 'rev:main', 'rev:main:../x', 'rev:main:/etc/passwd', 'tree:', 'file:', 'file:a:b', 'rev:a:b:c:d', '__proto__:x'])(
    'reads no side from %j',
    (text) => {
      expect(parseSide(text)).toBeNull();
    },
  );
});
