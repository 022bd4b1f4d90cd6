import type { IpcMainEvent, WebContents } from 'electron';
import type { Disposable } from '../../shared/base/disposable';
import type { HostFrame } from '../../shared/contract/frames';
import { IPC_CHANNEL } from '../../shared/contract/transport';
import type { Handlers, HostEvent, HostEvents } from '../handlers/handlers';
import { type Connection, connect } from './dispatcher';

export interface ElectronTransportOptions {
  readonly handlers: Handlers;
  readonly events: HostEvents;
  /** Whether a URL is one of our own pages. */
  readonly isOwnUrl: (url: string) => boolean;
}

export interface ElectronTransport extends Disposable {
  /** Sends an event to this window only, as soon as its page listens. */
  emit(event: HostEvent): void;
}

/**
 * Connects one window: frames as they are over IPC, which clones them. Every page that is loaded gets a connection of its own, from its
 * first frame on; what a page had asked for is aborted when it is left or its process ends.
 */
export function attachTransport(contents: WebContents, { handlers, events, isOwnUrl }: ElectronTransportOptions): ElectronTransport {
  let connection: Connection | null = null;
  let undelivered: HostEvent[] = [];

  const send = (frame: HostFrame) => {
    if (!contents.isDestroyed()) contents.send(IPC_CHANNEL, frame);
  };
  const disconnect = () => {
    connection?.dispose();
    connection = null;
  };
  const receive = (event: IpcMainEvent, frame: unknown) => {
    if (!isTrustedSender(event, contents, isOwnUrl)) return;
    if (connection === null) {
      connection = connect(handlers, send, events);
      for (const { name, data } of undelivered) send({ kind: 'event', name, data });
      undelivered = [];
    }
    connection.receive(frame);
  };
  const navigated = (details: { readonly isMainFrame: boolean; readonly isSameDocument: boolean }) => {
    if (details.isMainFrame && !details.isSameDocument) disconnect();
  };

  contents.ipc.on(IPC_CHANNEL, receive);
  contents.on('did-start-navigation', navigated);
  contents.on('render-process-gone', disconnect);
  contents.on('destroyed', disconnect);

  return {
    emit(event) {
      if (connection === null) undelivered.push(event);
      else send({ kind: 'event', name: event.name, data: event.data });
    },
    dispose() {
      disconnect();
      if (contents.isDestroyed()) return;
      contents.ipc.off(IPC_CHANNEL, receive);
      contents.off('did-start-navigation', navigated);
      contents.off('render-process-gone', disconnect);
      contents.off('destroyed', disconnect);
    },
  };
}

/** Only the main frame of the window itself, and only while it shows our own page. `senderFrame` is null once the frame has gone. */
function isTrustedSender(event: Pick<IpcMainEvent, 'senderFrame'>, contents: Pick<WebContents, 'mainFrame'>, isOwnUrl: (url: string) => boolean): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && frame.frameTreeNodeId === contents.mainFrame.frameTreeNodeId && isOwnUrl(frame.url);
}
