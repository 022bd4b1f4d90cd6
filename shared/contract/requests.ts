import * as v from 'valibot';
import { compareRequests } from './compareRequests';
import { graphRequests } from './graphRequests';
import {
  checkpointWithChanges,
  commitChange,
  commitDetail,
  commitHash,
  commitInfo,
  count,
  exportFormat,
  formatId,
  headInfo,
  hostPath,
  refInfo,
  remoteInfo,
  repositoryPath,
  storageKind,
  tensorReading,
} from './schemas';
import { timelineRequests } from './timelineRequests';
import { trackRequests } from './trackRequests';

/**
 * The contract: every request that a window can make of its host, with the schema of what goes in and what comes back.
 * Inputs are validated by the dispatcher, outputs by the client. Both ends index this one map.
 */

/** Identifies an opened repository for as long as the host runs. */
const repositoryId = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

const trackedCheckpoint = v.object({
  path: v.string(),
  storage: storageKind,
  format: formatId,
  /** Parameter groups, where the metadata says; `null` for plain and LFS files, which are opened only when chosen. */
  groups: v.nullable(count),
  /** Bytes of the contiguous tensors (git-theta) or of the file. */
  bytes: count,
  /** Working tree against HEAD; `unknown` where there is no working tree or only a content filter could tell. */
  status: v.picklist(['unmodified', 'modified', 'deleted', 'conflict', 'unknown']),
});
export type TrackedCheckpoint = v.InferOutput<typeof trackedCheckpoint>;

const repositoryDescription = v.object({
  id: repositoryId,
  /** Folder that was opened: the work tree's root, or the git directory of a bare repository. */
  path: v.string(),
  name: v.string(),
  bare: v.boolean(),
  shallow: v.boolean(),
  /** Which back end reads it. */
  backend: v.picklist(['native', 'isomorphic']),
  head: headInfo,
  refs: v.array(refInfo),
  remotes: v.array(remoteInfo),
  submodules: v.array(v.string()),
  checkpoints: v.array(trackedCheckpoint),
  /** What cannot be shown or is limited here, each in a sentence. */
  notices: v.array(v.string()),
});
export type RepositoryDescription = v.InferOutput<typeof repositoryDescription>;

const inRepository = { repository: repositoryId };
const inVersion = { repository: repositoryId, commit: commitHash, path: repositoryPath };

