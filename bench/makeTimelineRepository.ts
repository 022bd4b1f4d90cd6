import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { formatMetadata } from '../electron/theta/formatMetadata';
import type { ThetaEntry } from '../electron/theta/metadata';

export const TIMELINE_MODEL = 'model.safetensors';

export interface TimelineShape {
  readonly commits: number;
  readonly groups: number;
  /** Groups that a commit changes; every `allEvery`th changes all of them. */
  readonly changed: number;
  readonly allEvery: number;
}

/**
 * A repository whose commits each change some groups of one git-theta metadata file, spread over the file, made by `git fast-import`. The objects
 * of the groups do not exist: a timeline is made from metadata alone.
 */
export async function makeTimelineRepository(folder: string, { commits, groups, changed, allEvery }: TimelineShape): Promise<void> {
  await git(folder, ['init', '--quiet', '--initial-branch=main', '.'], []);
  await git(folder, ['fast-import', '--quiet', '--date-format=raw'], stream());

  function* stream(): Generator<string> {
    const entries = Array.from({ length: groups }, (_, group) => entryOf(group, 0));
    // Formatted one by one and joined: a file of a thousand groups is a megabyte.
    const members = entries.map(memberOf);
    for (let commit = 1; commit <= commits; commit++) {
      const count = commit % allEvery === 0 ? groups : changed;
      if (commit > 1) {
        for (let index = 0; index < count; index++) {
          const group = (index * Math.ceil(groups / count) + commit * 7) % groups;
          members[group] = memberOf(entryOf(group, commit));
        }
      }
      const person = `Ada <ada@example.org> ${1_704_067_200 + commit * 60} +0000`;
      const text = `{\n${members.join(',\n')}\n}`;
      yield `commit refs/heads/main\nmark :${commit}\nauthor ${person}\ncommitter ${person}\n${data(`Step ${commit}`)}`;
      if (commit === 1) yield `M 100644 inline .gitattributes\n${data(`${TIMELINE_MODEL} filter=theta merge=theta diff=theta\n`)}`;
      yield `M 100644 inline ${TIMELINE_MODEL}\n${data(text)}\n`;
    }
  }
}

function entryOf(group: number, version: number): ThetaEntry {
  const digest = createHash('sha256').update(`${group}:${version}`).digest();
  const name = `model.layers.${String(group).padStart(5, '0')}.weight`;
  return {
    keys: [name],
    name,
    dtype: 'float32',
    shape: [768, 768],
    signature: Array.from({ length: 16 }, (_, index) => digest.readBigInt64LE((index * 3) % 24)),
    oid: digest.toString('hex'),
    bytes: 2_359_296,
    updateType: version === 0 ? 'dense' : 'sparse',
    lastCommit: version === 0 ? null : (createHash('sha1').update(String(version)).digest('hex') as ThetaEntry['lastCommit']),
  };
}

function memberOf(entry: ThetaEntry): string {
  return formatMetadata([entry]).slice(2, -2);
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

async function git(folder: string, args: readonly string[], input: Iterable<string>): Promise<void> {
  const child = spawn('git', ['-c', 'core.fsync=none', ...args], { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] });
  const closed = once(child, 'close');
  child.stdin.on('error', () => {});
  for (const text of input) {
    if (!child.stdin.write(text) && child.exitCode === null) await Promise.race([once(child.stdin, 'drain'), closed]);
  }
  child.stdin.end();
  const [code] = await closed;
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${String(code)}`);
}
