import { type Disposable, toDisposable } from '../../shared/base/disposable';
import { type ExposedTransport, TRANSPORT_GLOBAL } from '../../shared/contract/transport';
import type { WindowTransport } from './windowTransport';

/** The desktop's transport when the preload script has put one on the window, else `null`. IPC within one machine: always open. */
export function electronTransport(scope: object): WindowTransport | null {
  const exposed: unknown = Reflect.get(scope, TRANSPORT_GLOBAL);
  if (!isExposedTransport(exposed)) return null;
  return {
    status: 'open',
    send: (frame) => exposed.send(frame),
    onFrame: (listener) => toDisposable(exposed.onFrame(listener)),
    onStatus: (): Disposable => toDisposable(() => undefined),
    pathForFile: (file) => exposed.pathForFile(file),
  };
}

function isExposedTransport(value: unknown): value is ExposedTransport {
  if (typeof value !== 'object' || value === null) return false;
  return ['send', 'onFrame', 'pathForFile'].every((name) => typeof Reflect.get(value, name) === 'function');
}
