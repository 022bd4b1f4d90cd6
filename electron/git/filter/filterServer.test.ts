import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../../shared/contract/errors';
import { delaySmudges } from './delaySmudges';
import type { FilterHandler, FilterResult } from './filterHandler';
import { serveFilter } from './filterServer';
import { PktLineReader } from './pktLine';

/** Packets by hand: a string is a line with its newline, `null` a flush packet, bytes are content. */
type Script = readonly (string | Uint8Array | null)[];

function packets(script: Script): Buffer {
  return Buffer.concat(
    script.map((part) => {
      if (part === null) return Buffer.from('0000');
      const payload = typeof part === 'string' ? Buffer.from(`${part}\n`) : part;
      return Buffer.concat([Buffer.from((payload.length + 4).toString(16).padStart(4, '0')), payload]);
    }),
  );
}

const GREETING: Script = ['git-filter-client', 'version=2', null, 'capability=clean', 'capability=smudge', 'capability=delay', null];
const text = (content: string) => Buffer.from(content);

async function* pieces(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function read(content: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of content) all.push(Buffer.from(piece));
  return Buffer.concat(all).toString('utf8');
}

const upper = async (content: AsyncIterable<Uint8Array>): Promise<FilterResult> => ({ content: pieces((await read(content)).toUpperCase()) });

function handlerOf(parts: Partial<FilterHandler> = {}): FilterHandler & { readonly reports: CheckpointError[] } {
  const reports: CheckpointError[] = [];
  return {
    reports,
    clean: ({ content }) => upper(content),
    smudge: async ({ content }) => ({ content: pieces((await read(content)).toLowerCase()) }),
    report: (error) => reports.push(error),
    ...parts,
  };
}

/** All that the server writes when it is told all of this at once. */
async function converse(script: Script, handler: FilterHandler): Promise<string> {
  const input = new PassThrough();
  const output = new PassThrough();
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(chunk));
  input.end(packets(script));
  await serveFilter({ input, output, handler });
  return Buffer.concat(chunks).toString('latin1');
}

const OPENING = packets(['git-filter-server', 'version=2', null, 'capability=clean', 'capability=smudge', null]).toString('latin1');
const OPENING_WITH_DELAY = packets(['git-filter-server', 'version=2', null, 'capability=clean', 'capability=smudge', 'capability=delay', null]).toString(
  'latin1',
);
const answer = (...script: Script) => packets(script).toString('latin1');
const success = (content: string) => answer('status=success', null, ...(content === '' ? [] : [text(content)]), null, null);
const clean = (pathname: string, ...content: Script): Script => ['command=clean', `pathname=${pathname}`, null, ...content, null];

