import { CheckpointError } from '../../shared/contract/errors';
import type { TrackPreview } from '../../shared/contract/trackRequests';
import type { Client } from '../client/client';
import { failed, loading, ready } from './loadable';
import { type TrackFile, toItem } from './trackForm';

/** Typing a path or passing through choices is not worth a computation for each step. */
const REST_MS = 250;

export interface PreviewQueue {
  /** The preview of a file is outdated: it is computed again, after a rest when the user is still choosing. */
  request(source: string, rest?: boolean): void;
  /** The file is not wanted any more. */
  drop(source: string): void;
  /** Nothing is wanted any more. */
  clear(): void;
}

export interface PreviewQueueOptions {
  readonly client: Client;
  readonly repository: () => string | undefined;
  /** The file as it is chosen now; `undefined` when there is nothing to compute for it. */
  readonly file: (source: string) => TrackFile | undefined;
  /** The file that is looked at comes first. */
  readonly shown: () => string | null;
  readonly set: (source: string, change: Pick<TrackFile, 'preview'> & Partial<Pick<TrackFile, 'previewStartedAt'>>) => void;
}

/** Computes previews one after another: each already uses all workers of the host. */
export function createPreviewQueue({ client, repository, file, shown, set }: PreviewQueueOptions): PreviewQueue {
  const waiting = new Map<string, ReturnType<typeof setTimeout> | null>();
  let running: { readonly source: string; readonly controller: AbortController } | null = null;

  function next(): string | undefined {
    const isDue = (source: string | null) => source !== null && waiting.get(source) === null;
    const first = shown();
    if (first !== null && isDue(first)) return first;
    return [...waiting.keys()].find(isDue);
  }

  async function pump(): Promise<void> {
    const source = running === null ? next() : undefined;
    if (source === undefined) return;
    waiting.delete(source);
    const [item, id] = [file(source), repository()];
    if (item === undefined || id === undefined) return pump();
    const controller = new AbortController();
    running = { source, controller };
    const isWanted = () => !controller.signal.aborted && file(source) !== undefined;
    set(source, { preview: loading(item.preview), previewStartedAt: Date.now() });
    try {
      const preview: TrackPreview = await client.request(
        'track/preview',
        { repository: id, item: toItem(item) },
        {
          signal: controller.signal,
          onProgress: (progress) => {
            const current = file(source);
            if (isWanted() && current !== undefined) set(source, { preview: loading(current.preview, progress) });
          },
        },
      );
      if (isWanted()) set(source, { preview: ready(preview) });
    } catch (error) {
      const current = file(source);
      if (isWanted() && current !== undefined) set(source, { preview: failed(CheckpointError.from(error), current.preview) });
    } finally {
      if (running?.controller === controller) running = null;
    }
    return pump();
  }

  function stop(source: string): void {
    const timer = waiting.get(source);
    if (timer != null) clearTimeout(timer);
    waiting.delete(source);
    if (running?.source !== source) return;
    running.controller.abort();
    running = null;
  }

  return {
    request(source, rest = false) {
      stop(source);
      const current = file(source);
      if (current !== undefined) set(source, { preview: loading(current.preview) });
      const due = () => {
        waiting.set(source, null);
        void pump();
      };
      if (rest) waiting.set(source, setTimeout(due, REST_MS));
      else due();
    },
    drop(source) {
      stop(source);
      void pump();
    },
    clear() {
      for (const source of [...waiting.keys()]) stop(source);
      if (running !== null) stop(running.source);
    },
  };
}
