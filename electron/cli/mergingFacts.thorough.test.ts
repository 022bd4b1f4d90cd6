import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeDenseObject } from '../encodings/testing/writeThetaObject';
import { floats, safetensorsFile, type Value } from '../services/tracker/testing/safetensorsFile';
import { TrackedFolder } from '../services/tracker/testing/trackedFolder';
import { carrierOf } from '../theta/carrier';
import { formatMetadata } from '../theta/formatMetadata';
import { type GitBridge, openGitBridge } from './testing/gitBridge';
import { pytorchFile, type State } from './testing/pytorchFile';
import { runTheta } from './testing/runTheta';

/**
 * What a file says beside its groups, through real merges by git with our driver. The files that must come out are made by the test itself, from
 * the description of their format, so that every byte of a merged file has another source than the program.
 */

const PATH = 'model.pt';
const count = (length: number, from: number) => Array.from({ length }, (_, index) => from + index / 8);
const W = count(96, 1);
const B = count(64, 2);
const B2 = count(64, 3);
const S = [7];
const S2 = [8];

let bridge: GitBridge;
let folder: TrackedFolder;

beforeAll(async () => {
  bridge = await openGitBridge();
});
afterAll(() => bridge.close());
beforeEach(async () => {
  folder = await TrackedFolder.make();
});
afterEach(() => folder.dispose());

type Sides = Readonly<Record<'base' | 'ours' | 'theirs', Uint8Array>>;

/** Commits the base on `main`, theirs on a branch and ours on top of the base, and stays there. */
async function commitSides({ base, ours, theirs }: Sides, path = PATH): Promise<void> {
  await folder.put(path, base);
  await folder.git('checkout', '-q', '-b', 'theirs');
  await folder.put(path, theirs);
  await folder.git('checkout', '-q', 'main');
  await folder.put(path, ours);
}

interface Merged {
  /** Whether git made the commit. */
  readonly done: boolean;
  /** What the driver said. */
  readonly said: string;
}

/** `git merge theirs` with our driver. */
async function merge(...options: string[]): Promise<Merged> {
  const driver = `merge.theta.driver=${bridge.command} merge-driver -- %O %A %B %P %L`;
  const args = ['-c', driver, ...options, 'merge', '-q', '--no-edit', 'theirs'];
  const done = await folder.test.git(args, { env: folder.test.nextDate() }).then(
    () => true,
    () => false,
  );
  return { done, said: bridge.runs.at(-1)?.err ?? '' };
}

/** Merges states of a training run and gives what is said and the file that a checkout of the merge has. */
async function mergeStates(states: Readonly<Record<'base' | 'ours' | 'theirs', State>>, ...options: string[]) {
  await commitSides({ base: await pytorchFile(states.base), ours: await pytorchFile(states.ours), theirs: await pytorchFile(states.theirs) });
  const merged = await merge(...options);
  expect(merged.done).toBe(true);
  return { said: merged.said, file: await folder.checkout('HEAD', PATH) };
}

/** A filter that is asked about the file finds the version that is committed: nothing looks changed after a checkout. */
async function expectCleanAsCommitted(path = PATH): Promise<void> {
  const file = await folder.checkout('HEAD', path);
  const cleaned = await folder.filter('clean', file, { path });
  expect(cleaned.toString()).toBe(await folder.metadata('HEAD', path));
}

const flipped = <T>({ base, ours, theirs }: { readonly base: T; readonly ours: T; readonly theirs: T }) => ({ base, ours: theirs, theirs: ours });

