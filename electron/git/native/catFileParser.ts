import { CheckpointError } from '../../../shared/contract/errors';

export type CatFileReply =
  | { readonly kind: 'object'; readonly oid: string; readonly type: string; readonly size: number; readonly bytes: Uint8Array }
  /** Larger than the request's limit; its contents were not read. */
  | { readonly kind: 'large'; readonly oid: string; readonly type: string; readonly size: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous' };

interface Body {
  readonly oid: string;
  readonly type: string;
  readonly size: number;
  readonly bytes: Buffer;
  /** Bytes received, counting the newline that ends the contents. */
  received: number;
}

const LONGEST_HEADER = 1 << 16;
const EMPTY = new Uint8Array();

/**
 * Turns the output of `git cat-file --batch` or `--batch-check` into replies: `<oid> <type> <size>\n`, with `--batch`
 * followed by the contents and `\n`; `<spec> missing\n` or `<spec> ambiguous\n` (git-cat-file(1), "BATCH OUTPUT").
 * Contents may hold anything; they are counted, never searched.
 */
export class CatFileParser {
  readonly #mode: 'contents' | 'check';
  readonly #current: () => { readonly spec: string; readonly limit: number } | null;
  #header: Buffer[] = [];
  #headerLength = 0;
  #body: Body | null = null;

  constructor(mode: 'contents' | 'check', current: () => { readonly spec: string; readonly limit: number } | null) {
    this.#mode = mode;
    this.#current = current;
  }

  /** Replies that a piece of output completes. The caller takes each before asking for the next. @throws internal on output that fits no request */
  *push(chunk: Buffer): Generator<CatFileReply> {
    let position = 0;
    while (position < chunk.length) {
      if (this.#body !== null) {
        position += this.#fill(this.#body, chunk.subarray(position));
        if (this.#body.received === this.#body.size + 1) {
          const { oid, type, size, bytes } = this.#body;
          this.#body = null;
          yield { kind: 'object', oid, type, size, bytes };
        }
        continue;
      }
      const end = chunk.indexOf(0x0a, position);
      const piece = chunk.subarray(position, end === -1 ? chunk.length : end);
      this.#header.push(piece);
      this.#headerLength += piece.length;
      if (end === -1) {
        if (this.#headerLength > LONGEST_HEADER) throw unexpected('a line that does not end');
        return;
      }
      position = end + 1;
      const line = Buffer.concat(this.#header).toString('utf8');
      this.#header = [];
      this.#headerLength = 0;
      const reply = this.#read(line);
      if (reply !== null) yield reply;
    }
  }

  /** The reply that a line is, or `null` when contents follow. */
  #read(line: string): CatFileReply | null {
    const request = this.#current();
    if (request === null) throw unexpected(line);
    if (line === `${request.spec} missing`) return { kind: 'missing' };
    if (line === `${request.spec} ambiguous`) return { kind: 'ambiguous' };
    const match = /^([0-9a-f]{40}|[0-9a-f]{64}) ([a-z]+) (\d+)$/.exec(line);
    if (match === null) {
      // Newer versions name the object that a submodule's path leads to, which is never here.
      if (/^[0-9a-f]{40,64} (?:missing|submodule)$/.test(line)) return { kind: 'missing' };
      throw unexpected(line);
    }
    const [, oid = '', type = '', digits = ''] = match;
    const size = Number(digits);
    if (this.#mode === 'check') return { kind: 'object', oid, type, size, bytes: EMPTY };
    if (size > request.limit) return { kind: 'large', oid, type, size };
    this.#body = { oid, type, size, bytes: Buffer.allocUnsafeSlow(size), received: 0 };
    return null;
  }

  #fill(body: Body, available: Buffer): number {
    const wanted = body.size + 1 - body.received;
    const taken = Math.min(wanted, available.length);
    // The newline after the contents is counted but not kept.
    available.copy(body.bytes, body.received, 0, Math.min(taken, body.size - body.received));
    body.received += taken;
    return taken;
  }
}

function unexpected(line: string): CheckpointError {
  return new CheckpointError('internal', 'git answered with something else than what was asked for.', { detail: line.slice(0, 500) });
}
