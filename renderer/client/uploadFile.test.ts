import { describe, expect, it } from 'vitest';
import type { Progress } from '../../shared/contract/frames';
import { uploadFile } from './uploadFile';

/** As much of an XMLHttpRequest as is used; the test plays the network. */
class FakeRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  opened: readonly string[] = [];
  sent: unknown = null;
  status = 0;
  responseText = '';

  open(method: string, url: string): void {
    this.opened = [method, url];
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  send(body: unknown): void {
    this.sent = body;
  }
  abort(): void {
    this.dispatchEvent(new Event('abort'));
  }
  progress(loaded: number): void {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded }));
  }
  answer(status: number, text: string): void {
    this.status = status;
    this.responseText = text;
    this.dispatchEvent(new Event('load'));
  }
}

function start(name = 'm o+d&el.pt') {
  const request = new FakeRequest();
  const file = new File([new Uint8Array(10)], name);
  const controller = new AbortController();
  const reports: Progress[] = [];
  const result = uploadFile(file, {
    signal: controller.signal,
    onProgress: (progress) => reports.push(progress),
    createRequest: () => request as unknown as XMLHttpRequest,
  });
  return { request, file, controller, reports, result };
}

describe('uploadFile', () => {
  it('sends the file itself under its escaped name, tells how far it is, and returns the path', async () => {
    const { request, file, reports, result } = start();
    expect(request.opened).toEqual(['POST', '/upload?name=m%20o%2Bd%26el.pt']);
    expect(request.sent).toBe(file);
    request.progress(4);
    // The bytes of the head count for some browsers.
    request.progress(14);
    request.answer(200, JSON.stringify({ path: '/cache/uploads/1/m.pt' }));
    expect(await result).toBe('/cache/uploads/1/m.pt');
    expect(reports.map(({ done, total, unit }) => [done, total, unit])).toEqual([
      [4, 10, 'bytes'],
      [10, 10, 'bytes'],
    ]);
  });

  it('gives the reason of the host', async () => {
    const { request, result } = start();
    request.answer(507, JSON.stringify({ error: { code: 'no-space', message: 'Full.', hint: 'Make room.' } }));
    await expect(result).rejects.toMatchObject({ code: 'no-space', message: 'Full.', hint: 'Make room.', place: { file: 'm o+d&el.pt' } });
  });

  it.each([
    [403, '<html>', 'permission'],
    [200, 'not json', 'internal'],
    [200, '{"path":1}', 'internal'],
    [500, '', 'internal'],
  ])('an answer %i %j is an error', async (status, text, code) => {
    const { request, result } = start();
    request.answer(status, text);
    await expect(result).rejects.toMatchObject({ code });
  });

  it('is cancelled by its signal, before and while it runs', async () => {
    const { controller, result } = start();
    controller.abort();
    await expect(result).rejects.toMatchObject({ code: 'cancelled' });
    await expect(uploadFile(new File([], 'a'), { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('says so when the connection breaks', async () => {
    const { request, result } = start();
    request.dispatchEvent(new Event('error'));
    await expect(result).rejects.toMatchObject({ code: 'disconnected' });
  });
});
