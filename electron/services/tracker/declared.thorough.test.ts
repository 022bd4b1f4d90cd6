import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readIndependently } from '../../../e2e/fixtures/independentReader';
import type { UpdateChoice } from '../../../shared/model/track';
import { openRef } from '../../tensors/openRef';
import { computeSignature } from '../../tensors/signature/signature';
import { edited, floats, noise, safetensorsFile, type Value } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const PATH = 'model.safetensors';
const ROWS = 40;
const COLUMNS = 30;

let folder: TrackedFolder;
beforeEach(async () => {
  folder = await TrackedFolder.make();
});
afterEach(() => folder.dispose());

const matrix = (seed: number) => floats(noise(ROWS * COLUMNS, seed), [ROWS, COLUMNS]);
const numbers = ({ bytes }: Value) => new Float32Array(bytes.slice().buffer);
const whole = (values: readonly number[], dtype: 'int32' | 'int64' = 'int32'): Value => ({
  dtype,
  shape: [values.length],
  bytes: new Uint8Array(dtype === 'int32' ? Int32Array.from(values).buffer : BigInt64Array.from(values, BigInt).buffer),
});

/** Names in which one is the beginning of another. */
const OLD = { layer1: matrix(1), layer10: matrix(2), 'layer1.bias': floats(noise(500, 3)), other: floats([1, 2, 3]) };
const R = floats(noise(ROWS * 2, 4), [ROWS, 2]);
const C = floats(noise(2 * COLUMNS, 5), [2, COLUMNS]);
const IA3 = floats(noise(COLUMNS, 6), [1, COLUMNS]);
const SPARSE = { data: floats([0.5, 0.25]), indices: whole([7, 90]), indptr: whole([0, 2]), shape: whole([500], 'int64') };

/** `R @ C + previous` in float32, one rounding for each step, in the order of the description of the format. */
function lowRank(previous: Value): Value {
  const [r, c, value] = [numbers(R), numbers(C), numbers(previous)];
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      let sum = 0;
      for (let k = 0; k < 2; k++) sum = Math.fround((r[row * 2 + k] ?? 0) * (c[k * COLUMNS + column] ?? 0) + sum);
      value[row * COLUMNS + column] = sum + (value[row * COLUMNS + column] ?? 0);
    }
  }
  return floats(value, previous.shape);
}

function scaled(previous: Value): Value {
  const factor = numbers(IA3);
  return floats(
    numbers(previous).map((x, i) => x * (factor[i % COLUMNS] ?? 0)),
    previous.shape,
  );
}

function added(previous: Value): Value {
  const value = numbers(previous);
  for (const [i, delta] of [
    [7, 0.5],
    [90, 0.25],
  ] as const)
    value[i] = Math.fround((value[i] ?? 0) + delta);
  return floats(value, previous.shape);
}

async function updateFile(tensors: Readonly<Record<string, Value>>, metadata: Readonly<Record<string, string>> | null = null): Promise<string> {
  const file = join(folder.path, '.git', 'update.safetensors');
  await writeFile(file, safetensorsFile(tensors, metadata));
  return file;
}

/** What must be true after an update was added: file, index, and every reader agree on `values`. */
async function expectAdded(values: Readonly<Record<string, Value>>, types: Readonly<Record<string, string>>): Promise<void> {
  const file = safetensorsFile(values);
  expect(await folder.checkout('', PATH)).toEqual(file);
  expect((await folder.test.bytes(['hash-object', '--no-filters', PATH])).toString()).toBe(
    (await folder.test.bytes(['hash-object', '--stdin'], { input: file })).toString(),
  );
  // git need not look into the file: its times are in the index.
  expect(await folder.status()).toBe(`M  ${PATH}`);
  const commit = await folder.commit('update');
  expect(await folder.status()).toBe('');
  expect(Object.fromEntries([...(await folder.entries(commit, PATH)).values()].map(({ name, updateType }) => [name, updateType]))).toEqual(types);
  const readers = await readIndependently(folder.path, commit, PATH);
  for (const [name, value] of Object.entries(values)) {
    const { dtype, shape, bytes } = value;
    expect(readers.get(name)?.sha256, name).toBe(Buffer.from(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes))).toString('hex'));
    const ref = { dtype, shape, source: { kind: 'memory', bytes }, offset: 0, strides: null, bigEndian: false } as const;
    expect((await folder.entry(commit, PATH, name)).signature, name).toEqual(await computeSignature(await openRef(ref, name)));
  }
  // Adding the file once more, as any `git add` would, takes nothing back.
  expect((await folder.add(PATH)).unchanged).toBe(true);
}

const DENSE = { layer1: 'dense', layer10: 'dense', 'layer1.bias': 'dense', other: 'dense' };

