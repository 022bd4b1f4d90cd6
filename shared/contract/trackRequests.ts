import * as v from 'valibot';
import { GROUP_CHANGES } from '../model/checkpoint';
import { UPDATE_CHOICES } from '../model/track';
import { errorDataSchema } from './errors';
import { commitHash, count, dtype, formatId, hostPath, repositoryPath, shape, storageKind } from './schemas';

/** Requests that change a repository: tracking checkpoints, the working tree, branches and tags. */

const repositoryId = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const inRepository = { repository: repositoryId };
const identity = v.object({ name: v.pipe(v.string(), v.maxLength(1000)), email: v.pipe(v.string(), v.maxLength(1000)) });
const refName = v.pipe(v.string(), v.minLength(1), v.maxLength(250));

/** A checkpoint file on the host and where it goes. `source` may be the file at `path` in the work tree itself. */
const trackItem = v.object({
  source: hostPath,
  path: repositoryPath,
  update: v.picklist(UPDATE_CHOICES),
  /** File with side-loaded update data, named as git-theta does (`layer.weight/R`). */
  updateData: v.nullable(hostPath),
});
export type TrackItem = v.InferOutput<typeof trackItem>;

const candidate = v.object({
  source: v.string(),
  name: v.string(),
  bytes: count,
  format: formatId,
  groups: count,
  /** Entries of the file that are no tensors (kept) or that cannot be read (named). */
  skipped: count,
  /** Place in the repository that is proposed. */
  path: v.string(),
  /** How that place is kept in git now; `null`: nothing is there. */
  storage: v.nullable(storageKind),
  /** Why the file cannot be tracked. */
  problem: v.nullable(errorDataSchema),
});
export type TrackCandidate = v.InferOutput<typeof candidate>;

const previewGroup = v.object({
  name: v.string(),
  dtype,
  shape,
  change: v.picklist(GROUP_CHANGES),
  /** Of a renamed group: its name in HEAD. Its value is the same. */
  from: v.optional(v.string()),
  /** Update type that would be stored (or is, for an unchanged one); `null` for a removed group. */
  updateType: v.nullable(v.string()),
  bytes: count,
  /** Bytes that this version adds to the store; 0 for an unchanged group and for one whose object is there already. */
  addedBytes: count,
  notes: v.array(v.string()),
});
export type PreviewGroup = v.InferOutput<typeof previewGroup>;

const trackPreview = v.object({
  path: v.string(),
  format: formatId,
  groups: v.array(previewGroup),
  /** What the version would add to the store; what a full copy of all groups would (dense, compressed); what Git LFS would (the file). */
  addedBytes: count,
  fullBytes: count,
  lfsBytes: count,
  /** Nothing differs from what is committed. */
  unchanged: v.boolean(),
  notes: v.array(v.string()),
});
export type TrackPreview = v.InferOutput<typeof trackPreview>;

const workChange = v.object({
  path: v.string(),
  /** Against HEAD. `untracked`: a checkpoint that no attribute gives to git-theta and that git does not know. */
  kind: v.picklist(['modified', 'added', 'deleted', 'untracked', 'conflict']),
  /** Already in the index. */
  staged: v.boolean(),
  format: formatId,
  bytes: count,
  /** Filter that the attributes give the path: whole blobs go into git without one. */
  filter: v.picklist(['theta', 'lfs', 'other', 'none']),
});
export type WorkChange = v.InferOutput<typeof workChange>;

export const trackRequests = {
  /**
   * Recognises files by content and proposes places. A folder stands for the checkpoint files in it (shards); a file may be in the repository already.
   * Without a repository only what the files are is told.
   */
  'track/recognise': {
    input: v.object({ repository: v.nullable(repositoryId), sources: v.pipe(v.array(hostPath), v.minLength(1), v.maxLength(1000)) }),
    output: v.object({
      candidates: v.array(candidate),
      /** Files that are no checkpoints, each with the reason. */
      refused: v.array(v.object({ source: v.string(), error: errorDataSchema })),
    }),
  },
  /** What would be stored for one checkpoint: a dry run in workers; progress in bytes. */
  'track/preview': { input: v.object({ ...inRepository, item: trackItem }), output: trackPreview },
  /**
   * Copies files into the work tree where they are not yet, stores what changed, tracks the paths in .gitattributes, and commits. Progress in
   * bytes; cancelled, it leaves neither objects that nothing refers to, nor a file, nor a staged path behind.
   */
  'track/commit': {
    input: v.object({
      ...inRepository,
      items: v.pipe(v.array(trackItem), v.minLength(1), v.maxLength(1000)),
      message: v.pipe(v.string(), v.maxLength(100_000)),
      /** `null`: as configured. */
      author: v.nullable(identity),
      /** New branch to commit on, made at HEAD; `null`: the current one. */
      newBranch: v.nullable(refName),
      /** Paths that Git LFS keeps now and that shall go over to git-theta. */
      convertLfs: v.boolean(),
    }),
    output: v.object({ commit: commitHash, addedBytes: count, fullBytes: count, seconds: v.number(), notes: v.array(v.string()) }),
  },
  'worktree/status': {
    input: v.object(inRepository),
    output: v.object({
      changes: v.array(workChange),
      /** Staged changes of other files; a commit made here leaves them staged. */
      otherStaged: count,
      identity: v.nullable(identity),
      /** Why nothing can be committed now (bare, a merge under way, a foreign lock, git missing); `null` when it can. */
      obstacle: v.nullable(errorDataSchema),
    }),
  },
  /** Restores files from HEAD; what was in them is lost. */
  'worktree/discard': { input: v.object({ ...inRepository, paths: v.pipe(v.array(repositoryPath), v.minLength(1), v.maxLength(1000)) }), output: v.null() },
  'branch/create': { input: v.object({ ...inRepository, name: refName, commit: commitHash, switch: v.boolean() }), output: v.null() },
  /** Fails with `conflict` when changes that are not committed would be lost. */
  'branch/switch': { input: v.object({ ...inRepository, name: refName }), output: v.null() },
  'tag/create': {
    input: v.object({ ...inRepository, name: refName, commit: commitHash, message: v.nullable(v.pipe(v.string(), v.maxLength(100_000))) }),
    output: v.null(),
  },
  /** Makes a folder a git repository. Fails with `exists` when it is one. */
  'repository/init': { input: v.object({ folder: hostPath }), output: v.object({ path: v.string() }) },
  'dialog/pickFiles': { input: v.object({ title: v.string() }), output: v.object({ paths: v.array(v.string()) }) },
} as const;
