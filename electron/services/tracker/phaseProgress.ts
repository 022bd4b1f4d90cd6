import type { Progress } from '../../../shared/contract/frames';

export interface ProgressPart {
  /** Bytes of this part done so far. */
  at(done: number): void;
  /** The part is done, however much of it was reported. */
  end(): void;
}

/** Sums the progress of parts that run side by side. */
export interface PhaseProgress {
  part(bytes: number): ProgressPart;
}

/** Progress of one phase of a longer work, in bytes. */
export function phaseProgress(phase: string, total: number, report: ((progress: Progress) => void) | undefined): PhaseProgress {
  let done = 0;
  const tell = () => report?.({ phase, done: Math.min(done, total), total, unit: 'bytes' });
  tell();
  return {
    part(bytes) {
      let counted = 0;
      const move = (to: number) => {
        done += Math.min(to, bytes) - counted;
        counted = Math.min(to, bytes);
        tell();
      };
      return { at: move, end: () => move(bytes) };
    },
  };
}
