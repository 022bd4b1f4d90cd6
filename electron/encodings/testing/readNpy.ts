/** An array of a `.npy` file of NumPy (version 1.0, C order, little-endian), for comparing with what NumPy computed. */
export interface NpyArray {
  /** NumPy's spelling: `<f4`, `|b1`. */
  readonly descr: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

export function readNpy(file: Uint8Array): NpyArray {
  const length = (file[8] ?? 0) | ((file[9] ?? 0) << 8);
  const head = Buffer.from(file.subarray(10, 10 + length)).toString('latin1');
  const descr = /'descr': '([^']+)'/.exec(head)?.[1];
  const shape = /'shape': \(([^)]*)\)/.exec(head)?.[1];
  if (descr === undefined || shape === undefined || !head.includes("'fortran_order': False")) throw new Error(`Not a plain .npy file: ${head}`);
  return { descr, shape: shape.split(',').flatMap((part) => (part.trim() === '' ? [] : [Number(part)])), bytes: file.subarray(10 + length) };
}
