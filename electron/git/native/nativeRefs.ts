import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, type HeadInfo, isCommitHash, type RefInfo } from '../../../shared/model/commit';
import { classifyRef, compareRefs, shortHeadName } from '../compareRefs';
import { decodeUtf8 } from '../decodeText';
import type { RepositoryPlace } from '../gitRepository';
import { damagedHead, missingHead } from '../objectErrors';
import { type GitCommand, runGit } from './gitProcess';
import type { NativeObjects } from './nativeObjects';

/** No name of a branch is longer. */
const MOST_HEAD_BYTES = 8192;

/** Branches, remote branches and tags that end at a commit. The objects are asked for one by one, so that one broken ref hides no other. */
export async function readNativeRefs(command: GitCommand, objects: NativeObjects): Promise<readonly RefInfo[]> {
  const format = '%(objectname) %(refname)%00%(symref)%00';
  const { output } = await runGit(command, ['for-each-ref', `--format=${format}`, 'refs/heads', 'refs/remotes', 'refs/tags'], { what: 'list the branches' });
  const fields = decodeUtf8(output).split('\0');
  const found: Promise<RefInfo | null>[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const match = /^\n?([0-9a-f]+) (.+)$/s.exec(fields[i] ?? '');
    const ref = classifyRef(match?.[2] ?? '');
    // `origin/HEAD` is another name of a branch that is in the list.
    if (match === null || ref === null || (ref.kind === 'remote-branch' && fields[i + 1] !== '')) continue;
    found.push(peelToCommit(objects, match[1] ?? '').then((commit) => (commit === null ? null : { ...ref, commit })));
  }
  return (await Promise.all(found)).filter((ref) => ref !== null).sort(compareRefs);
}

/** HEAD; from its file, where that says it all and saves two processes. */
export async function readNativeHead(command: GitCommand, objects: NativeObjects, place: Pick<RepositoryPlace, 'commonDir' | 'gitDir'>): Promise<HeadInfo> {
  return (await headFromFile(objects, place)) ?? askHead(command, objects);
}

async function headFromFile(objects: NativeObjects, { gitDir, commonDir }: Pick<RepositoryPlace, 'commonDir' | 'gitDir'>): Promise<HeadInfo | null> {
  const file = join(gitDir, 'HEAD');
  // Long ago it was a link to the file of the branch.
  const found = await lstat(file).catch(() => null);
  if (found?.isFile() !== true || found.size > MOST_HEAD_BYTES) return null;
  const text = decodeUtf8(await readFile(file).catch(() => Buffer.alloc(0)));
  const branch = /^ref: (refs\/heads\/[^\n]+)\n$/.exec(text)?.[1] ?? null;
  // What stands there where refs are kept otherwise is no branch; a branch may be another name of one.
  if (branch === null ? !isCommitHash(text.replace(/\n$/, '')) : branch === 'refs/heads/.invalid' || (await isSymbolic(join(commonDir, branch)))) return null;
  const commit = await peelToCommit(objects, 'HEAD');
  if (commit === null) return null;
  return branch === null ? { kind: 'detached', commit } : { kind: 'branch', name: shortHeadName(branch), commit };
}

/** Whether a ref leads to another one; one that is packed does not. */
async function isSymbolic(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => null);
  if (found === null) return false;
  if (!found.isFile() || found.size > MOST_HEAD_BYTES) return true;
  return (await readFile(file, 'latin1').catch(() => 'ref:')).startsWith('ref:');
}

async function askHead(command: GitCommand, objects: NativeObjects): Promise<HeadInfo> {
  const ask = (...args: string[]) => runGit(command, args, { what: 'read HEAD', answers: [0, 1] });
  const [symbolic, parsed] = await Promise.all([ask('symbolic-ref', '--quiet', 'HEAD'), ask('rev-parse', '--verify', '--quiet', 'HEAD')]);
  const branch = symbolic.code === 0 ? decodeUtf8(symbolic.output).replace(/\n$/, '') : null;
  const oid = parsed.code === 0 ? parsed.output.toString('latin1').trim() : null;
  if (oid === null) {
    if (branch !== null) return { kind: 'unborn', name: shortHeadName(branch) };
    throw damagedHead();
  }
  const commit = await peelToCommit(objects, oid);
  if (commit === null) {
    throw missingHead(oid);
  }
  return branch === null ? { kind: 'detached', commit } : { kind: 'branch', name: shortHeadName(branch), commit };
}

/** Commit at the end of tags of tags; `null` when the object is missing, damaged, or ends elsewhere. */
async function peelToCommit(objects: NativeObjects, oid: string): Promise<CommitHash | null> {
  const found = await objects.find(`${oid}^{commit}`).catch((error: unknown) => {
    if (error instanceof CheckpointError && error.code === 'corrupt-object') return null;
    throw error;
  });
  return found !== null && isCommitHash(found.oid) ? found.oid : null;
}