describe('an update file', () => {
  it.each<[Exclude<UpdateChoice, 'auto' | 'dense'>, string, Readonly<Record<string, Value>>, (previous: Value) => Value]>([
    ['low-rank', 'layer10', { R, C }, lowRank],
    ['low-rank', 'layer1', { R, C }, lowRank],
    ['ia3', 'layer1', { ia3: IA3 }, scaled],
    ['sparse', 'layer1.bias', SPARSE, added],
  ])('of the type %s for %s makes the new value from the old one', async (choice, group, members, apply) => {
    await folder.put(PATH, safetensorsFile(OLD));
    const updateData = await updateFile(Object.fromEntries(Object.entries(members).map(([member, value]) => [`${group}/${member}`, value])));
    const next = { ...OLD, [group]: apply(OLD[group as keyof typeof OLD]) };
    for (const asked of ['auto', choice] as const) {
      const cleaned = await folder.add(PATH, { choice: asked, updateData });
      // The second time the file has the new value already.
      expect([...cleaned.declared]).toEqual([group]);
    }
    await expectAdded(next, { ...DENSE, [group]: choice });
  });

  it.each(['auto', 'low-rank'] as const)('for a file that has the new value already: %s', async (choice) => {
    await folder.put(PATH, safetensorsFile(OLD));
    const next = { ...OLD, layer10: lowRank(OLD.layer10) };
    await folder.write(PATH, safetensorsFile(next));
    await folder.add(PATH, { choice, updateData: await updateFile({ 'layer10/R': R, 'layer10/C': C }) });
    await expectAdded(next, { ...DENSE, layer10: 'low-rank' });
  });

  it('for a file that has yet another value: the file counts, and that is said', async () => {
    await folder.put(PATH, safetensorsFile(OLD));
    const next = { ...OLD, layer10: edited(OLD.layer10, (view) => view.setFloat32(0, 1.5, true)) };
    await folder.write(PATH, safetensorsFile(next));
    const { groups } = await folder.add(PATH, { updateData: await updateFile({ 'layer10/R': R, 'layer10/C': C }) });
    expect(groups.find(({ name }) => name === 'layer10')?.notes.join()).toMatch(/other bits than the low-rank update gives/);
    const { updateType } = await folder.entry('', PATH, 'layer10');
    await expectAdded(next, { ...DENSE, layer10: updateType });
  });

  it('for a file whose other value is staged already: that is not replaced', async () => {
    await folder.put(PATH, safetensorsFile(OLD));
    const next = { ...OLD, layer10: edited(OLD.layer10, (view) => view.setFloat32(0, 1.5, true)) };
    await folder.write(PATH, safetensorsFile(next));
    await folder.add(PATH);
    const { declared } = await folder.add(PATH, { updateData: await updateFile({ 'layer10/R': R, 'layer10/C': C }) });
    expect(declared.size).toBe(0);
    expect(await folder.checkout('', PATH)).toEqual(safetensorsFile(next));
  });

  it('mixes types, named in its metadata, and other changes of the file are kept', async () => {
    await folder.put(PATH, safetensorsFile(OLD));
    const other = floats([3, 2, 1]);
    await folder.write(PATH, safetensorsFile({ ...OLD, other }));
    const tensors = {
      'layer1/ia3': IA3,
      'layer10/R': R,
      'layer10/C': C,
      ...Object.fromEntries(Object.entries(SPARSE).map(([member, value]) => [`layer1.bias/${member}`, value])),
    };
    const types = { 'layer1/update_type': 'ia3', 'layer10/update_type': 'low-rank', 'layer1.bias/update_type': 'sparse' };
    await folder.add(PATH, { updateData: await updateFile(tensors, types) });
    const next = { layer1: scaled(OLD.layer1), layer10: lowRank(OLD.layer10), 'layer1.bias': added(OLD['layer1.bias']), other };
    await expectAdded(next, { layer1: 'ia3', layer10: 'low-rank', 'layer1.bias': 'sparse', other: 'dense' });
  });

  it('follows another, and its chain is read by all', async () => {
    await folder.put(PATH, safetensorsFile(OLD));
    const updateData = await updateFile({ 'layer10/R': R, 'layer10/C': C });
    let value: Value = OLD.layer10;
    for (let n = 0; n < 3; n++) {
      await folder.add(PATH, { choice: 'low-rank', updateData });
      value = lowRank(value);
      await expectAdded({ ...OLD, layer10: value }, { ...DENSE, layer10: 'low-rank' });
    }
  });
});

