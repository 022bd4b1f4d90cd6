import type { Disposable } from '../../shared/base/disposable';
import type { Progress } from '../../shared/contract/frames';
import type { EventData, EventName, Method, Output, ParsedInput } from '../../shared/contract/requests';

/** What a handler gets beside its input. */
export interface HandlerContext {
  /** Aborts when the window cancels the request or its connection goes. */
  readonly signal: AbortSignal;
  /** May be called as often as the work likes; the dispatcher sends some of it. */
  onProgress(progress: Progress): void;
}

export type Handler<M extends Method> = (input: ParsedInput<M>, context: HandlerContext) => Promise<Output<M>>;

/** One function per method of the contract. Inputs are validated before they arrive here. */
export type Handlers = { readonly [M in Method]: Handler<M> };

/** What only the host can do, and what it says about itself. A `null` function: this host has none. */
export interface HostFacilities {
  readonly kind: 'desktop' | 'served';
  readonly version: string;
  /** Folder given on the command line, to open at once. */
  readonly initialFolder: string | null;
  readonly homeFolder: string;
  /** Native dialog; resolves to `null` when the user closes it. */
  readonly pickFolder: ((title: string) => Promise<string | null>) | null;
  /** Files, several at once; none when the user closes it. */
  readonly pickFiles: ((title: string) => Promise<readonly string[]>) | null;
  readonly pickSaveFile: ((title: string, suggestedPath: string) => Promise<string | null>) | null;
  /** Shows the file in the system's file manager. */
  readonly reveal: ((path: string) => Promise<void>) | null;
}

/** Something that happened in the host and that every window should hear of. */
export type HostEvent = { readonly [E in EventName]: { readonly name: E; readonly data: EventData<E> } }[EventName];

/** Where host events come from; an `Emitter<HostEvent>` is one. */
export interface HostEvents {
  on(listener: (event: HostEvent) => void): Disposable;
}
