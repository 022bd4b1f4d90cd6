import type { RemoteInfo } from '../../shared/model/commit';
import { redactUrl } from './redactUrl';

/** Remotes in the order of the configuration, each with its first address, credentials taken out. */
export function remotesOf(settings: readonly (readonly [string, string])[]): readonly RemoteInfo[] {
  const remotes = new Map<string, RemoteInfo>();
  for (const [key, value] of settings) {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    if (name !== undefined && !remotes.has(name)) remotes.set(name, { name, url: redactUrl(value) });
  }
  return [...remotes.values()];
}