describe.each([
  ['ours', <T>(sides: Record<'base' | 'ours' | 'theirs', T>) => sides],
  ['theirs', flipped],
] as const)('what only %s changes beside the groups', (_side, turn) => {
  it('moves to the group that carries it once the smallest is removed, while the other side trains that', async () => {
    const base = { w: W, b: B, s: S, step: 100 };
    const { said, file } = await mergeStates(turn({ base, ours: { w: W, b: B, step: 100 }, theirs: { ...base, b: B2 } }));
    expect(file).toEqual(await pytorchFile({ w: W, b: B2, step: 100 }));
    expect(said).toBe('');
    await expectCleanAsCommitted();
  });

  it('stays when the other side trains the group that carries it', async () => {
    const base = { w: W, s: S, step: 100 };
    const { said, file } = await mergeStates(turn({ base, ours: { ...base, step: 101 }, theirs: { ...base, s: S2 } }));
    expect(file).toEqual(await pytorchFile({ w: W, s: S2, step: 101 }));
    expect(said).toBe('');
    await expectCleanAsCommitted();
  });

  it('stays when the other side trains another group', async () => {
    const base = { w: W, b: B, s: S, step: 100 };
    const { said, file } = await mergeStates(turn({ base, ours: { ...base, step: 101 }, theirs: { ...base, b: B2 } }));
    expect(file).toEqual(await pytorchFile({ w: W, b: B2, s: S, step: 101 }));
    expect(said).toBe('');
  });

  it('stays when the other side stores the group that carries it as an update', async () => {
    const s = count(4096, 5);
    const base = { w: count(8192, 1), s, step: 100 };
    const trained = s.map((value, index) => (index % 1000 === 0 ? value + 1 : value));
    const { said, file } = await mergeStates(turn({ base, ours: { ...base, step: 101 }, theirs: { ...base, s: trained } }));
    expect((await folder.entry(turn({ base: 'main', ours: 'main~1', theirs: 'theirs' }).theirs, PATH, 's')).updateType).toBe('sparse');
    expect(file).toEqual(await pytorchFile({ ...base, s: trained, step: 101 }));
    expect(said).toBe('');
  });

  it('moves to a smaller group that comes with it', async () => {
    const base = { w: W, b: B, step: 100 };
    const { said, file } = await mergeStates(turn({ base, ours: { ...base, s: S, step: 101 }, theirs: { ...base, b: B2 } }));
    expect(file).toEqual(await pytorchFile({ w: W, b: B2, step: 101, s: S }));
    expect(said).toBe('');
    await expectCleanAsCommitted();
  });
});

describe('what both sides change beside the groups', () => {
  const base = { w: W, b: B, s: S, step: 100 };

  it('is taken once when it is the same', async () => {
    const { said, file } = await mergeStates({ base, ours: { ...base, step: 200, b: B2 }, theirs: { ...base, step: 200, s: S2 } });
    expect(file).toEqual(await pytorchFile({ w: W, b: B2, s: S2, step: 200 }));
    expect(said).toBe('');
  });

  it.each([
    ['ours', [], 101, /The entry "step" of the file was changed on both sides: "101" is kept \(ours\), not "200" \(theirs\)\./],
    ['theirs', ['-c', 'theta.merge=theirs'], 200, /"200" is kept \(theirs\), not "101" \(ours\)\./],
    ['base', ['-c', 'theta.merge=base'], 100, /"100" is kept \(the base\), not "101" \(ours\) or "200" \(theirs\)\./],
  ] as const)('is as %s say it, with a note, when it is not', async (_strategy, options, step, note) => {
    const { said, file } = await mergeStates({ base, ours: { ...base, step: 101 }, theirs: { ...base, step: 200, s: S2 } }, ...options);
    expect(file).toEqual(await pytorchFile({ w: W, b: B, s: S2, step }));
    expect(said).toMatch(note);
    expect(said).toMatch(/^model\.pt: /);
    await expectCleanAsCommitted();
  });

  it('is told of where the bytes of the file can be those of one side only', async () => {
    const { said, file } = await mergeStates({ base: { ...base, rate: 3 }, ours: { ...base, rate: 3, step: 101 }, theirs: { ...base, rate: 5 } });
    expect(file).toEqual(await pytorchFile({ ...base, rate: 3, step: 101 }));
    expect(said).toMatch(/The entry "rate" of the file was changed by theirs alone to "5", but stays "3": /);
  });

  it('is told of where the side with the merged groups is the other one', async () => {
    const { said, file } = await mergeStates({ base, ours: { ...base, step: 101 }, theirs: { w: W, b: B, s: S, n: S2, step: 100 } });
    expect(file).toEqual(await pytorchFile({ w: W, b: B, s: S, n: S2, step: 100 }));
    expect(said).toMatch(/The entry "step" of the file was changed by ours alone to "101", but stays "100": /);
  });

  it('keeps entries with the version where no side has the merged groups, and names what a checkout lacks', async () => {
    const { said } = await mergeStates({ base, ours: { ...base, m: S }, theirs: { ...base, n: S2, step: 200 } });
    expect(said).toMatch(/written in the plain form of PyTorch/);
    expect(said).toMatch(/a checkout lacks it, while the version keeps it: step\./);
    const shown = await runTheta('-C', folder.path, 'show', '--json', `HEAD:${PATH}`);
    expect(shown.out).toMatch(/"step"[^}]*"200"/);
    expect([...(await folder.entries('HEAD', PATH)).keys()]).toEqual(['b', 'm', 'n', 's', 'w']);
  });
});