describe('an update file that does not fit', () => {
  const wrong = floats(noise(12), [3, 4]);
  const half: Value = { dtype: 'float64', shape: [1, COLUMNS], bytes: new Uint8Array(COLUMNS * 8) };
  it.each<[string, Readonly<Record<string, Value>>, Readonly<Record<string, string>> | null, UpdateChoice, RegExp]>([
    ['a name of no group', { 'layer2/R': R, 'layer2/C': C }, null, 'low-rank', /layer2\/R belongs to no parameter group/],
    ['the beginning of a name', { 'layer/R': R, 'layer/C': C }, null, 'low-rank', /layer\/R belongs to no parameter group/],
    ['a name that only continues one', { 'layer10x/R': R, 'layer10x/C': C }, null, 'low-rank', /layer10x\/R belongs to no parameter group/],
    ['a name without a member', { layer10: R }, null, 'low-rank', /layer10 belongs to no parameter group/],
    ['a good name beside an unknown one', { 'layer10/R': R, 'layer10/C': C, 'nope/ia3': IA3 }, null, 'auto', /nope\/ia3 belongs to no parameter group/],
    ['a member that is missing', { 'layer10/R': R }, null, 'low-rank', /layer10 has the members R; an update needs/],
    ['a member too many', { 'layer10/R': R, 'layer10/C': C, 'layer10/S': C }, null, 'low-rank', /the members R, C, S/],
    ['another type than was asked for', { 'layer10/R': R, 'layer10/C': C }, null, 'ia3', /is a low-rank update \(R, C\), not ia3/],
    ['another type than its metadata says', { 'layer10/R': R, 'layer10/C': C }, { 'layer10/update_type': 'ia3' }, 'auto', /not ia3/],
    ['a type that is none', { 'layer10/R': R, 'layer10/C': C }, { update_type: 'magic' }, 'auto', /the type "magic", which is none/],
    ['a wrong shape of factors', { 'layer10/R': wrong, 'layer10/C': C }, null, 'low-rank', /shape|fit/],
    ['factors of another matrix', { 'layer10/R': floats(noise(6), [3, 2]), 'layer10/C': C }, null, 'low-rank', /The update data does not fit/],
    ['a result of another type', { 'layer10/ia3': half }, null, 'ia3', /would be float64, the group is float32/],
    ['a result of another shape', { 'layer10/ia3': floats(noise(COLUMNS * 40 * 2), [2, ROWS, COLUMNS]) }, null, 'ia3', /the group is \[40, 30\]/],
    ['an index outside', { ...prefixed('other', { ...SPARSE, shape: whole([3], 'int64') }) }, null, 'sparse', /the index 7 is outside the 3 elements/],
    ['indices that are no whole numbers', { ...prefixed('layer1.bias', { ...SPARSE, indices: floats([1, 2]) }) }, null, 'sparse', /needs whole numbers/],
    ['nothing', {}, null, 'auto', /holds no tensors/],
  ])('%s: refused in words, and nothing is staged', async (_what, tensors, metadata, choice, words) => {
    await folder.put(PATH, safetensorsFile(OLD));
    const updateData = await updateFile(tensors, metadata);
    await expect(folder.add(PATH, { choice, updateData })).rejects.toMatchObject({ code: 'invalid-request', message: expect.stringMatching(words) });
    expect(await folder.status()).toBe('');
    expect(await folder.filter('clean', safetensorsFile(OLD), { path: PATH })).toEqual(Buffer.from(await folder.metadata('HEAD', PATH)));
  });

  it('a group that is new in the file: nothing could be updated', async () => {
    await folder.put(PATH, safetensorsFile(OLD));
    await folder.write(PATH, safetensorsFile({ ...OLD, fresh: matrix(8) }));
    await expect(folder.add(PATH, { updateData: await updateFile({ 'fresh/R': R, 'fresh/C': C }) })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(/fresh has no value/),
      place: { group: 'fresh' },
    });
  });

  it('a group that has another shape in the file', async () => {
    await folder.put(PATH, safetensorsFile({ ...OLD, layer10: floats(noise(COLUMNS * ROWS), [COLUMNS, ROWS]) }));
    await folder.write(PATH, safetensorsFile(OLD));
    await expect(folder.add(PATH, { updateData: await updateFile({ 'layer10/R': R, 'layer10/C': C }) })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(/same type and shape at HEAD/),
    });
  });

  it('a checkpoint that was never committed', async () => {
    await folder.write(PATH, safetensorsFile(OLD));
    await expect(folder.add(PATH, { updateData: await updateFile({ 'layer10/R': R, 'layer10/C': C }) })).rejects.toMatchObject({
      code: 'invalid-request',
      hint: expect.stringMatching(/Commit the checkpoint first/),
    });
  });

  it('a file that is not there, or no checkpoint', async () => {
    await folder.put(PATH, safetensorsFile(OLD));
    await expect(folder.add(PATH, { updateData: join(folder.path, 'none.pt') })).rejects.toMatchObject({ code: 'not-found' });
    await expect(folder.add(PATH, { updateData: join(folder.path, '.gitattributes') })).rejects.toMatchObject({ code: 'unsupported-format' });
  });
});

function prefixed(group: string, members: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).map(([member, value]) => [`${group}/${member}`, value]));
}
