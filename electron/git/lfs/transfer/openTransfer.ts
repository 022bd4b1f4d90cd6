import { CheckpointError } from '../../../../shared/contract/errors';
import type { RepositoryPlace } from '../../gitRepository';
import type { GitCommand } from '../../native/gitProcess';
import type { LfsStore } from '../lfsStore';
import { Access } from './apiAccess';
import { ApiClient } from './apiClient';
import { gitCredentials } from './credentials';
import { describeEndpoint, findEndpoint, type TransferOperation } from './endpoint';
import { createHttpClient } from './http/httpClient';
import { tlsSettings } from './http/tlsSettings';
import { moveOverHttp } from './httpTransfer';
import { moveLocally } from './localTransfer';
import { numberSetting, readTransferSettings, type Settings } from './transferSettings';
import type { Transfer } from './transferTypes';
import { gitAt } from './userGit';

/** Defaults of git-lfs (git-lfs-config(5), "Upload and download transfer settings"). */
const CONCURRENCY = 8;
const MOST_LANES = 64;
const RETRIES = 8;
const LONGEST_PAUSE_S = 10;
const VERIFIES = 3;
const IDLE_S = 30;

export interface RemoteRepository {
  readonly place: RepositoryPlace;
  readonly store: LfsStore;
}

export interface OpenTransferOptions {
  /** Name of a remote, or an address. */
  readonly remote: string;
  readonly operation: TransferOperation;
  /** There is a terminal at which git may ask for a password. */
  readonly interactive: boolean;
  /** Known already: not read again. */
  readonly git?: { readonly command: GitCommand; readonly settings: Settings };
}

/** Opens the object store of a remote; nothing is sent yet. @throws not-found without git or such a remote, invalid-request for an address of no use */
export async function openTransfer({ place, store }: RemoteRepository, options: OpenTransferOptions): Promise<Transfer> {
  const { remote, operation, interactive } = options;
  const command = options.git?.command ?? (await gitAt(place));
  const settings = options.git?.settings ?? (await readTransferSettings(command, place));
  const folder = place.workTree ?? place.gitDir;
  const endpoint = findEndpoint(settings, { remote, operation, folder });
  const where = describeEndpoint(endpoint);
  if (endpoint.kind === 'local') {
    return { where, move: (objects, run) => moveLocally(unique(objects), { path: endpoint.path, store, operation }, run), close() {} };
  }
  const concurrency = Math.min(MOST_LANES, numberSetting(settings, 'lfs.concurrenttransfers', { least: 1, fallback: CONCURRENCY }));
  const idle = numberSetting(settings, 'lfs.activitytimeout', { least: 0, fallback: IDLE_S });
  const http = createHttpClient({ idle: idle * 1000, connections: concurrency, tls: (url) => tlsSettings(settings, url, folder) });
  const access = new Access({
    endpoint,
    operation,
    settings,
    credentials: gitCredentials(command, interactive),
    ssh: { settings, folder, interactive },
  });
  const retries = {
    attempts: numberSetting(settings, 'lfs.transfer.maxretries', { least: 1, fallback: RETRIES }),
    longestPause: numberSetting(settings, 'lfs.transfer.maxretrydelay', { least: 0, fallback: LONGEST_PAUSE_S }) * 1000,
  };
  const client = new ApiClient({ http, access, retries });
  const verifies = numberSetting(settings, 'lfs.transfer.maxverifies', { least: 1, fallback: VERIFIES });
  return {
    where,
    async move(objects, run) {
      const wanted = unique(objects);
      return wanted.length === 0 ? { moved: [], present: [], failed: [] } : moveOverHttp(wanted, { client, store, operation, concurrency, verifies }, run);
    },
    close: http.close,
  };
}

/** Each object once. @throws invalid-request for an oid that is none: it would be a part of a path */
function unique<T extends { readonly oid: string; readonly bytes: number }>(objects: readonly T[]): readonly T[] {
  const byOid = new Map<string, T>();
  for (const object of objects) {
    if (!/^[0-9a-f]{64}$/.test(object.oid))
      throw new CheckpointError('invalid-request', 'An LFS object id has 64 hexadecimal digits.', { place: { oid: object.oid.slice(0, 80) } });
    if (!byOid.has(object.oid)) byOid.set(object.oid, object);
  }
  return [...byOid.values()];
}
