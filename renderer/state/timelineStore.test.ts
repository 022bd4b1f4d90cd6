import { describe, expect, it, vi } from 'vitest';
import type { TimelineIndex } from '../../shared/model/timeline';
import { differenceOf, statsOf, timelineOf } from '../charts/testing/timelineSamples';
import type { CellNumbers } from './cellNumbers';
import { createNoticeStore } from './noticeStore';
import { createSettingsStore } from './settingsStore';
import { deferred, fakeClient } from './testing/fakeHost';
import { repositoryWith } from './testing/samples';
import { createTimelineStore } from './timelineStore';
import { createWorkspaceStore } from './workspaceStore';

/** 3 commits, rows a and b: both added, a dense at 1, b sparse at 2. */
const INDEX = timelineOf({ rows: ['a', 'b'], columns: [{ a: 'added', b: 'added' }, { a: 'dense' }, { b: 'sparse' }] });

type Answers = Parameters<typeof fakeClient>[0];

async function opened(answers: Answers = {}) {
  const { host, client } = fakeClient({
    'repository/open': () => repositoryWith(),
    'repository/describe': () => repositoryWith(),
    'timeline/index': () => INDEX,
    'timeline/statistics': ({ cells }) =>
      cells.map((_, place) => ({ stats: statsOf({ count: 4, zeros: place, nan: 0, norm: 2 }), histogram: null, error: null })),
    'timeline/differences': ({ cells }) => cells.map(() => ({ numbers: differenceOf({ norm: 0.5, relativeL2: 0.25 }), error: null })),
    ...answers,
  });
  const workspace = createWorkspaceStore({ client, notices: createNoticeStore() });
  const settings = createSettingsStore(null);
  const timeline = createTimelineStore({ client, workspace, settings });
  await workspace.getState().openRepository('/repo');
  return { host, workspace, settings, timeline };
}

async function watched(answers: Answers = {}) {
  const all = await opened(answers);
  const watch = all.timeline.getState().watch();
  await vi.waitFor(() => expect(all.timeline.getState().index.kind).not.toBe('loading'));
  return { ...all, watch };
}

describe('the index', () => {
  it('is asked for only while somebody looks', async () => {
    const { host, timeline } = await opened();
    expect(host.inputs('timeline/index')).toEqual([]);
    timeline.getState().watch();
    await vi.waitFor(() => expect(timeline.getState().index.kind).toBe('ready'));
    expect(host.inputs('timeline/index')).toEqual([{ repository: 'r1', path: 'model.pt', scope: { kind: 'head' } }]);
  });

  it('stays the same object, with its numbers, when a refresh brings nothing new', async () => {
    const { workspace, timeline, host } = await watched();
    const before = timeline.getState();
    await workspace.getState().refresh();
    await vi.waitFor(() => expect(host.inputs('timeline/index')).toHaveLength(2));
    await vi.waitFor(() => expect(timeline.getState().index.kind).toBe('ready'));
    expect(timeline.getState().states).toBe(before.states);
    expect(timeline.getState().numbers).toBe(before.numbers);
  });

  it('keeps numbers when commits are appended, and drops them when history was rewritten', async () => {
    let next: TimelineIndex = INDEX;
    const { workspace, timeline } = await watched({ 'timeline/index': () => next });
    timeline.getState().want([{ source: 'differences', entries: [2] }]);
    await vi.waitFor(() => expect(timeline.getState().numbers?.value('delta', 2)).toBe(0.5));
    next = timelineOf({ rows: ['a', 'b', 'c'], columns: [{ a: 'added', b: 'added' }, { a: 'dense' }, { b: 'sparse' }, { c: 'added' }] });
    await workspace.getState().refresh();
    await vi.waitFor(() => expect(timeline.getState().states?.index.columns).toHaveLength(4));
    expect(timeline.getState().numbers?.value('delta', 2)).toBe(0.5);
    next = timelineOf({ rows: ['z'], columns: [{ z: 'added' }] });
    await workspace.getState().refresh();
    await vi.waitFor(() => expect(timeline.getState().states?.index.columns).toHaveLength(1));
    expect(timeline.getState().numbers?.status('differences', 0)).toBe('unknown');
  });

  it('is another one for another checkpoint or scope, without cells of the first in between', async () => {
    const { workspace, timeline, host, settings } = await watched();
    timeline.getState().setOptions({ scope: 'all' });
    expect(timeline.getState().states).toBeNull();
    expect(settings.getState().values['timeline.scope']).toBe('all');
    await vi.waitFor(() => expect(timeline.getState().index.kind).toBe('ready'));
    workspace.getState().choosePath('other.pt');
    expect(timeline.getState().index).toEqual({ kind: 'loading' });
    await vi.waitFor(() => expect(host.inputs('timeline/index').at(-1)).toMatchObject({ path: 'other.pt', scope: { kind: 'all' } }));
  });

  it('fails with its error, and can be asked for again', async () => {
    const answer = deferred<TimelineIndex>();
    let calls = 0;
    const { timeline } = await watched({ 'timeline/index': () => (calls++ === 0 ? Promise.reject(new Error('broken')) : answer.promise) });
    expect(timeline.getState().index.kind).toBe('failed');
    timeline.getState().retry();
    answer.resolve(INDEX);
    await vi.waitFor(() => expect(timeline.getState().index.kind).toBe('ready'));
  });

  it('is cancelled when nobody looks any more', async () => {
    const { timeline, host } = await opened({ 'timeline/index': () => deferred<TimelineIndex>().promise });
    const watch = timeline.getState().watch();
    await vi.waitFor(() => expect(host.inputs('timeline/index')).toHaveLength(1));
    watch.dispose();
    await vi.waitFor(() => expect(host.calls.find((call) => call.method === 'timeline/index')?.isCancelled).toBe(true));
  });
});

