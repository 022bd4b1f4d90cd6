import { describe, expect, it } from 'vitest';
import type { CommitHash } from '../../shared/model/commit';
import { formatLink, type Link, parseLink } from './link';

const commit = 'a'.repeat(40) as CommitHash;
const whole: Link = {
  repository: '/data/my models',
  view: 'history',
  path: 'sub/model.pt',
  commit,
  group: 'encoder/body/weight',
  a: null,
  b: null,
  twoGraphs: false,
};

describe('link', () => {
  it('reads well', () => {
    expect(formatLink(whole)).toBe(`#repo=/data/my%20models&path=sub/model.pt&commit=${commit}&group=encoder/body/weight`);
    expect(formatLink(null)).toBe('');
  });

  it.each<Link>([
    whole,
    { ...whole, view: 'parameters' },
    { ...whole, view: 'graph', a: { kind: 'worktree', repository: null, path: 'm.onnx' }, b: { kind: 'file', path: '/m.onnx' }, twoGraphs: true },
    {
      ...whole,
      view: 'compare',
      a: { kind: 'revision', repository: null, revision: 'feature/x&y', path: 'sub/model.pt' },
      b: { kind: 'file', path: 'C:\\base models\\50% +1.pt' },
    },
    { repository: 'C:\\models', view: 'compare', path: null, commit: null, group: null, a: null, b: null, twoGraphs: false },
    { repository: '/ä &=#?%2F+ 模型/\u202e', view: 'history', path: 'a+b=c&d.pt', commit: null, group: '__proto__', a: null, b: null, twoGraphs: false },
    { repository: '/r', view: 'history', path: null, commit, group: 'x'.repeat(300), a: null, b: null, twoGraphs: false },
  ])('comes back as it was: $repository', (link) => {
    expect(parseLink(formatLink(link))).toEqual(link);
  });

  it.each(['', '#', '#path=x', '#repo=', '#nonsense', '#repo'])('is none in %j', (fragment) => {
    expect(parseLink(fragment)).toBeNull();
  });

  it('names every view but the history, and takes an unknown one for it', () => {
    expect(formatLink({ ...whole, view: 'compare' })).toContain('&view=compare&');
    expect(parseLink('#repo=/r&view=__proto__')?.view).toBe('history');
  });

  it('leaves out what is no commit', () => {
    expect(parseLink('#repo=/r&commit=main')?.commit).toBeNull();
    expect(parseLink('#repo=/r&commit=__proto__')?.commit).toBeNull();
  });

  it('survives broken percent signs and lone surrogates', () => {
    expect(parseLink('#repo=%E0%A4%A')?.repository).toBeTypeOf('string');
    expect(parseLink(formatLink({ ...whole, group: '\ud800' }))?.group).toBe('\ufffd');
  });
});
