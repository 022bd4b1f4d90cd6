export interface Pace {
  /** Runs now while there is room in the burst, else as soon as there is room again; many calls meanwhile are one run. */
  request(): void;
  /** Runs now if a run is due. */
  flush(): void;
  /** Forgets a run that is due. */
  cancel(): void;
}

/**
 * Lets `run` through at once as long as it is not called too often: `burst` times in a row, then once in `restMs`.
 * What is rare happens immediately (nobody has to wait for a timer), what comes in floods is thinned out.
 */
export function paceWrites(run: () => void, limits: { readonly burst: number; readonly restMs: number }, now = () => performance.now()): Pace {
  let room = limits.burst;
  let counted = now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const go = () => {
    clearTimeout(timer);
    timer = undefined;
    room -= 1;
    run();
  };
  return {
    request() {
      if (timer !== undefined) return;
      const time = now();
      room = Math.min(limits.burst, room + (time - counted) / limits.restMs);
      counted = time;
      if (room >= 1) go();
      else timer = setTimeout(go, (1 - room) * limits.restMs);
    },
    flush() {
      if (timer !== undefined) go();
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
