import type { Progress } from '../../../shared/contract/frames';

export interface ExportProgress {
  enter(phase: 'Writing' | 'Verifying'): void;
  /** A part of the work, of `bytes`; call `at` with what of it is done and `end` when all is. */
  part(): { at(done: number): void; end(bytes: number): void };
}

/** Adds up parts that run beside each other. `done` never goes back, and `total` stands from the start. */
export function exportProgress(total: number, onProgress: (progress: Progress) => void): ExportProgress {
  let phase = 'Writing';
  let done = 0;
  const tell = () => onProgress({ phase, done, total, unit: 'bytes' });
  return {
    enter(next) {
      phase = next;
      tell();
    },
    part() {
      let counted = 0;
      const at = (reached: number) => {
        if (reached <= counted) return;
        done += reached - counted;
        counted = reached;
        tell();
      };
      return { at, end: at };
    },
  };
}
