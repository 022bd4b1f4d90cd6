import { SOCKET_PATH } from '../../shared/contract/wire';
import { electronTransport } from './electronTransport';
import { forgetUpload, uploadFile } from './uploadFile';
import { WebSocketTransport } from './webSocketTransport';
import type { WindowTransport } from './windowTransport';

/** The transport of the host that this window came from: the desktop's if there is one, else a socket to where the page was served. */
export function connect(): WindowTransport {
  return electronTransport(window) ?? new WebSocketTransport({ open: () => new WebSocket(socketUrl(window.location)), onWake, uploadFile, forgetUpload });
}

/** @param location where the page was loaded from */
export function socketUrl(location: { readonly protocol: string; readonly host: string }): string {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${SOCKET_PATH}`;
}

function onWake(listener: () => void): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') listener();
  };
  window.addEventListener('online', listener);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    window.removeEventListener('online', listener);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
