import type { Writable } from 'node:stream';
import { cancelledError, throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteInput } from '../../bytes/pipeInput';
import { decodeUtf8 } from '../decodeText';
import type { FilterHandler, FilterResult } from './filterHandler';
import { PktLineReader, PktLineWriter } from './pktLine';
import { RequestContent } from './requestContent';

export interface ServeFilterOptions {
  /** What git writes and reads: the standard input and output of the process. Both belong to the server from now on. */
  readonly input: ByteInput;
  readonly output: Writable;
  readonly handler: FilterHandler;
  readonly signal?: AbortSignal;
}

interface Conversation {
  readonly reader: PktLineReader;
  readonly writer: PktLineWriter;
  readonly handler: FilterHandler;
  readonly signal: AbortSignal;
  /** Paths of delayed files as git spelt them. */
  readonly delayed: Map<string, Uint8Array>;
}

type Keys = ReadonlyMap<string, Buffer>;

/**
 * Serves git's long-running filter process protocol, version 2 (gitattributes(5), "Long Running Filter Process"), until git closes the
 * input. Files come one after another; memory does not grow with them.
 * @throws malformed, truncated (git was stopped while it sent), disconnected, cancelled. Errors of single files go to git and to `handler.report`.
 */
export async function serveFilter({ input, output, handler, signal = new AbortController().signal }: ServeFilterOptions): Promise<void> {
  const stop = () => void input.destroy(cancelledError());
  signal.addEventListener('abort', stop, { once: true });
  try {
    throwIfCancelled(signal);
    const conversation: Conversation = { reader: new PktLineReader(input), writer: new PktLineWriter(output, signal), handler, signal, delayed: new Map() };
    if (await greet(conversation)) while (await answerNext(conversation));
  } catch (error) {
    throwIfCancelled(signal);
    throw CheckpointError.from(error);
  } finally {
    signal.removeEventListener('abort', stop);
    input.destroy();
    await handler.close?.();
  }
}

/** @returns whether there is a git that wants anything */
async function greet({ reader, writer, handler }: Conversation): Promise<boolean> {
  const welcome = await reader.readList();
  if (welcome === null) return false;
  const [client, ...versions] = welcome.map((line) => line.toString('latin1'));
  if (client !== 'git-filter-client') throw malformed('It does not begin with “git-filter-client”.');
  if (!versions.includes('version=2')) throw malformed('It does not know version 2 of it.');
  await writer.line('git-filter-server');
  await writer.line('version=2');
  await writer.flush();
  await writer.send();
  const offered = new Set((await reader.readList())?.map((line) => line.toString('latin1')));
  const able = ['clean', 'smudge', ...(handler.nextAvailable === undefined ? [] : ['delay'])];
  for (const capability of able.map((name) => `capability=${name}`)) if (offered.has(capability)) await writer.line(capability);
  await writer.flush();
  await writer.send();
  return true;
}

async function answerNext(conversation: Conversation): Promise<boolean> {
  const lines = await conversation.reader.readList();
  if (lines === null) return false;
  const keys: Keys = new Map(
    lines.map((line) => {
      const equals = line.indexOf('=');
      return [line.toString('latin1', 0, equals === -1 ? line.length : equals), line.subarray(equals === -1 ? line.length : equals + 1)];
    }),
  );
  const command = keys.get('command')?.toString('latin1') ?? '';
  if (command === 'list_available_blobs') await listAvailable(conversation);
  else if (command === 'clean' || command === 'smudge') await answerFile(conversation, command, keys);
  else throw malformed(`It asks for “${command.slice(0, 100)}”.`);
  throwIfCancelled(conversation.signal);
  return true;
}

