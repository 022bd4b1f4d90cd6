import type { CheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';

/** Something that comes from the host. While it is fetched again, and when that fails, the last value stays to be shown. */
export type Loadable<T> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading'; readonly last?: T; readonly progress?: Progress }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: CheckpointError; readonly last?: T };

export const idle: { readonly kind: 'idle' } = { kind: 'idle' };

/** Loading, with what `previous` had still at hand. */
export function loading<T>(previous: Loadable<T> = idle, progress?: Progress): Loadable<T> {
  return { kind: 'loading', ...keep(previous), ...(progress === undefined ? {} : { progress }) };
}

export function ready<T>(value: T): Loadable<T> {
  return { kind: 'ready', value };
}

/** Failed, with what `previous` had still at hand. */
export function failed<T>(error: CheckpointError, previous: Loadable<T> = idle): Loadable<T> {
  return { kind: 'failed', error, ...keep(previous) };
}

/** The value, or the last one while another is loading or could not be had. */
export function latest<T>(loadable: Loadable<T>): T | undefined {
  switch (loadable.kind) {
    case 'idle':
      return undefined;
    case 'ready':
      return loadable.value;
    case 'loading':
    case 'failed':
      return loadable.last;
  }
}

function keep<T>(previous: Loadable<T>): { last?: T } {
  const last = latest(previous);
  return last === undefined ? {} : { last };
}
