import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LARGEST_PAYLOAD, PktLineReader, PktLineWriter } from './pktLine';

const reader = (...chunks: readonly (string | Uint8Array)[]) => new PktLineReader(Readable.from(chunks.map((chunk) => Buffer.from(chunk))));

async function content(of: PktLineReader): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let piece = await of.readPiece(); piece !== null; piece = await of.readPiece()) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const lines = async (of: PktLineReader) => (await of.readList())?.map(String) ?? null;

describe('PktLineReader', () => {
  // The examples of gitprotocol-common(5), "pkt-line Format".
  it.each([
    ['0006a\n0000', ['a']],
    ['0005a0000', ['a']],
    ['000bfoobar\n0000', ['foobar']],
    ['00040000', ['']],
    ['0000', []],
    ['000Bfoobar\n0000', ['foobar']],
    ['0007a\n\n0000', ['a\n']],
  ])('reads the list %j', async (text, expected) => {
    expect(await lines(reader(text))).toEqual(expected);
    // Byte by byte.
    expect(await lines(reader(...text))).toEqual(expected);
  });

  it('tells lists and contents apart and ends only between them', async () => {
    const one = reader('0006a\n0000', '0007abc', '0006de00000000', '0006b\n0000');
    expect(await lines(one)).toEqual(['a']);
    expect(String(await content(one))).toBe('abcde');
    expect(String(await content(one))).toBe('');
    expect(await lines(one)).toEqual(['b']);
    expect(await one.readList()).toBeNull();
  });

  it('takes the largest packet and none above it', async () => {
    const payload = Buffer.alloc(LARGEST_PAYLOAD, 7);
    expect(await content(reader('fff0', payload, '0000'))).toEqual(payload);
    await expect(content(reader('fff1', payload, 'x0000'))).rejects.toMatchObject({ code: 'malformed', place: { offset: 4 } });
  });

  it.each([
    ['0001', 'malformed'],
    ['0002', 'malformed'],
    ['0003', 'malformed'],
    ['00zz', 'malformed'],
    ['+005a', 'malformed'],
    ['GET / HTTP', 'malformed'],
    ['00', 'truncated'],
    ['0006a', 'truncated'],
    ['0006a\n', 'truncated'],
  ])('refuses %j as %s, again and again', async (text, code) => {
    const broken = reader(text);
    await expect(broken.readList()).rejects.toMatchObject({ code });
    await expect(broken.readPiece()).rejects.toMatchObject({ code });
    await expect(content(reader(text))).rejects.toMatchObject({ code });
  });

  it('refuses a list without an end', async () => {
    const packet = Buffer.concat([Buffer.from('fff0'), Buffer.alloc(LARGEST_PAYLOAD, 0x61)]);
    await expect(reader(...Array.from({ length: 20 }, () => packet)).readList()).rejects.toMatchObject({ code: 'malformed' });
  });

  it('reads no faster than it is asked', async () => {
    let produced = 0;
    const source = new Readable({
      highWaterMark: 1,
      read() {
        produced++;
        this.push(Buffer.from('0005a'));
      },
    });
    const slow = new PktLineReader(source);
    for (let i = 0; i < 3; i++) await slow.readPiece();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(produced).toBeLessThan(8);
    source.destroy();
  });
});

describe('PktLineWriter', () => {
  async function written(work: (writer: PktLineWriter) => Promise<void>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(Buffer.from(chunk));
        setImmediate(done);
      },
    });
    const writer = new PktLineWriter(output);
    await work(writer);
    await writer.send();
    return Buffer.concat(chunks);
  }

  it('writes lines, content and flush packets', async () => {
    const bytes = await written(async (writer) => {
      await writer.line('status=success');
      await writer.flush();
      await writer.content(Buffer.from('abc'));
      await writer.content(Buffer.alloc(0));
      await writer.content(Buffer.from('de'));
      await writer.flush();
      await writer.line('pathname=', Buffer.from([0xff]));
      await writer.flush();
    });
    expect(bytes.toString('latin1')).toBe('0013status=success\n00000009abcde0000000fpathname=\xff\n0000');
  });

  it('splits content into full packets, which the reader joins', async () => {
    const data = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 31) >> 7));
    const piece = Buffer.alloc(100_000);
    const bytes = await written(async (writer) => {
      // The same buffer again and again, as a pool would give it.
      for (let at = 0; at < data.length; at += piece.length) {
        data.copy(piece, 0, at, at + piece.length);
        await writer.content(piece);
      }
      await writer.flush();
    });
    expect(bytes.toString('latin1', 0, 4)).toBe('fff0');
    expect(bytes.length).toBe(data.length + 4 * Math.ceil(data.length / LARGEST_PAYLOAD) + 4);
    expect((await content(reader(bytes))).equals(data)).toBe(true);
  });

  it('gives a file stream the same memory again once it has written it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'theta-packets-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const data = Buffer.from(Array.from({ length: 5_000_000 }, (_, i) => (i * 37) >> 5));
    const output = createWriteStream(join(folder, 'packets'));
    const writer = new PktLineWriter(output);
    await writer.content(data);
    await writer.flush();
    await writer.send();
    await finished(output.end());
    expect((await content(reader(await readFile(join(folder, 'packets'))))).equals(data)).toBe(true);
  });

  it('waits until the stream has taken what was sent', async () => {
    const taken: (() => void)[] = [];
    const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void taken.push(done) });
    const writer = new PktLineWriter(output);
    await writer.content(Buffer.from('x'));
    let sent = false;
    const sending = writer.send().then(() => {
      sent = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toBe(false);
    taken[0]?.();
    await sending;
  });

  it('waits no longer for a reader that is busy once it is cancelled', async () => {
    const controller = new AbortController();
    const writer = new PktLineWriter(new Writable({ write: () => {} }), controller.signal);
    await writer.content(Buffer.from('x'));
    const sending = writer.send();
    controller.abort();
    await expect(sending).rejects.toMatchObject({ code: 'cancelled' });
    await writer.content(Buffer.from('y'));
    await expect(writer.send()).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('says when nobody reads any more', async () => {
    const output = new PassThrough();
    const writer = new PktLineWriter(output);
    output.destroy();
    await writer.content(Buffer.from('y'));
    await expect(writer.send()).rejects.toMatchObject({ code: 'disconnected' });
    await expect(writer.send()).rejects.toMatchObject({ code: 'disconnected' });
    expect(writer.failure).toMatchObject({ code: 'disconnected' });
  });
});