export const requests = {
  'app/describe': {
    input: v.object({}),
    output: v.object({
      version: v.string(),
      host: v.picklist(['desktop', 'served']),
      platform: v.string(),
      /** Native dialogs for folders and files; without them the window shows its own picker. */
      canUseNativeDialogs: v.boolean(),
      canReveal: v.boolean(),
      homeFolder: v.string(),
      /** Folder given on the command line, to open at once. */
      initialFolder: v.nullable(v.string()),
    }),
  },
  'recent/list': {
    input: v.object({}),
    output: v.array(v.object({ path: v.string(), name: v.string(), openedAt: v.number(), exists: v.boolean() })),
  },
  'recent/forget': { input: v.object({ path: hostPath }), output: v.null() },
  'sample/unpack': { input: v.object({}), output: v.object({ path: v.string() }) },
  'folders/list': {
    /** `null`: the home folder. */
    input: v.object({ path: v.nullable(hostPath), showHidden: v.optional(v.boolean(), false) }),
    output: v.object({
      path: v.string(),
      /** The file that was asked for; `path` is then its folder. */
      file: v.nullable(v.string()),
      parent: v.nullable(v.string()),
      entries: v.array(v.object({ name: v.string(), path: v.string(), kind: v.picklist(['folder', 'repository', 'file']), bytes: v.nullable(count) })),
      /** Entries left out because the folder has too many. */
      omitted: count,
    }),
  },
  'dialog/pickFolder': { input: v.object({ title: v.string() }), output: v.object({ path: v.nullable(v.string()) }) },
  'dialog/pickSaveFile': {
    input: v.object({ title: v.string(), suggestedPath: v.string() }),
    output: v.object({ path: v.nullable(v.string()) }),
  },
  'shell/reveal': { input: v.object({ path: hostPath }), output: v.null() },

  /** Opens the repository that holds the folder (or file) and adds it to the recent ones. */
  'repository/open': { input: v.object({ path: hostPath }), output: repositoryDescription },
  'repository/describe': { input: v.object(inRepository), output: repositoryDescription },
  'repository/close': { input: v.object(inRepository), output: v.null() },

  /** Commits of all refs and HEAD, children before parents, newest first. `total` is `null` until the walk has ended. */
  'history/page': {
    input: v.object({ ...inRepository, offset: count, limit: v.pipe(count, v.minValue(1), v.maxValue(5000)) }),
    output: v.object({
      /** Grows when refs moved or the order had to be mended: pages of different generations do not belong together. */
      generation: count,
      commits: v.array(commitInfo),
      total: v.nullable(count),
    }),
  },
  /** How many commits `history/page` has; answers when the walk has ended. `null` in a history that is read only as far as somebody looks. */
  'history/count': { input: v.object(inRepository), output: v.object({ generation: count, total: v.nullable(count) }) },
  'history/commit': { input: v.object({ ...inRepository, commit: commitHash }), output: commitDetail },
  /** Where a commit stands in the order of `history/page`; `null` when no ref reaches it. Walks as far as needed. */
  'history/locate': {
    input: v.object({ ...inRepository, commit: commitHash }),
    output: v.object({ generation: count, index: v.nullable(count) }),
  },
  /** Commits whose message, author, hash (prefix), or (with `path`) changed parameter names or update types hold the text. */
  'history/search': {
    input: v.object({
      ...inRepository,
      text: v.pipe(v.string(), v.minLength(1), v.maxLength(500)),
      path: v.nullable(repositoryPath),
      limit: v.pipe(count, v.maxValue(10000)),
    }),
    output: v.object({
      generation: count,
      matches: v.array(
        v.object({ index: count, commit: commitHash, field: v.picklist(['message', 'author', 'hash', 'parameter', 'update-type']), text: v.string() }),
      ),
      truncated: v.boolean(),
    }),
  },
  /** What each commit did to a checkpoint against its first parent; from metadata alone. */
  'history/changes': {
    input: v.object({ ...inRepository, path: repositoryPath, commits: v.pipe(v.array(commitHash), v.maxLength(500)) }),
    output: v.array(commitChange),
  },

  'checkpoint/describe': { input: v.object(inVersion), output: checkpointWithChanges },

  /** Statistics of one group, reconstructed in a worker. */
  'parameter/inspect': {
    input: v.object({ ...inVersion, group: v.string() }),
    output: tensorReading,
  },

  ...trackRequests,
  ...timelineRequests,
  ...compareRequests,
  ...graphRequests,

  'export/options': {
    input: v.object(inVersion),
    output: v.object({
      suggestedPath: v.string(),
      /** First the version's own format, where it can be written. */
      formats: v.array(
        v.object({ format: v.union([exportFormat, v.literal('original')]), label: v.string(), extension: v.string(), note: v.nullable(v.string()) }),
      ),
    }),
  },
  /** Writes a version to disk; progress in bytes. Fails with `exists` when the file is there and `overwrite` is false. */
  'export/run': {
    input: v.object({ ...inVersion, destination: hostPath, format: v.union([exportFormat, v.literal('original')]), overwrite: v.boolean() }),
    output: v.object({ path: v.string(), bytes: count, groups: count, seconds: v.number(), notes: v.array(v.string()) }),
  },
} as const satisfies Record<string, { input: v.GenericSchema; output: v.GenericSchema }>;

export type Method = keyof typeof requests;
/** What the window passes (defaults not yet filled in). */
export type RequestInput<M extends Method> = v.InferInput<(typeof requests)[M]['input']>;
/** What the handler receives. */
export type ParsedInput<M extends Method> = v.InferOutput<(typeof requests)[M]['input']>;
export type Output<M extends Method> = v.InferOutput<(typeof requests)[M]['output']>;

export function isMethod(name: string): name is Method {
  return Object.hasOwn(requests, name);
}

export const events = {
  /** Refs, HEAD or the working tree moved: describe again and reload the pages in view. */
  'repository/changed': v.object({ repository: repositoryId }),
  /** A folder or file was opened from outside: command line of a second instance, dock icon, file manager. */
  'open/path': v.object({ path: v.string() }),
  /** A native menu item was chosen. */
  'menu/command': v.object({ command: v.string() }),
} as const;

export type EventName = keyof typeof events;
export type EventData<E extends EventName> = v.InferOutput<(typeof events)[E]>;
