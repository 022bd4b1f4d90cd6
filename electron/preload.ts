import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import { type ExposedTransport, IPC_CHANNEL, TRANSPORT_GLOBAL } from '../shared/contract/transport';

/** All that the page gets from outside its sandbox: one channel for frames, and the path of a file that the user dropped. */
const transport: ExposedTransport = {
  send: (frame) => ipcRenderer.send(IPC_CHANNEL, frame),
  onFrame(listener) {
    // The event object would hand the page the sender, so only the frame goes on.
    const receive = (_event: IpcRendererEvent, frame: unknown) => listener(frame);
    ipcRenderer.on(IPC_CHANNEL, receive);
    return () => ipcRenderer.off(IPC_CHANNEL, receive);
  },
  pathForFile(file) {
    try {
      return webUtils.getPathForFile(file as Parameters<typeof webUtils.getPathForFile>[0]);
    } catch {
      // What is no file has no path.
      return '';
    }
  },
};

contextBridge.exposeInMainWorld(TRANSPORT_GLOBAL, transport);