describe('a conflict of the group that carries it', () => {
  const base = { w: W, s: S, step: 100 };

  it('is followed by what the file says once it is decided', async () => {
    await commitSides({
      base: await pytorchFile(base),
      ours: await pytorchFile({ w: W, s: [9], step: 101 }),
      theirs: await pytorchFile({ w: W, s: S2, step: 100 }),
    });
    const { done, said } = await merge();
    expect(done).toBe(false);
    expect(said).toContain('Resolve them with "theta merge".\n');
    const decided = await runTheta('-C', folder.path, 'merge', '--strategy', 'theirs', '--group', 's');
    // No filter is set up here, so the file itself is written as its metadata.
    expect(decided).toMatchObject({ code: 0, out: `${PATH}: merged and staged\n` });
    await folder.commit('merged');
    expect(await folder.checkout('HEAD', PATH)).toEqual(await pytorchFile({ w: W, s: S2, step: 101 }));
    await expectCleanAsCommitted();
  });

  it.each([
    ['theirs', 200, S2],
    ['ours', 101, [9]],
  ] as const)('is decided with what the file says for %s', async (strategy, step, s) => {
    await commitSides({
      base: await pytorchFile(base),
      ours: await pytorchFile({ w: W, s: [9], step: 101 }),
      theirs: await pytorchFile({ w: W, s: S2, step: 200 }),
    });
    await merge();
    const decided = await runTheta('-C', folder.path, 'merge', '--strategy', strategy);
    expect(decided.out).toMatch(new RegExp(`merged and staged\n {2}The entry "step" of the file was changed on both sides: "${step}" is kept`));
    await folder.commit('merged');
    expect(await folder.checkout('HEAD', PATH)).toEqual(await pytorchFile({ w: W, s, step }));
  });

  it('is averaged with what the file says', async () => {
    const { file } = await mergeStates({ base, ours: { w: W, s: [9], step: 101 }, theirs: { w: W, s: [11], step: 100 } }, '-c', 'theta.merge=average');
    expect(file).toEqual(await pytorchFile({ w: W, s: [10], step: 101 }));
  });
});

describe('metadata of safetensors', () => {
  const FILE = 'model.safetensors';
  const w = floats(W);
  const b = floats(B);
  const n = floats([1, 2]);
  const file = (values: Readonly<Record<string, Value>>, metadata: Readonly<Record<string, string>> | null) => safetensorsFile(values, metadata);

  it('is merged key by key', async () => {
    await commitSides(
      {
        base: file({ b, w }, { format: 'pt', step: '1', rate: '3', old: 'x' }),
        ours: file({ b, w }, { format: 'pt', step: '2', rate: '3', old: 'x', mine: 'ä' }),
        theirs: file({ b, w }, { format: 'pt', step: '1', rate: '4', yours: '層' }),
      },
      FILE,
    );
    expect(await merge()).toEqual({ done: true, said: '' });
    expect(await folder.checkout('HEAD', FILE)).toEqual(file({ b, w }, { format: 'pt', step: '2', rate: '4', mine: 'ä', yours: '層' }));
    await expectCleanAsCommitted(FILE);
  });

  it('is merged where both sides have other groups, and their order', async () => {
    await commitSides(
      {
        base: file({ w, b }, { format: 'pt', step: '1' }),
        ours: file({ w, b, a: n }, { format: 'pt', step: '2' }),
        theirs: file({ w, n, b }, { format: 'pt', step: '1', rate: '4' }),
      },
      FILE,
    );
    expect(await merge()).toEqual({ done: true, said: '' });
    expect(await folder.checkout('HEAD', FILE)).toEqual(file({ w, n, b, a: n }, { format: 'pt', step: '2', rate: '4' }));
    await expectCleanAsCommitted(FILE);
  });

  it('names the one key that both changed', async () => {
    await commitSides(
      {
        base: file({ b, w }, { step: '1' }),
        ours: file({ b, w }, { step: '2', mine: '1' }),
        theirs: file({ b, w }, { step: '3', yours: '1' }),
      },
      FILE,
    );
    const { done, said } = await merge();
    expect(done).toBe(true);
    expect(said).toBe(`${FILE}: The entry "step" of the file was changed on both sides: "2" is kept (ours), not "3" (theirs).\n`);
    expect(await folder.checkout('HEAD', FILE)).toEqual(file({ b, w }, { step: '2', mine: '1', yours: '1' }));
  });
});

