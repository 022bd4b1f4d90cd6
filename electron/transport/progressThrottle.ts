import type { Progress } from '../../shared/contract/frames';

/** About 20 a second: what an eye can follow, and far less than a worker reports. */
const PROGRESS_INTERVAL_MS = 50;

export interface ProgressThrottle {
  report(progress: Progress): void;
  /** Sends what is held back and forgets everything reported later. */
  finish(): void;
}

/** Lets the first report through at once, then the newest one at most every `PROGRESS_INTERVAL_MS`. */
export function progressThrottle(send: (progress: Progress) => void): ProgressThrottle {
  let pending: Progress | null = null;
  let timer: NodeJS.Timeout | null = null;
  let finished = false;

  const flush = () => {
    timer = null;
    if (pending === null) return;
    const progress = pending;
    pending = null;
    timer = setTimeout(flush, PROGRESS_INTERVAL_MS);
    send(progress);
  };

  return {
    report(progress) {
      if (finished) return;
      pending = progress;
      if (timer === null) flush();
    },
    finish() {
      finished = true;
      if (timer !== null) clearTimeout(timer);
      if (pending !== null) send(pending);
      pending = null;
    },
  };
}
