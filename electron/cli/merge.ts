import { CheckpointError } from '../../shared/contract/errors';
import { globPattern } from '../../shared/model/groupPattern';
import { openConflictIndex } from '../git/native/conflictIndex';
import type { FilterCommand } from '../git/native/writer/writerContext';
import { type ConflictSearch, type FileConflict, listConflicts } from '../services/merger/conflicts';
import { type Resolution, resolveConflict } from '../services/merger/resolveConflict';
import type { OpenedRepository } from '../services/repositories/openedRepository';
import type { MergeStrategy } from '../theta/mergeMetadata';
import { describeConflicts } from './describeConflicts';
import { createProgressLine } from './progressLine';
import { repositoryPathOf } from './repositoryPathOf';
import type { Session } from './session';
import { terminalText } from './terminalText';

const NEEDS_SIDE = 'What cannot be averaged needs a side: --strategy ours, theirs or base.\n';

export interface MergeCommandOptions {
  /** `null`: only list what is left. */
  readonly strategy: MergeStrategy | null;
  /** Name of a group, with `*` for any text and `?` for one character; `null`: all. */
  readonly group: string | null;
  readonly json: boolean;
  /** How git is to run this installation as its filter; `null`: as it is configured. */
  readonly filter: FilterCommand | null;
}

/**
 * `theta merge`: without a strategy lists the tracked checkpoints in conflict and their groups; with one decides these. Returns 1 while groups are
 * left that this run was asked to decide, or others of their file.
 */
export async function mergeCommand(session: Session, path: string | undefined, options: MergeCommandOptions): Promise<number> {
  if (options.group !== null && options.strategy === null) {
    throw new CheckpointError('invalid-request', 'A pattern of groups needs a decision for them.', { hint: 'Give --strategy average, ours, theirs or base.' });
  }
  const repository = await session.repository();
  const index = await openConflictIndex(repository.git, options.filter);
  const search: ConflictSearch = { index, pool: session.pool, signal: session.signal };
  const all = await listConflicts(repository, search);
  const named = path === undefined ? null : await repositoryPathOf(session, path);
  const chosen = named === null ? all : all.filter((conflict) => conflict.path === named);
  if (path !== undefined && chosen.length === 0) {
    throw new CheckpointError('not-found', `${path} is not a tracked checkpoint in conflict.`, { hint: '"theta merge" lists those that are.' });
  }
  if (options.strategy === null) {
    session.terminal.out(options.json ? toJson(chosen.map((conflict) => ({ conflict, resolution: null }))) : listing(chosen));
    return 0;
  }
  const matches = matcher(options.group);
  if (options.group !== null && !chosen.some(({ groups }) => groups.some(({ name }) => matches(name)))) {
    throw new CheckpointError('not-found', `No parameter group in conflict is called ${options.group}.`, { hint: '"theta merge" lists those that are.' });
  }
  return resolveAll(session, repository, { chosen, search, options, matches });
}

interface Task {
  readonly chosen: readonly FileConflict[];
  readonly search: ConflictSearch;
  readonly options: MergeCommandOptions;
  readonly matches: (name: string) => boolean;
}

interface Resolved {
  readonly conflict: FileConflict;
  readonly resolution: Resolution | null;
}

async function resolveAll(session: Session, repository: OpenedRepository, task: Task): Promise<number> {
  const { chosen, search, options, matches } = task;
  const { strategy, json } = options;
  const line = createProgressLine(session.terminal, 'Averaging');
  const results: Resolved[] = [];
  try {
    for (const conflict of chosen) {
      const untouched = conflict.problem !== null || (options.group !== null && !conflict.groups.some(({ name }) => matches(name)));
      const strategyFor = (name: string) => (matches(name) ? strategy : null);
      const factsStrategy = options.group === null ? strategy : null;
      results.push({
        conflict,
        resolution: untouched ? null : await resolveConflict(repository, conflict, { ...search, strategyFor, factsStrategy, onProgress: line.update }),
      });
    }
  } finally {
    line.clear();
  }
  session.terminal.out(json ? toJson(results) : `${results.map(describe).join('')}${needsSide(results, task) ? NEEDS_SIDE : ''}`);
  return results.some(({ conflict, resolution }) => (resolution === null ? conflict.problem !== null : resolution.left.length > 0)) ? 1 : 0;
}

function describe({ conflict, resolution }: Resolved): string {
  const path = terminalText(conflict.path);
  if (resolution === null) return conflict.problem === null ? '' : `${path}: ${terminalText(conflict.problem)}\n`;
  const notes = resolution.notes.map((note) => `  ${terminalText(note)}\n`).join('');
  if (resolution.left.length === 0) return `${path}: merged and staged\n${notes}`;
  const resolved = resolution.resolved.length === 0 ? '' : `${path}: ${resolution.resolved.length} decided\n`;
  return `${resolved}${describeConflicts(conflict.path, resolution.left)}${notes}`;
}

/** Whether an average was asked for groups that are left. */
function needsSide(results: readonly Resolved[], { options, matches }: Task): boolean {
  return options.strategy === 'average' && results.some(({ resolution }) => resolution?.left.some(({ name }) => matches(name)) === true);
}

function listing(conflicts: readonly FileConflict[]): string {
  if (conflicts.length === 0) return 'No tracked checkpoint is in conflict.\n';
  const files = conflicts
    .map(({ path, groups, problem }) => {
      if (problem !== null) return `${terminalText(path)}: ${terminalText(problem)}\n`;
      return groups.length === 0
        ? `${terminalText(path)}: everything merges by itself; any --strategy stages it\n`
        : describeConflicts(path, groups, groups.length);
    })
    .join('');
  return `${files}Decide with "theta merge --strategy average|ours|theirs|base"; --group PATTERN decides some, a path one file.\n`;
}

function toJson(results: readonly Resolved[]): string {
  const files = results.map(({ conflict: { path, groups, problem }, resolution }) => ({
    path,
    resolved: resolution?.resolved ?? [],
    left: resolution === null ? groups : resolution.left,
    staged: resolution !== null && resolution.left.length === 0,
    ...(problem === null ? {} : { problem }),
    ...(resolution === null || resolution.notes.length === 0 ? {} : { notes: resolution.notes }),
  }));
  return `${JSON.stringify(files, null, 2)}\n`;
}

function matcher(pattern: string | null): (name: string) => boolean {
  if (pattern === null) return () => true;
  const fits = globPattern(pattern);
  return (name) => name === pattern || fits(name);
}
