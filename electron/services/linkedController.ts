/** A controller that is aborted with `signal`; `release` lets go of the signal, which may live much longer. */
export function linkedController(signal: AbortSignal | undefined): { readonly controller: AbortController; release(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return { controller, release: () => signal?.removeEventListener('abort', abort) };
}