async function answerFile(conversation: Conversation, command: 'clean' | 'smudge', keys: Keys): Promise<void> {
  const { reader, writer, handler } = conversation;
  const path = keys.get('pathname');
  if (path === undefined || path.length === 0) throw malformed('It names no file.');
  const pathname = decodeUtf8(path);
  const content = new RequestContent(reader);
  let result: FilterResult | 'delayed' | null = null;
  let failure: unknown;
  try {
    result = await ask(conversation, command, { keys, pathname, content, exact: Buffer.from(pathname).equals(path) });
  } catch (error) {
    failure = error;
  }
  try {
    await content.drain();
    throwIfCancelled(conversation.signal);
    if (result === 'delayed') {
      conversation.delayed.set(pathname, Uint8Array.from(path));
      await answerStatus(writer, 'delayed');
    } else if (result === null) {
      const error = CheckpointError.from(failure).at({ file: pathname });
      handler.report(error);
      await answerStatus(writer, handler.givesUp?.(error) === true ? 'abort' : 'error');
    } else await answerContent(conversation, pathname, result);
  } finally {
    if (result !== null && result !== 'delayed') await result.dispose?.();
  }
}

async function ask(
  { handler, signal }: Conversation,
  command: 'clean' | 'smudge',
  file: { readonly keys: Keys; readonly pathname: string; readonly content: RequestContent; readonly exact: boolean },
): Promise<FilterResult | 'delayed'> {
  const { keys, pathname, content, exact } = file;
  if (command === 'clean') return handler.clean({ pathname, content, signal });
  const text = (key: string) => keys.get(key)?.toString('utf8') ?? null;
  // Two names that are not UTF-8 may look the same, so they are never left for later.
  const canDelay = keys.has('can-delay') && handler.nextAvailable !== undefined && exact;
  const result = await handler.smudge({ pathname, content, signal, ref: text('ref'), treeish: text('treeish'), blob: text('blob'), canDelay });
  if (result === 'delayed' && !canDelay) throw new CheckpointError('internal', 'A file was delayed that git needs now.');
  return result;
}

async function answerStatus(writer: PktLineWriter, status: 'success' | 'error' | 'abort' | 'delayed'): Promise<void> {
  await writer.line(`status=${status}`);
  await writer.flush();
  await writer.send();
}

/** Status, content, and a second status: an empty list confirms the first. */
async function answerContent({ writer, handler, signal }: Conversation, pathname: string, { content, size }: FilterResult): Promise<void> {
  await writer.line('status=success');
  await writer.flush();
  let failure: CheckpointError | null = null;
  try {
    let sent = 0;
    for await (const piece of content) {
      throwIfCancelled(signal);
      await writer.content(piece);
      sent += piece.length;
    }
    if (size !== undefined && sent !== size) throw new CheckpointError('internal', `The file has ${sent} bytes instead of ${size}.`);
  } catch (error) {
    throwIfCancelled(signal);
    if (writer.failure !== null) throw writer.failure;
    failure = CheckpointError.from(error).at({ file: pathname });
    handler.report(failure);
  }
  await writer.flush();
  if (failure !== null) await writer.line('status=error');
  await writer.flush();
  await writer.send();
}

async function listAvailable({ writer, handler, delayed, signal }: Conversation): Promise<void> {
  let done: readonly string[] = [];
  let failed = false;
  try {
    done = (await handler.nextAvailable?.()) ?? [];
  } catch (error) {
    throwIfCancelled(signal);
    handler.report(CheckpointError.from(error));
    failed = true;
  }
  for (const pathname of done) {
    const path = delayed.get(pathname);
    if (path === undefined) throw new CheckpointError('internal', 'A file is done that was not delayed.', { place: { file: pathname } });
    delayed.delete(pathname);
    await writer.line('pathname=', path);
  }
  await writer.flush();
  await answerStatus(writer, failed ? 'error' : 'success');
}

function malformed(message: string): CheckpointError {
  return new CheckpointError('malformed', `What git sent is not its filter protocol. ${message}`, {
    hint: 'This command is started by git, by the setting filter.theta.process; it is not for a terminal.',
  });
}