describe('versions that git-theta wrote', () => {
  const base = { w: W, b: B, s: S, step: 100 };

  /** The version of a branch with an object that git-theta could have written for a group. */
  async function putByGitTheta(revision: string, group: string, values: readonly number[]): Promise<void> {
    const object = encodeDenseObject('float32', [values.length], new Uint8Array(Float32Array.from(values).buffer));
    const oid = createHash('sha256').update(object).digest('hex');
    await mkdir(dirname(folder.objectPath(oid)), { recursive: true });
    await writeFile(folder.objectPath(oid), object);
    const entries = [...(await folder.entries(revision, PATH)).values()];
    const changed = entries.map((entry) => (entry.name === group ? { ...entry, oid, bytes: object.byteLength, signature: null } : entry));
    // As new as it is, or git takes a file of the same size for the one before. Without a filter it takes it as it is.
    await folder.test.write(PATH, formatMetadata(changed));
    await folder.git('add', PATH);
    await folder.commit('by git-theta');
  }

  it('say nothing about the file, so what is known of it stays', async () => {
    await folder.put(PATH, await pytorchFile(base));
    await folder.git('checkout', '-q', '-b', 'theirs');
    await putByGitTheta('HEAD', 's', S2);
    await folder.git('checkout', '-q', 'main');
    await folder.put(PATH, await pytorchFile({ ...base, b: B2 }));
    expect(await merge()).toEqual({ done: true, said: '' });
    expect(await folder.checkout('HEAD', PATH)).toEqual(await pytorchFile({ ...base, b: B2, s: S2 }));
  });

  it('are merged without storing anything', async () => {
    await folder.put(PATH, await pytorchFile(base));
    await putByGitTheta('HEAD', 's', S);
    await folder.git('checkout', '-q', '-b', 'theirs');
    await putByGitTheta('HEAD', 's', S2);
    await folder.git('checkout', '-q', 'main');
    await putByGitTheta('HEAD', 'b', B2);
    const [ours, theirs] = [await folder.entries('HEAD', PATH), await folder.entries('theirs', PATH)];
    expect(await merge()).toEqual({ done: true, said: '' });
    const entries = [...ours.values()].map((entry) => (entry.name === 's' ? (theirs.get('s') ?? entry) : entry));
    expect(await folder.metadata('HEAD', PATH)).toBe(formatMetadata(entries));
  });
});

describe('what is not known', () => {
  async function removeCarrier(revision: string): Promise<void> {
    const carrier = carrierOf((await folder.entries(revision, PATH)).values());
    await rm(folder.objectPath(carrier?.oid ?? ''));
  }
  const base = { w: W, b: B, s: S, step: 100 };

  it.each([
    ['theirs', 'their version'],
    ['main', 'our version'],
  ])('is said of %s, and the groups merge as before', async (revision, called) => {
    await commitSides({
      base: await pytorchFile(base),
      ours: await pytorchFile({ ...base, step: 101 }),
      theirs: await pytorchFile({ ...base, b: B2, step: 102 }),
    });
    await removeCarrier(revision);
    const { done, said } = await merge();
    expect(done).toBe(true);
    expect(said).toContain(`is not known of ${called}`);
    expect((await folder.entry('HEAD', PATH, 'b')).oid).toBe((await folder.entry('theirs', PATH, 'b')).oid);
    expect(await folder.entry('HEAD', PATH, 's')).toEqual(await folder.entry('main~1', PATH, 's'));
  });

  it('is no matter where that version of the group is taken as it is', async () => {
    await commitSides({
      base: await pytorchFile(base),
      ours: await pytorchFile({ ...base, b: B2 }),
      theirs: await pytorchFile({ ...base, s: S2, step: 101 }),
    });
    await removeCarrier('theirs');
    expect(await merge()).toEqual({ done: true, said: '' });
    expect(await folder.entry('HEAD', PATH, 's')).toEqual(await folder.entry('theirs', PATH, 's'));
  });

  it('is no matter where that side changed nothing of it', async () => {
    await commitSides({
      base: await pytorchFile(base),
      ours: await pytorchFile({ ...base, step: 101 }),
      theirs: await pytorchFile({ ...base, b: B2 }),
    });
    await removeCarrier('theirs');
    expect(await merge()).toEqual({ done: true, said: '' });
    expect(await folder.entry('HEAD', PATH, 's')).toEqual(await folder.entry('main~1', PATH, 's'));
  });
});
