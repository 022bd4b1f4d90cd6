import type { AttributesEdit } from '../../git/attributes/attributesText';
import { convertLfs, lfsPatternAt, trackPattern } from '../../git/attributes/editAttributes';
import { readFilterLines } from '../../git/attributes/explainFilter';
import { patternBelow, patternMatcher } from '../../git/attributes/patternMatcher';
import { readWorkTreeAttributes } from '../../git/attributes/readAttributes';
import { samplePath } from '../../git/attributes/samplePath';
import { patternForPath } from '../../git/attributes/trackedPattern';
import type { GitRepository } from '../../git/gitRepository';

/** Makes a change in the text of an attributes file; one that is made already changes nothing. */
export type AttributesChange = (text: string) => AttributesEdit;

/** A pattern as in `.gitattributes` at the root, and what it is for. */
export interface MatchedFiles {
  readonly pattern: string;
  readonly files: readonly string[];
  /** A path that stands for files that do not exist yet; `null` when none is found, or none are meant. */
  readonly sample: string | null;
}

export interface PlanOptions {
  /** Of the attributes file that gets the patterns: '' for the root, else ending in `/`. */
  readonly folder: string;
  /** Whether what Git LFS keeps is taken over. */
  readonly convertLfs: boolean;
}

const ATTRIBUTES = '.gitattributes';

/**
 * What to change in which attributes files of the work tree, so that the files of patterns are kept as checkpoints. Lines that give them to
 * Git LFS, in this folder and below, are converted when they are for no other files; otherwise a line is put below that takes these files out.
 */
export async function planTracking(
  git: GitRepository,
  patterns: readonly MatchedFiles[],
  { folder, convertLfs: converts }: PlanOptions,
): Promise<ReadonlyMap<string, AttributesChange>> {
  const plan = new Plan(git);
  for (const item of patterns) {
    if (converts) await convertLines(plan, item, folder);
    // A single file is done with the line that was converted for it, now or in a run before.
    const done = converts && new Set(pathsOf(item)).size === 1 && (await plan.areTracked(pathsOf(item)));
    if (!done) await plan.add(`${folder}${ATTRIBUTES}`, (text) => trackPattern(text, item.pattern, { folder }));
    if (!converts) continue;
    for (const [path, { file }] of await plan.keptByLfs(item.files, folder)) {
      await plan.add(file, (text) => trackPattern(text, patternForPath(path), { folder: folderOf(file) }));
    }
  }
  return plan.changes;
}

async function convertLines(plan: Plan, item: MatchedFiles, folder: string): Promise<void> {
  const { pattern } = item;
  const matches = patternMatcher(pattern, folder);
  const lines = new Map<string, { readonly file: string; readonly line: number }>();
  for (const [, decision] of await plan.keptByLfs(pathsOf(item), folder)) lines.set(`${decision.line} ${decision.file}`, decision);
  for (const { file, line } of lines.values()) {
    const inner = folderOf(file);
    const given = lfsPatternAt(await plan.text(file), line);
    const sample = given === null ? null : samplePath(given);
    if (sample !== null && matches(`${inner}${sample}`)) {
      await plan.add(file, (text) => (lfsPatternAt(text, line) === given ? convertLfs(text, line) : { text, changed: false }));
      continue;
    }
    const narrowed = inner === folder ? null : patternBelow(pattern, folder, inner);
    if (narrowed !== null) await plan.add(file, (text) => trackPattern(text, narrowed, { folder: inner }));
  }
}

/** Changes that are not written yet, and what the attributes would be with them. */
class Plan {
  readonly changes = new Map<string, AttributesChange>();
  readonly #git: GitRepository;
  readonly #texts = new Map<string, string>();

  constructor(git: GitRepository) {
    this.#git = git;
  }

  async text(file: string): Promise<string> {
    const { workTree } = this.#git.place;
    return this.#texts.get(file) ?? (workTree === null ? '' : ((await readWorkTreeAttributes(workTree, file)) ?? ''));
  }

  async add(file: string, change: AttributesChange): Promise<void> {
    this.#texts.set(file, change(await this.text(file)).text);
    const before = this.changes.get(file);
    this.changes.set(file, before === undefined ? change : (text) => inTurn(text, [before, change]));
  }

  async areTracked(paths: readonly string[]): Promise<boolean> {
    const lines = await readFilterLines(this.#git, paths, this.#texts);
    return paths.every((path) => lines.get(path)?.filter === 'theta');
  }

  /** Paths that an attributes file of this folder, or of one below, gives to Git LFS, with its line. */
  async keptByLfs(paths: readonly string[], folder: string): Promise<readonly (readonly [string, { readonly file: string; readonly line: number }])[]> {
    const lines = await readFilterLines(this.#git, paths, this.#texts);
    return [...lines].flatMap(([path, { filter, file, line }]) => {
      if (filter !== 'lfs' || file === null || line === null) return [];
      // Other files are weaker than that of the folder, or for this clone alone and outside of the work tree.
      const inWorkTree = path.startsWith(folderOf(file)) && file.endsWith(ATTRIBUTES);
      return inWorkTree && folderOf(file).startsWith(folder) ? [[path, { file, line }] as const] : [];
    });
  }
}

export function pathsOf({ files, sample }: MatchedFiles): readonly string[] {
  return sample === null ? files : [...files, sample];
}

export function inTurn(text: string, changes: readonly AttributesChange[]): AttributesEdit {
  let result: AttributesEdit = { text, changed: false };
  for (const change of changes) {
    const next = change(result.text);
    result = { text: next.text, changed: result.changed || next.changed };
  }
  return result;
}

/** '' for the root, else ending in `/`. */
function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}
