import { lastValue } from '../../configKey';
import type { TransferOperation } from './endpoint';
import type { Settings } from './transferSettings';

/**
 * The remote that is meant when none is named: the branch's, then the one configured for all (git-config(1) `branch.<name>.pushRemote`,
 * `remote.pushDefault`; git-lfs-config(5) `remote.lfsdefault`), then the only one, then `origin`. `null`: there is no remote.
 */
export function defaultRemote(settings: Settings, options: { readonly branch: string | null; readonly operation: TransferOperation }): string | null {
  const { branch, operation } = options;
  const value = (key: string) => lastValue(settings, key);
  const ofBranch = (variable: string) => (branch === null ? null : value(`branch.${branch}.${variable}`));
  const chosen =
    (operation === 'upload' ? (ofBranch('pushRemote') ?? value('remote.lfspushdefault') ?? value('remote.pushDefault')) : null) ??
    ofBranch('remote') ??
    value('remote.lfsdefault');
  // A branch that follows one of this repository has "." for its remote.
  if (chosen !== null && chosen !== '' && chosen !== '.') return chosen;
  const names = [...new Set(settings.map(([key]) => /^remote\.(.+)\.(?:url|pushurl)$/s.exec(key)?.[1]).filter((name) => name !== undefined))];
  const [only = null] = names;
  return names.length <= 1 || !names.includes('origin') ? only : 'origin';
}
