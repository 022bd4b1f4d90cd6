import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { npyTensor } from './npyTensor';

const folder = mkdtempSync(join(tmpdir(), 'theta-npy-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file as numpy.lib.format describes it, version 1.0. */
function npy(name: string, header: string, data: Uint8Array): string {
  const text = `${header}${' '.repeat(63 - ((10 + header.length) % 64))}\n`;
  const head = Buffer.from(`\x93NUMPY\x01\x00__${text}`, 'latin1');
  head.writeUInt16LE(text.length, 8);
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([head, data]));
  return path;
}

describe('an .npy file as a value', () => {
  it('stays in the file when it is in C order', async () => {
    const path = npy('plain.npy', "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", new Uint8Array(24));
    expect(await npyTensor(path)).toEqual({ type: 1, dims: [2, 3], data: { kind: 'file', path, offset: 128, length: 24 } });
  });

  it('is put in order from Fortran order', async () => {
    const path = npy('fortran.npy', "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", Uint8Array.of(1, 4, 2, 5, 3, 6));
    const { type, data } = await npyTensor(path);
    expect(type).toBe(2);
    expect(data).toEqual({ kind: 'new', bytes: Uint8Array.of(1, 2, 3, 4, 5, 6) });
  });

  it('is turned from big-endian', async () => {
    const path = npy('big.npy', "{'descr': '>i8', 'fortran_order': False, 'shape': (), }", Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 2));
    expect(await npyTensor(path)).toEqual({ type: 7, dims: [], data: { kind: 'new', bytes: Uint8Array.of(2, 1, 0, 0, 0, 0, 0, 0) } });
  });

  it.each([
    ["{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }", 16, 'unsupported-format'],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 16, 'truncated'],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (9007199254740991, 9), }", 16, 'truncated'],
  ])('refuses %s with %i bytes', async (header, bytes, code) => {
    await expect(npyTensor(npy('bad.npy', header, new Uint8Array(bytes)))).rejects.toMatchObject({ code });
  });
});
