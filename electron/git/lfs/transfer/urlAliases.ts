import type { Settings } from './transferSettings';

/**
 * An address with `url.<base>.insteadOf` applied, and `pushInsteadOf` first when pushing: the longest prefix wins (git-config(1)).
 */
export function applyUrlAliases(settings: Settings, url: string, push: boolean): string {
  return (push ? replaced(settings, url, 'pushinsteadof') : null) ?? replaced(settings, url, 'insteadof') ?? url;
}

function replaced(settings: Settings, url: string, variable: string): string | null {
  let best: { readonly base: string; readonly prefix: string } | null = null;
  for (const [key, prefix] of settings) {
    if (!key.startsWith('url.') || !key.endsWith(`.${variable}`) || !url.startsWith(prefix)) continue;
    if (best === null || prefix.length > best.prefix.length) best = { base: key.slice(4, -variable.length - 1), prefix };
  }
  return best === null ? null : best.base + url.slice(best.prefix.length);
}
