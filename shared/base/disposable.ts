/** Something acquired that must be given back. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Runs `release` at the first `dispose` only. */
export function toDisposable(release: () => void): Disposable {
  let released = false;
  return {
    dispose() {
      if (released) return;
      released = true;
      release();
    },
  };
}