describe('numbers', () => {
  const valuesOf = (numbers: CellNumbers | null, entries: readonly number[]) => entries.map((entry) => numbers?.value('delta', entry));

  it('come in batches of at most 64, and never twice', async () => {
    const rows = Array.from({ length: 300 }, (_, row) => `w${row}`);
    const all = Object.fromEntries(rows.map((row) => [row, 'added'] as const));
    const wide = timelineOf({ rows, columns: [all, Object.fromEntries(rows.map((row) => [row, 'dense'] as const))] });
    const { timeline, host } = await watched({ 'timeline/index': () => wide });
    const entries = rows.map((_, row) => 300 + row);
    timeline.getState().want([{ source: 'differences', entries }]);
    await vi.waitFor(() => expect(valuesOf(timeline.getState().numbers, entries)).toEqual(entries.map(() => 0.5)));
    const sizes = host.inputs('timeline/differences').map((input) => input.cells.length);
    expect(Math.max(...sizes)).toBe(64);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(300);
    timeline.getState().want([{ source: 'differences', entries }]);
    expect(host.inputs('timeline/differences')).toHaveLength(sizes.length);
  });

  it('names commit and group of a cell, and asks nothing about what was added or removed', async () => {
    const { timeline, host } = await watched();
    timeline.getState().want([{ source: 'differences', entries: [0, 1, 2, 3] }]);
    await vi.waitFor(() => expect(timeline.getState().waiting).toBe(0));
    const columns = INDEX.columns;
    expect(host.inputs('timeline/differences').map((input) => input.cells)).toEqual([
      [
        { commit: columns[1]?.commit, group: 'a' },
        { commit: columns[2]?.commit, group: 'b' },
      ],
    ]);
    expect([0, 1, 2, 3].map((entry) => timeline.getState().numbers?.status('differences', entry))).toEqual(['none', 'none', 'known', 'known']);
  });

  it('are cancelled when their cells leave the screen, and asked for again when they come back', async () => {
    const { timeline, host } = await watched({ 'timeline/statistics': () => deferred<never>().promise });
    timeline.getState().want([{ source: 'statistics', entries: [2] }]);
    await vi.waitFor(() => expect(host.inputs('timeline/statistics')).toHaveLength(1));
    timeline.getState().want([{ source: 'statistics', entries: [3, 2] }]);
    expect(host.calls.find((call) => call.method === 'timeline/statistics')?.isCancelled).toBe(false);
    timeline.getState().want([{ source: 'statistics', entries: [3] }]);
    await vi.waitFor(() => expect(host.inputs('timeline/statistics')).toHaveLength(2));
    expect(host.calls.filter((call) => call.method === 'timeline/statistics').map((call) => call.isCancelled)).toEqual([true, false]);
  });

  it('that fail are marked, told, and asked for again only on request', async () => {
    let fails = true;
    const { timeline, host } = await watched({
      'timeline/statistics': ({ cells }) => {
        if (fails) throw new Error('out of order');
        return cells.map(() => ({ stats: statsOf({ norm: 3 }), histogram: null, error: null }));
      },
    });
    timeline.getState().want([{ source: 'statistics', entries: [2, 3] }]);
    await vi.waitFor(() => expect(timeline.getState().numbersError).not.toBeNull());
    expect(timeline.getState().numbers?.status('statistics', 2)).toBe('failed');
    timeline.getState().want([{ source: 'statistics', entries: [2, 3] }]);
    expect(host.inputs('timeline/statistics')).toHaveLength(1);
    fails = false;
    timeline.getState().retryNumbers();
    await vi.waitFor(() => expect(timeline.getState().numbers?.value('norm', 3)).toBe(3));
    expect(timeline.getState().numbersError).toBeNull();
  });
});

describe('options', () => {
  it('are remembered where they are a way to look, not what is looked for', async () => {
    const { timeline, settings } = await opened();
    timeline.getState().setOptions({ measure: 'delta', sort: 'size', cell: 8, pattern: 'bias' });
    expect(settings.getState().values).toEqual({ 'timeline.measure': 'delta', 'timeline.sort': 'size', 'timeline.cell': 8 });
  });

  it('do not filter by a range that is gone', async () => {
    const { timeline } = await opened();
    const [from, , to] = INDEX.columns.map((column) => column.commit);
    if (from === undefined || to === undefined) throw new RangeError('The sample has three columns');
    timeline.getState().setOptions({ range: { from, to }, changedInRange: true });
    expect(timeline.getState().options.changedInRange).toBe(true);
    timeline.getState().setOptions({ range: null });
    expect(timeline.getState().options.changedInRange).toBe(false);
  });
});