describe('serveFilter', () => {
  it('greets and ends with git', async () => {
    expect(await converse(GREETING, handlerOf())).toBe(OPENING);
    expect(await converse([], handlerOf())).toBe('');
  });

  it('offers only what git offers, and ignores what it does not know', async () => {
    const offered = ['git-filter-client', 'version=2', 'version=3', null, 'capability=smudge', 'capability=not-yet-invented', null];
    expect(await converse(offered, handlerOf())).toBe(answer('git-filter-server', 'version=2', null, 'capability=smudge', null));
    expect(await converse(GREETING, handlerOf({ nextAvailable: async () => [] }))).toBe(OPENING_WITH_DELAY);
  });

  it('filters many files in one run', async () => {
    const script = [
      ...GREETING,
      ...clean('a.pt', text('abc'), text('def')),
      ...clean('empty.pt'),
      'command=smudge',
      'pathname=dir/b ä.pt',
      'ref=refs/heads/main',
      'treeish=1111111111111111111111111111111111111111',
      'blob=2222222222222222222222222222222222222222',
      'can-delay=1',
      null,
      text('XY'),
      null,
    ];
    const asked: unknown[] = [];
    const handler = handlerOf({
      smudge: async ({ content, signal, ...facts }) => {
        asked.push({ ...facts, aborted: signal.aborted });
        return { content: pieces((await read(content)).toLowerCase(), '', '!') };
      },
    });
    expect(await converse(script, handler)).toBe(OPENING + success('ABCDEF') + success('') + success('xy!'));
    expect(asked).toEqual([
      {
        pathname: 'dir/b ä.pt',
        ref: 'refs/heads/main',
        treeish: '1111111111111111111111111111111111111111',
        blob: '2222222222222222222222222222222222222222',
        // Without nextAvailable nothing can be delayed.
        canDelay: false,
        aborted: false,
      },
    ]);
  });

  it('gives a path with a line break as it is', async () => {
    const seen: string[] = [];
    const handler = handlerOf({
      clean: async ({ pathname, content }) => {
        seen.push(pathname);
        return upper(content);
      },
    });
    expect(await converse([...GREETING, ...clean('a\nb=c.pt', text('x'))], handler)).toBe(OPENING + success('X'));
    expect(seen).toEqual(['a\nb=c.pt']);
  });

  it('fails only the file whose handler throws, early or late, and reads its content to the end', async () => {
    const handler = handlerOf({
      clean: async ({ pathname, content }) => {
        if (pathname === 'early') throw new CheckpointError('malformed', 'Not a checkpoint.');
        if (pathname === 'middle') for await (const _ of content) throw new Error('half read');
        if (pathname === 'late') {
          await read(content);
          throw new CheckpointError('no-space', 'The disk is full.');
        }
        if (pathname === 'unread') return { content: pieces('nothing needed') };
        return upper(content);
      },
      givesUp: ({ code }) => code === 'no-space',
    });
    const big = Buffer.alloc(60_000, 0x61);
    const script = [...GREETING, ...['early', 'middle', 'late', 'unread', 'good'].flatMap((path) => clean(path, text('one'), big, big, text('two')))];
    expect(await converse(script, handler)).toBe(
      OPENING +
        answer('status=error', null) +
        answer('status=error', null) +
        answer('status=abort', null) +
        success('nothing needed') +
        // Larger than a packet, so it comes in two.
        answer('status=success', null, text(`ONE${'A'.repeat(65_513)}`), text(`${'A'.repeat(54_487)}TWO`), null, null),
    );
    expect(handler.reports.map(({ code, message, place }) => [code, message, place.file])).toEqual([
      ['malformed', 'Not a checkpoint.', 'early'],
      ['internal', 'half read', 'middle'],
      ['no-space', 'The disk is full.', 'late'],
    ]);
  });

  it('takes back a success when the content fails or has another size', async () => {
    const disposed: string[] = [];
    const handler = handlerOf({
      clean: async ({ pathname, content }) => {
        await read(content);
        async function* failing() {
          yield text('half');
          throw new CheckpointError('corrupt-object', 'An object is damaged.');
        }
        const dispose = async () => void disposed.push(pathname);
        return pathname === 'short'
          ? { size: 5, content: pieces('four'), dispose }
          : pathname === 'right'
            ? { size: 4, content: pieces('four'), dispose }
            : { content: failing(), dispose };
      },
    });
    const script = [...GREETING, ...clean('broken', text('x')), ...clean('short', text('x')), ...clean('right', text('x'))];
    expect(await converse(script, handler)).toBe(
      OPENING +
        answer('status=success', null, text('half'), null, 'status=error', null) +
        answer('status=success', null, text('four'), null, 'status=error', null) +
        success('four'),
    );
    expect(handler.reports.map(({ code, place }) => [code, place.file])).toEqual([
      ['corrupt-object', 'broken'],
      ['internal', 'short'],
    ]);
    expect(disposed).toEqual(['broken', 'short', 'right']);
  });

  it('refuses content that is read after the answer', async () => {
    const handler = handlerOf({ clean: async ({ content }) => ({ content }) });
    expect(await converse([...GREETING, ...clean('a', text('x')), ...clean('b')], handler)).toBe(
      OPENING + answer('status=success', null, null, 'status=error', null).repeat(2),
    );
    expect(handler.reports[0]).toMatchObject({ code: 'internal', message: 'The content of a file was read after its answer.' });
  });

  it.each([
    ['another greeting', ['git-filter-server', 'version=2', null]],
    ['another version', ['git-filter-client', 'version=3', null]],
    ['an unknown command', [...GREETING, 'command=explode', 'pathname=a', null]],
    ['no command', [...GREETING, 'pathname=a', null]],
    ['no path', [...GREETING, 'command=clean', null, null]],
  ])('refuses %s', async (_, script) => {
    await expect(converse(script, handlerOf())).rejects.toMatchObject({ code: 'malformed' });
  });

  it('ends with an error when git stops within a file, and closes the handler', async () => {
    const closed: string[] = [];
    const handler = handlerOf({ close: async () => void closed.push('closed') });
    await expect(converse([...GREETING, 'command=clean', 'pathname=a', null, text('abc')], handler)).rejects.toMatchObject({ code: 'truncated' });
    expect(closed).toEqual(['closed']);
    expect(handler.reports).toEqual([]);
  });

  it('says so when nobody reads the answers', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    output.destroy();
    input.end(packets(GREETING));
    await expect(serveFilter({ input, output, handler: handlerOf() })).rejects.toMatchObject({ code: 'disconnected' });
  });

  it.each(['waiting for git', 'within a handler'])('is cancelled %s', async (when) => {
    const controller = new AbortController();
    const input = new PassThrough();
    const output = new PassThrough().resume();
    input.write(packets(when === 'waiting for git' ? GREETING : [...GREETING, ...clean('a', text('x'))]));
    const aborted: boolean[] = [];
    const handler = handlerOf({
      clean: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
      close: async () => void aborted.push(controller.signal.aborted),
    });
    const serving = serveFilter({ input, output, handler, signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(serving).rejects.toMatchObject({ code: 'cancelled' });
    expect(aborted).toEqual([true]);
    expect(handler.reports).toEqual([]);
  });
});

describe('serveFilter with delaySmudges', () => {
  /** Talks like git: reads each answer before it goes on. */
  function peer(handler: FilterHandler) {
    const input = new PassThrough();
    const output = new PassThrough();
    const served = serveFilter({ input, output, handler });
    const reader = new PktLineReader(output);
    const list = async () => (await reader.readList())?.map((line) => line.toString('latin1'));
    const content = async () => {
      let all = '';
      for (let piece = await reader.readPiece(); piece !== null; piece = await reader.readPiece()) all += Buffer.from(piece).toString('utf8');
      return all;
    };
    return {
      served,
      async greet() {
        input.write(packets(GREETING));
        return [await list(), await list()];
      },
      async smudge(path: string | Uint8Array, file: string | null) {
        const line = Buffer.concat([Buffer.from('pathname='), Buffer.from(path), Buffer.from('\n')]);
        input.write(packets(['command=smudge', line, ...(file === null ? [] : ['can-delay=1']), null, ...(file === null ? [] : [text(file)]), null]));
        const status = await list();
        if (status?.[0] !== 'status=success') return status;
        const result = await content();
        return (await list())?.length === 0 ? result : 'failed';
      },
      async available() {
        input.write(packets(['command=list_available_blobs', null]));
        return [await list(), await list()];
      },
      async end() {
        input.end();
        await served;
      },
    };
  }

  /** Smudges that end when the test says so. */
  function controlled() {
    const running = new Map<string, { readonly finish: (error?: Error) => void; readonly signal: AbortSignal }>();
    let most = 0;
    const disposed: string[] = [];
    const direct = {
      clean: ({ content }: { content: AsyncIterable<Uint8Array> }) => upper(content),
      report: () => {},
      smudge: ({ pathname, content, signal }: { pathname: string; content: AsyncIterable<Uint8Array>; signal: AbortSignal }) =>
        new Promise<FilterResult>((resolve, reject) => {
          const finish = (error?: Error) => {
            running.delete(pathname);
            if (error !== undefined) reject(error);
            else read(content).then((all) => resolve({ content: pieces(`made of ${all}`), dispose: async () => void disposed.push(pathname) }), reject);
          };
          running.set(pathname, { finish, signal });
          signal.addEventListener('abort', () => finish(new Error('aborted')));
          most = Math.max(most, running.size);
        }),
    };
    return { direct, running, disposed, most: () => most };
  }

  it('makes several files at once, a bounded number of them, and gives each when git asks again', async () => {
    const { direct, running, disposed, most } = controlled();
    const git = peer(delaySmudges(direct, { concurrency: 2 }));
    expect(await git.greet()).toEqual([
      ['git-filter-server', 'version=2'],
      ['capability=clean', 'capability=smudge', 'capability=delay'],
    ]);
    for (const path of ['a', 'b', 'c', 'd']) expect(await git.smudge(path, path.toUpperCase())).toEqual(['status=delayed']);
    expect([...running.keys()]).toEqual(['a', 'b']);
    setTimeout(() => running.get('b')?.finish(), 20);
    expect(await git.available()).toEqual([['pathname=b'], ['status=success']]);
    // A file that is done keeps its place until it is taken: nothing piles up.
    expect([...running.keys()]).toEqual(['a']);
    expect(await git.smudge('b', null)).toBe('made of B');
    expect([...running.keys()]).toEqual(['a', 'c']);
    running.get('a')?.finish(new Error('broken'));
    running.get('c')?.finish();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await git.available()).toEqual([['pathname=a', 'pathname=c'], ['status=success']]);
    expect(await git.smudge('a', null)).toEqual(['status=error']);
    expect(await git.smudge('c', null)).toBe('made of C');
    running.get('d')?.finish();
    expect(await git.available()).toEqual([['pathname=d'], ['status=success']]);
    expect(await git.smudge('d', null)).toBe('made of D');
    expect(await git.available()).toEqual([[], ['status=success']]);
    await git.end();
    expect(most()).toBe(2);
    expect(disposed).toEqual(['b', 'c', 'd']);
  });

  it('makes a file at once when too much would have to be held, when git needs it now, or when its name is not UTF-8', async () => {
    const { direct, running } = controlled();
    const git = peer(delaySmudges(direct, { concurrency: 1, memory: 10 }));
    await git.greet();
    const soon = (path: string) => setTimeout(() => running.get(path)?.finish(), 20);
    expect(await git.smudge('held', '12345678')).toEqual(['status=delayed']);
    soon('large');
    expect(await git.smudge('large', '1234')).toBe('made of 1234');
    soon('now');
    expect(await git.smudge('now', null)).toBe('made of ');
    soon('\ufffd.pt');
    expect(await git.smudge(Buffer.from([0xff, 0x2e, 0x70, 0x74]), '1')).toBe('made of 1');
    expect(await git.smudge('small', '12')).toEqual(['status=delayed']);
    soon('held');
    expect(await git.available()).toEqual([['pathname=held'], ['status=success']]);
    expect(await git.smudge('held', null)).toBe('made of 12345678');
    soon('small');
    expect(await git.available()).toEqual([['pathname=small'], ['status=success']]);
    expect(await git.smudge('small', null)).toBe('made of 12');
    await git.end();
  });

  it('gives up what git does not come back for', async () => {
    const { direct, running, disposed } = controlled();
    const git = peer(delaySmudges(direct, { concurrency: 2 }));
    await git.greet();
    for (const path of ['a', 'b', 'c']) await git.smudge(path, path);
    const signal = running.get('a')?.signal;
    running.get('b')?.finish();
    // The same path again, as in another checkout of the same git process.
    expect(await git.smudge('a', 'second')).toEqual(['status=delayed']);
    expect(signal?.aborted).toBe(true);
    await git.end();
    expect(disposed).toEqual(['b']);
    expect(running.size).toBe(0);
  });
});
