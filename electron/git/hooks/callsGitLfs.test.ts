import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeRepository } from '../testing/testRepository';
import { callsGitLfs } from './callsGitLfs';
import { HOOKS, hookScript } from './hookScript';

const gitLfs = spawnSync('git', ['lfs', 'version']).status === 0;

/** As git-lfs 3.3.0 writes it. */
const WRITTEN = `#!/bin/sh
command -v git-lfs >/dev/null 2>&1 || { echo >&2 "\\nThis repository is configured for Git LFS but 'git-lfs' was not found on your path. If you no longer wish to use Git LFS, remove this hook by deleting '.git/hooks/pre-push'.\\n"; exit 2; }
git lfs pre-push "$@"
`;

/** As git-theta 0.2.0 writes it, but for its comment (design/git-theta-format.md, 1). */
const GIT_THETA = '#!/bin/sh\n# hook\ngit theta pre-push "$@"\n';

describe('callsGitLfs', () => {
  it.skipIf(!gitLfs)('knows the hook of the git-lfs on this machine', async () => {
    const test = await makeRepository();
    onTestFinished(() => test.dispose());
    await test.git(['lfs', 'install', '--local']);
    expect(callsGitLfs(await readFile(join(test.path, '.git', 'hooks', 'pre-push'), 'latin1'))).toBe(true);
  });

  it.each([
    WRITTEN,
    WRITTEN.replaceAll('\n', '\r\n'),
    '#!/usr/bin/env bash\n# don\'t ask\nset -eu\n\ngit lfs pre-push "$@"\n',
    '#!/bin/sh\ngit-lfs pre-push "$1" "$2" # all of it',
    '#!/bin/sh\nexec git lfs \\\n  pre-push $*\n',
    '#!/bin/sh\ngit lfs pre-push "$@" || exit 1\n',
  ])('knows one that surely does: %j', (content) => {
    expect(callsGitLfs(content)).toBe(true);
  });

  it.each([
    '',
    'git lfs pre-push "$@"\n',
    GIT_THETA,
    hookScript(HOOKS[0], "'theta'"),
    // Only speaks of it.
    '#!/bin/sh\n# git lfs pre-push "$@"\n',
    '#!/bin/sh\necho "\ngit lfs pre-push $@\n"\n',
    "#!/bin/sh\n# don't\necho '\ngit lfs pre-push $@\n'\n",
    '#!/bin/sh\ncat <<END\ngit lfs pre-push "$@"\n',
    '#!/bin/sh\necho git lfs pre-push "$@"\n',
    '#!/usr/bin/env python3\n"""\ngit lfs pre-push "$@"\n',
    // Calls something else of it, or for another remote.
    '#!/bin/sh\ngit lfs env\n',
    '#!/bin/sh\ngit lfs pre-push "backup"\n',
    // May not come to it.
    '#!/bin/sh\n[ "$1" = backup ] && exit 0\ngit lfs pre-push "$@"\n',
    '#!/bin/sh\nif false; then\n  git lfs pre-push "$@"\nfi\n',
    '#!/bin/sh\ncommand -v git-lfs >/dev/null 2>&1 || { echo "none"; exit 0; }\ngit lfs pre-push "$@"\n',
    '#!/bin/sh\ncommand -v git-lfs >/dev/null && git lfs pre-push "$@"\n',
    // Leaves no input for it.
    '#!/bin/sh\nwhile read ref; do echo "$ref"; done\ngit lfs pre-push "$@"\n',
    '#!/bin/sh\ngit theta pre-push "$@"\ngit lfs pre-push "$@"\n',
    '#!/bin/sh\ngit lfs pre-push "$@" </dev/null\n',
    // Does not mind when it fails.
    '#!/bin/sh\ngit lfs pre-push "$@" || true\n',
    '#!/bin/sh\ngit lfs pre-push "$@" &\n',
    '#!/bin/sh\ngit lfs pre-push "$@"\ntrue\n',
  ])('does not count on one that may not: %j', (content) => {
    expect(callsGitLfs(content)).toBe(false);
  });
});
