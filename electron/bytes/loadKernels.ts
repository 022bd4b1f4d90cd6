const PAGE = 65_536;

/** An instance of a WebAssembly module of ours. */
export interface Kernels {
  readonly memory: WebAssembly.Memory;
  /** An exported function; its signature is that of the module's source, which the caller knows. */
  fn<T>(name: string): T;
  /** Has the memory hold at least so many bytes; views of what it was before are no longer valid when it grows. */
  reserve(bytes: number): void;
}

/**
 * @param module in base64, so that it is found in every bundle
 * @param shared the memory of other kernels, for a module that imports it as `kernels.memory`; without it the module exports one of its own
 * @throws TypeError when it lacks an export
 */
export function loadKernels(module: string, shared?: WebAssembly.Memory): Kernels {
  const imports: WebAssembly.Imports = shared === undefined ? {} : { kernels: { memory: shared } };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(module, 'base64')), imports);
  const memory = shared ?? exports.memory;
  if (!(memory instanceof WebAssembly.Memory)) throw new TypeError('The kernels have no memory');
  return {
    memory,
    fn: <T>(name: string): T => {
      if (typeof exports[name] !== 'function') throw new TypeError(`The kernels have no function ${name}`);
      return exports[name] as T;
    },
    reserve: (bytes) => {
      const missing = Math.ceil(bytes / PAGE) - memory.buffer.byteLength / PAGE;
      if (missing > 0) memory.grow(missing);
    },
  };
}
