import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, isCommitHash } from '../../../shared/model/commit';
import { type GitCommand, runGit, streamGit } from '../native/gitProcess';

export interface CommitWithParents {
  readonly commit: CommitHash;
  readonly parents: readonly CommitHash[];
}

export interface CommitRange {
  readonly tips: readonly CommitHash[];
  /** Commits that the other side has. Those that are not here say nothing and are to be left out. */
  readonly known: readonly CommitHash[];
  /** Name of a remote whose branches, as they were last seen, are known to it; `null`: none. */
  readonly remote: string | null;
  readonly signal?: AbortSignal | undefined;
}

/** Commits that can be reached from the tips and not from what is known, parents after their children. @throws as runGit */
export async function unpushedCommits(command: GitCommand, range: CommitRange): Promise<readonly CommitWithParents[]> {
  if (range.tips.length === 0) return [];
  const input = [...new Set(range.tips), ...[...new Set(range.known)].map((commit) => `^${commit}`)].map((line) => `${line}\n`).join('');
  const known = range.remote === null ? [] : ['--not', `--remotes=${range.remote}`];
  const commits: CommitWithParents[] = [];
  let rest = '';
  for await (const chunk of streamGit(command, ['rev-list', '--topo-order', '--parents', '--stdin', ...known], {
    what: 'list what is to be pushed',
    input,
    environment: { GIT_FLUSH: '0' },
    signal: range.signal,
  })) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [commit = '', ...parents] = line.split(' ');
      if (!isCommitHash(commit)) throw new CheckpointError('internal', 'git listed a commit in an unexpected form.', { detail: line.slice(0, 200) });
      commits.push({ commit, parents: parents.filter(isCommitHash) });
    }
  }
  return commits;
}

/** The commits that objects are or end at (tags are followed), in their order; `null` for what is no commit, or not here. @throws as runGit */
export async function peelToCommits(command: GitCommand, oids: readonly string[], signal?: AbortSignal): Promise<readonly (CommitHash | null)[]> {
  if (oids.length === 0) return [];
  const input = oids.map((oid) => `${/^[0-9a-f]{40,64}$/.test(oid) ? oid : '0'}^{commit}\n`).join('');
  const { output } = await runGit(command, ['cat-file', '--batch-check'], { what: 'look for commits', input, signal });
  const lines = output.toString('utf8').split('\n');
  return oids.map((_, index) => {
    const oid = /^([0-9a-f]{40,64}) commit \d+$/.exec(lines[index] ?? '')?.[1] ?? '';
    return isCommitHash(oid) ? oid : null;
  });
}
