import { EventEmitter } from 'node:events';

export interface FakeFrame {
  readonly url: string;
  readonly parent: FakeFrame | null;
  readonly frameTreeNodeId: number;
}

/** Stands in for Electron's WebContents: real events, and a record of what it was asked to do. */
export class FakeContents extends EventEmitter {
  readonly ipc = new EventEmitter();
  readonly sent: { readonly channel: string; readonly frame: unknown }[] = [];
  mainFrame: FakeFrame = { url: 'app://theta/', parent: null, frameTreeNodeId: 1 };
  windowOpenHandler: ((details: { readonly url: string }) => { readonly action: string }) | null = null;
  reloads = 0;
  destroyed = false;

  send(channel: string, frame: unknown): void {
    this.sent.push({ channel, frame });
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  reload(): void {
    this.reloads++;
  }

  setWindowOpenHandler(handler: (details: { readonly url: string }) => { readonly action: string }): void {
    this.windowOpenHandler = handler;
  }

  /** Emits an event that can be prevented; says whether it was. */
  prevented(name: string, details: object): boolean {
    let prevented = false;
    this.emit(name, {
      ...details,
      preventDefault: () => {
        prevented = true;
      },
    });
    return prevented;
  }
}
