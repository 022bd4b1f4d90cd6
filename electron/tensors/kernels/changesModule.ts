/**
 * `changes.wat`, assembled (`wat2wasm` of WABT or of wasmtime; SIMD on) and in base64, so that it is found in every bundle.
 * Tests compare what it computes with loops in TypeScript.
 */
export const CHANGES_MODULE =
  'AGFzbQEAAAABEQJgBX9/f39/AX9gA3t7fwF/AwMCAAEFAwEABgcWAgZtZW1vcnkCAAlwb3NpdGlvbnMAAAraAQKMAQIFfwJ7IAAgAmohBUEQIAN2IQcgBCEIAkADQCAAIAVPDQEgAP0ABAAhCiAB/QAEACEL' +
  'IAogC/1R/VMEQCAKIAsgAxABIQkDQCAIIAYgCWhqNgIAIAhBBGohCCAJIAlBAWtxIQkgCQ0ACwsgBiAHaiEGIABBEGohACABQRBqIQEMAAsLIAggBGtBAnYLSgAgAkECRgRAIAAgAf04/aQBDwsgAkEBRgRA' +
  'IAAgAf0u/YQBDwsgAkUEQCAAIAH9JP1kDwsgAkEDRgRAIAAgAf3XAf3EAQ8LQQEL';
