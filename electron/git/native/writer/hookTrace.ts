import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Events that git writes about itself (api-trace2), the only place where it says which hook failed. */
export class HookTrace {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async start(): Promise<HookTrace> {
    return new HookTrace(await mkdtemp(join(tmpdir(), 'theta-hooks-')));
  }

  get environment(): Readonly<Record<string, string>> {
    return { GIT_TRACE2_EVENT: join(this.#folder, 'events') };
  }

  /** Name of the last hook that did not end well; `null` when all did. */
  async failed(): Promise<string | null> {
    const text = await readFile(join(this.#folder, 'events'), 'utf8').catch(() => '');
    return failedHook(text);
  }

  async dispose(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** @param events one JSON object a line; those of a git that a hook started have a session id with a slash */
export function failedHook(events: string): string | null {
  const hooks = new Map<number, string>();
  let failed: string | null = null;
  for (const event of events.split('\n').map(parseEvent)) {
    if (event === null || typeof event.sid !== 'string' || event.sid.includes('/') || typeof event.child_id !== 'number') continue;
    if (event.event === 'child_start' && event.child_class === 'hook' && typeof event.hook_name === 'string') hooks.set(event.child_id, event.hook_name);
    if (event.event === 'child_exit' && event.code !== 0) failed = hooks.get(event.child_id) ?? failed;
  }
  return failed;
}

function parseEvent(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
