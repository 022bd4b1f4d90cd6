/** The npm package has no types of its own. */
declare module 'safetensors' {
  export class SafeTensor {
    constructor(bytes: Uint8Array);
    readonly metadata: Map<string, { readonly dtype: string; readonly shape: number[]; readonly data_offsets: number[] }>;
    getTensor(name: string): Uint8Array;
  }
}
