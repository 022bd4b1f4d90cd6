import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';

const error = new CheckpointError('internal', 'x');

describe('Loadable', () => {
  const previous: [Loadable<number>, number | undefined][] = [
    [idle, undefined],
    [loading(), undefined],
    [ready(0), 0],
    [loading(ready(2)), 2],
    [failed(error), undefined],
    [failed(error, ready(3)), 3],
  ];

  it.each(previous)('%j has the value %j', (loadable, value) => {
    expect(latest(loadable)).toBe(value);
  });

  it.each(previous)('keeps the value of %j while loading again and when that fails', (loadable, value) => {
    expect(latest(loading(loadable))).toBe(value);
    expect(latest(failed(error, loadable))).toBe(value);
    expect(latest(failed(error, loading(loadable)))).toBe(value);
  });

  it('holds no `last` where there was none', () => {
    expect(loading(idle)).toEqual({ kind: 'loading' });
    expect('last' in failed(error)).toBe(false);
  });
});
