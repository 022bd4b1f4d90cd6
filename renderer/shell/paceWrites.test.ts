import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paceWrites } from './paceWrites';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs rare requests at once', () => {
  const run = vi.fn();
  const pace = paceWrites(run, { burst: 2, restMs: 100 }, Date.now);
  pace.request();
  expect(run).toHaveBeenCalledTimes(1);
  pace.request();
  expect(run).toHaveBeenCalledTimes(2);
});

it('thins out a flood and still runs for its last request', () => {
  const run = vi.fn();
  const pace = paceWrites(run, { burst: 2, restMs: 100 }, Date.now);
  for (let i = 0; i < 1000; i++) {
    pace.request();
    vi.advanceTimersByTime(1);
  }
  expect(run.mock.calls.length).toBeGreaterThanOrEqual(11);
  expect(run.mock.calls.length).toBeLessThanOrEqual(12);
  const before = run.mock.calls.length;
  pace.request();
  vi.advanceTimersByTime(100);
  expect(run).toHaveBeenCalledTimes(before + 1);
});

it('flushes what is due, once, and forgets what is cancelled', () => {
  const run = vi.fn();
  const pace = paceWrites(run, { burst: 1, restMs: 100 }, Date.now);
  pace.request();
  pace.request();
  pace.flush();
  pace.flush();
  expect(run).toHaveBeenCalledTimes(2);
  pace.request();
  pace.cancel();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(2);
});
