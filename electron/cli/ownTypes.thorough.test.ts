import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readIndependently } from '../../e2e/fixtures/independentReader';
import { edited, floats, noise, safetensorsFile } from '../services/tracker/testing/safetensorsFile';
import { TrackedFolder } from '../services/tracker/testing/trackedFolder';
import { runTheta } from './testing/runTheta';

const PATH = 'model.safetensors';
const FIRST = { bias: floats(noise(3000, 1)), weight: floats(noise(3000, 2), [60, 50]) };
/** One element changes its sign, which no difference does exactly. */
const FLIPPED = { ...FIRST, weight: edited(FIRST.weight, (bytes) => bytes.setFloat32(70 * 4, -1.2345e-12, true)) };
const LATER = { ...FLIPPED, weight: edited(FLIPPED.weight, (bytes) => bytes.setFloat32(80 * 4, 0.5, true)) };
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let folder: TrackedFolder;
beforeEach(async () => {
  folder = await TrackedFolder.make();
  await folder.put(PATH, safetensorsFile(FIRST));
});
afterEach(() => folder.dispose());

describe('theta.updates', () => {
  it('is git-theta unless it was set: a full copy where no difference is exact', async () => {
    for (const setting of [null, 'git-theta']) {
      if (setting !== null) await folder.git('config', 'theta.updates', setting);
      await folder.write(PATH, safetensorsFile(FLIPPED));
      const { groups, notes } = await folder.add(PATH);
      expect(groups.find(({ name }) => name === 'weight')).toMatchObject({ change: 'modified', updateType: 'dense' });
      expect(notes).toEqual([]);
    }
  });

  it('is all: new values are stored, come back exactly, and git-theta is said not to read them', async () => {
    await folder.git('config', 'theta.updates', 'all');
    const { commit, cleaned } = await folder.put(PATH, safetensorsFile(FLIPPED));
    expect(cleaned.groups.find(({ name }) => name === 'weight')).toMatchObject({ change: 'modified', updateType: 'sparse-values', notes: [] });
    expect(cleaned.notes).toEqual([expect.stringMatching(/^git-theta cannot read this version: 1 parameter group is stored/)]);
    expect(await folder.checkout(commit, PATH)).toEqual(Buffer.from(safetensorsFile(FLIPPED)));
    expect((await readIndependently(folder.path, commit, PATH)).get('weight')?.sha256).toBe(sha256(FLIPPED.weight.bytes));
    expect(await folder.status()).toBe('');
  });

  it('is git-theta again: what was stored stays as it is, and what changes is a full copy', async () => {
    await folder.git('config', 'theta.updates', 'all');
    await folder.put(PATH, safetensorsFile(FLIPPED));
    await folder.git('config', 'theta.updates', 'git-theta');
    const kept = await folder.add(PATH);
    expect(kept).toMatchObject({ unchanged: true, notes: [expect.stringMatching(/^git-theta cannot read this version/)] });
    const { commit, cleaned } = await folder.put(PATH, safetensorsFile(LATER));
    expect(cleaned.groups.find(({ name }) => name === 'weight')).toMatchObject({
      updateType: 'dense',
      notes: [expect.stringMatching(/git-theta cannot read the previous value/)],
    });
    expect(cleaned.notes).toEqual([]);
    expect(await folder.checkout(commit, PATH)).toEqual(Buffer.from(safetensorsFile(LATER)));
  });

  it('is something else: nothing is stored, and the error says what it may be', async () => {
    await folder.git('config', 'theta.updates', 'everything');
    await folder.write(PATH, safetensorsFile(FLIPPED));
    await expect(folder.add(PATH)).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'The setting theta.updates is "everything"; it may be "git-theta" or "all".',
    });
  });
});

describe('the commands name the type', () => {
  beforeEach(async () => {
    await folder.git('config', 'theta.updates', 'all');
    await folder.put(PATH, safetensorsFile(FLIPPED));
  });

  it('in add, show and log', async () => {
    const run = async (...args: string[]) => (await runTheta('-C', folder.path, ...args)).out;
    expect(await run('add', '--dry-run', PATH)).toContain('git-theta cannot read this version');
    expect(await run('show', `HEAD:${PATH}`)).toContain('sparse-values');
    expect(await run('log', PATH)).toMatch(/1 sparse-values \(.*\), 1 unchanged/);
  });
});
