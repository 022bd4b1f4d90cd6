import { join } from 'node:path';
import { readSmallFile } from '../../../bytes/readSmallFile';
import { lastValue } from '../../configKey';
import { decodeUtf8 } from '../../decodeText';
import type { RepositoryPlace } from '../../gitRepository';
import { parseConfig } from '../../isomorphic/parseConfig';
import { type GitCommand, runGit } from '../../native/gitProcess';
import { readNativeConfig } from '../../native/nativeConfig';

/** Keys in their normal form with their values, in the order in which later ones win. */
export type Settings = readonly (readonly [key: string, value: string])[];

const LARGEST_LFSCONFIG = 1024 * 1024;

/**
 * Settings that say where objects go: `.lfsconfig` of the work tree, else of the index, else of HEAD, then git's own, which win
 * (git-lfs-config(5), "Configuration files").
 */
export async function readTransferSettings(command: GitCommand, place: RepositoryPlace): Promise<Settings> {
  const [committed, own] = await Promise.all([readLfsConfig(command, place), readNativeConfig(command)]);
  return [...committed.filter(mayBeCommitted), ...own];
}

/** A whole number from `least` on; `fallback` when unset or none. */
export function numberSetting(settings: Settings, key: string, range: { readonly least: number; readonly fallback: number }): number {
  const text = lastValue(settings, key);
  const value = text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
  return value === null || value < range.least ? range.fallback : value;
}

/**
 * What the content of a repository may decide: the address of its server, and no other setting of git-lfs or git (the same list as
 * git-lfs's "safe keys", without those that are of no use here). It may not name a place on this machine.
 */
function mayBeCommitted([key, value]: readonly [string, string]): boolean {
  return (
    /^(?:lfs\.url|lfs\.pushurl|remote\..+\.lfsurl)$/s.test(key) &&
    /^(?:(?:https?|ssh|git|git\+ssh|ssh\+git):\/\/|[^/\\:]{2,}:)/i.test(value) &&
    !/^file:/i.test(value)
  );
}

async function readLfsConfig(command: GitCommand, place: RepositoryPlace): Promise<Settings> {
  for (const read of sources(command, place)) {
    const text = await read();
    if (text === null) continue;
    try {
      return parseConfig(text);
    } catch {
      // Content of a commit that cannot be read says nothing; it must not stand in the way of the user's own settings.
      return [];
    }
  }
  return [];
}

function* sources(command: GitCommand, { workTree }: RepositoryPlace): Generator<() => Promise<string | null>> {
  if (workTree !== null) {
    yield () => readSmallFile(join(workTree, '.lfsconfig'), LARGEST_LFSCONFIG).then(decodeUtf8, () => null);
    yield () => blobText(command, ':.lfsconfig');
  }
  yield () => blobText(command, 'HEAD:.lfsconfig');
}

async function blobText(command: GitCommand, name: string): Promise<string | null> {
  const { code, output } = await runGit(command, ['cat-file', 'blob', name], { what: 'read .lfsconfig', answers: [0, 128] });
  return code === 0 && output.length <= LARGEST_LFSCONFIG ? decodeUtf8(output) : null;
}
