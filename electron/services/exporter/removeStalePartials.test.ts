import { spawnSync } from 'node:child_process';
import { utimes, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Destination } from './checkDestination';
import { parsePartialName, partialName } from './partialName';
import { removeStalePartials } from './removeStalePartials';
import { createWorkshop, type Workshop } from './testing/exporterSetup';

let workshop: Workshop;
let destination: Destination;

beforeEach(async () => {
  workshop = await createWorkshop();
  destination = { path: workshop.path('model.pt'), folder: workshop.folder, overwrite: false, mode: null };
});

afterEach(() => workshop.remove());

/** Id of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;
const ownName = partialName('model.pt');

async function leave(name: string, minutes: number): Promise<string> {
  await writeFile(workshop.path(name), 'half');
  const time = Date.now() / 1000 - minutes * 60;
  await utimes(workshop.path(name), time, time);
  return name;
}

test('what a dead process left is removed, and said', async () => {
  const name = await leave(ownName.replace(`-${process.pid}-`, `-${deadPid()}-`), 5);
  expect(await removeStalePartials(destination)).toEqual([`${name}, left from an export that was killed, was removed.`]);
  expect(await workshop.files()).toEqual([]);
});

test.each([
  { what: 'of a living process', name: () => ownName, minutes: 5, notes: 0 },
  { what: 'written to just now', name: () => ownName.replace(`-${process.pid}-`, `-${deadPid()}-`), minutes: 0, notes: 0 },
  { what: 'of another machine', name: () => ownName.replace(/\.[0-9a-f]{8}-/, '.00000000-').replace(`-${process.pid}-`, '-1999999-'), minutes: 5, notes: 1 },
  { what: 'of another destination', name: () => partialName('other.pt').replace(`-${process.pid}-`, `-${deadPid()}-`), minutes: 5, notes: 0 },
  { what: 'somebody else named', name: () => '.model.pt.partial', minutes: 5, notes: 0 },
])('a file $what stays', async ({ name, minutes, notes }) => {
  const left = await leave(name(), minutes);
  expect(await removeStalePartials(destination)).toHaveLength(notes);
  expect(await workshop.files()).toEqual([left]);
});

test.each(['a', 'model.pt', 'x'.repeat(255), '🐟'.repeat(63), 'a.b-1-c.partial', 'new\nline'])('a partial name of %j fits and is recognised', (name) => {
  const partial = partialName(name);
  expect(Buffer.byteLength(partial)).toBeLessThanOrEqual(255);
  expect(parsePartialName(partial, name)).toMatchObject({ pid: process.pid });
  expect(parsePartialName(partial, `y${name}`)).toBeNull();
});
