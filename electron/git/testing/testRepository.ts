import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CommitHash, isCommitHash } from '../../../shared/model/commit';

export interface GitCallOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Folder to run in; default the repository. */
  readonly folder?: string;
}

/** Seconds; each commit of a test repository is a minute later than the one before, so that orders by date are settled. */
const START = 1_700_000_000;

/** A repository in a temporary folder, made by the git on this machine, which is the judge of what is right. */
export class TestRepository {
  readonly path: string;
  #clock = START;

  constructor(path: string) {
    this.path = path;
  }

  /** Output of git without the newline at its end. */
  async git(args: readonly string[], options: GitCallOptions = {}): Promise<string> {
    return (await this.bytes(args, options)).toString('utf8').replace(/\n$/, '');
  }

  async bytes(args: readonly string[], options: GitCallOptions = {}): Promise<Buffer> {
    return callGit(options.folder ?? this.path, args, options);
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    const full = join(this.path, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, content);
  }

  /** Writes files, stages everything and commits on the current branch. */
  async commit(message: string, files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<CommitHash> {
    for (const [path, content] of Object.entries(files)) await this.write(path, content);
    await this.git(['add', '--all']);
    await this.git(['commit', '--quiet', '--allow-empty', '--allow-empty-message', '-m', message], { env: this.nextDate() });
    return this.hash('HEAD');
  }

  /** A commit object made directly, with any parents and date. */
  async commitTree(message: string, parents: readonly string[], options: { readonly tree?: string; readonly time?: number } = {}): Promise<CommitHash> {
    const tree = options.tree ?? (await this.git(['mktree'], { input: '' }));
    const env = options.time === undefined ? this.nextDate() : datesAt(options.time);
    return asHash(await this.git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], { input: message, env }));
  }

  /** An object with exactly these bytes, valid or not. */
  async rawObject(type: string, content: string | Uint8Array): Promise<string> {
    return this.git(['hash-object', '-t', type, '-w', '--stdin', '--literally'], { input: content });
  }

  async hash(revision: string): Promise<CommitHash> {
    return asHash(await this.git(['rev-parse', '--verify', `${revision}^{commit}`]));
  }

  nextDate(): Readonly<Record<string, string>> {
    this.#clock += 60;
    return datesAt(this.#clock);
  }

  async dispose(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

export async function makeRepository(...initArguments: readonly string[]): Promise<TestRepository> {
  const repository = new TestRepository(await temporaryFolder());
  await repository.git(['init', '--quiet', '--initial-branch=main', ...initArguments, '.']);
  return repository;
}

/** A fresh folder by its real name, which is what git reports. */
export async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'theta-git-')));
}

export function asHash(text: string): CommitHash {
  if (!isCommitHash(text)) throw new TypeError(`not a hash: ${text}`);
  return text;
}

function datesAt(time: number): Readonly<Record<string, string>> {
  return { GIT_AUTHOR_DATE: `${time} +0100`, GIT_COMMITTER_DATE: `${time} +0100` };
}

/** Runs git with no configuration but the repository's own. */
export async function callGit(folder: string, args: readonly string[], options: GitCallOptions = {}): Promise<Buffer> {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const env = {
    ...inherited,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada Löwe',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ben',
    GIT_COMMITTER_EMAIL: 'ben@example.org',
    ...options.env,
  };
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['-c', 'protocol.file.allow=always', '-c', 'gc.auto=0', ...args],
      { cwd: folder, env, encoding: 'buffer', maxBuffer: 2 ** 30 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`git ${args.join(' ')} failed: ${stderr.toString('utf8')}`, { cause: error }));
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}
