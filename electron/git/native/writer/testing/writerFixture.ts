import { chmod, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { pathExists } from '../../../../bytes/pathExists';
import type { GitWriter } from '../../../gitWriter';
import { openRepository } from '../../../openRepository';
import { makeRepository, type TestRepository, temporaryFolder } from '../../../testing/testRepository';
import { openGitWriter } from '../openGitWriter';

/** Long enough ago that no index is as old; milliseconds. */
const PAST = Date.parse('2024-01-02T03:04:05.678Z');

export const ATTRIBUTES = '*.pt filter=theta diff=theta merge=theta -text\n';

/** A repository, a writer for it, and a filter that leaves a mark whenever git starts it. */
export class WriterFixture {
  readonly test: TestRepository;
  readonly writer: GitWriter;
  /** Work tree of the writer. */
  readonly folder: string;
  readonly scratch: string;
  #written = 0;

  constructor(test: TestRepository, parts: { readonly writer: GitWriter; readonly folder: string; readonly scratch: string }) {
    this.test = test;
    this.writer = parts.writer;
    this.folder = parts.folder;
    this.scratch = parts.scratch;
  }

  git(...args: readonly string[]): Promise<string> {
    return this.test.git(['-c', `filter.theta.process=${markingFilter(this.scratch)}`, '-c', 'filter.theta.required=true', ...args], { folder: this.folder });
  }

  /** Whether a filter ran since the last question. */
  async filterRan(): Promise<boolean> {
    const ran = (await readFile(join(this.scratch, 'mark'), 'utf8').catch(() => '')) !== '';
    await writeFile(join(this.scratch, 'mark'), '');
    return ran;
  }

  /** Writes a file of the work tree that is older than any index. */
  async write(path: string, content: string | Uint8Array): Promise<string> {
    const full = join(this.folder, path);
    await mkdir(join(full, '..'), { recursive: true });
    await writeFile(full, content);
    // git may compare whole seconds only, and two contents may have one size.
    const time = new Date(PAST + ++this.#written * 1000);
    await utimes(full, time, time);
    return full;
  }

  /** Writes and stages plain files. */
  async stage(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) await this.write(path, content);
    await this.writer.stagePlain(Object.keys(files));
  }

  /** A file with what the clean filter would have given. */
  async prepare(name: string, content: string): Promise<string> {
    const full = join(this.scratch, name);
    await writeFile(full, content);
    return full;
  }

  async hook(name: string, script: string, folder = join(this.test.path, '.git', 'hooks')): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }

  has(path: string): Promise<boolean> {
    return pathExists(join(this.folder, path));
  }
}

function markingFilter(scratch: string): string {
  return `echo x >> '${join(scratch, 'mark')}'; exit 1`;
}

export interface FixtureOptions {
  readonly init?: readonly string[];
  /** In a linked work tree, on the branch `side`. */
  readonly linked?: boolean;
  readonly filter?: string;
}

/** A repository with one commit (`.gitattributes`, `readme`) unless `init` says otherwise; nobody's own configuration takes part. */
export async function openFixture(options: FixtureOptions & { readonly empty?: boolean } = {}): Promise<WriterFixture> {
  isolate();
  const test = await makeRepository(...(options.init ?? []));
  onTestFinished(() => test.dispose());
  const scratch = await temporaryFolder();
  onTestFinished(() => rm(scratch, { recursive: true, force: true, maxRetries: 3 }));
  if (options.empty !== true) await test.commit('one', { '.gitattributes': ATTRIBUTES, readme: 'first\n' });
  let folder = test.path;
  if (options.linked === true) {
    folder = join(scratch, 'linked tree');
    await test.git(['worktree', 'add', '--quiet', '-b', 'side', folder]);
  }
  const git = await openRepository(folder);
  onTestFinished(() => git.close());
  const process = options.filter ?? markingFilter(scratch);
  const writer = await openGitWriter(git, { filterCommand: { process, clean: process, smudge: process } });
  return new WriterFixture(test, { writer, folder, scratch });
}

/** What the writer's git inherits: no configuration but the repository's, and somebody who commits. */
export function isolate(): void {
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  vi.stubEnv('GIT_AUTHOR_NAME', 'Ada Löwe');
  vi.stubEnv('GIT_AUTHOR_EMAIL', 'ada@example.org');
  vi.stubEnv('GIT_COMMITTER_NAME', 'Ben');
  vi.stubEnv('GIT_COMMITTER_EMAIL', 'ben@example.org');
  onTestFinished(() => void vi.unstubAllEnvs());
}
