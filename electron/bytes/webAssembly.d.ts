/** The part of WebAssembly that `loadKernels.ts` and the kernels uses; TypeScript describes it only together with the DOM. */
declare namespace WebAssembly {
  type Imports = Readonly<Record<string, Readonly<Record<string, Memory>>>>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Memory {
    constructor(descriptor: { readonly initial: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
