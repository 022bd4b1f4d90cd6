import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import type { Progress } from '../../shared/contract/frames';
import type { Terminal } from './session';

const REDRAW_MS = 100;
const WIDTH = 30;
const CLEAR = '\r\u001b[2K';

export interface ProgressLine {
  update(progress: Progress): void;
  clear(): void;
}

/** A bar on the terminal's last line, with the time left; nothing at all where output is not a terminal. */
export function createProgressLine(terminal: Terminal, phase: string, now: () => number = Date.now): ProgressLine {
  const started = now();
  let drawn = 0;
  return {
    update(progress) {
      if (!terminal.interactive || now() - drawn < REDRAW_MS) return;
      drawn = now();
      terminal.err(`${CLEAR}${formatProgress({ ...progress, phase: progress.phase || phase }, (now() - started) / 1000)}`);
    },
    clear() {
      if (terminal.interactive && drawn > 0) terminal.err(CLEAR);
    },
  };
}

/** `Writing [=====     ] 50 % 200 MB of 400 MB, 3 s left`; `seconds` since the work began. */
export function formatProgress({ phase, done, total, unit }: Progress, seconds: number): string {
  const amount = (value: number) => (unit === 'bytes' ? formatBytes(value) : `${formatCount(value)} ${unit}`);
  if (total === null || total === 0) return `${phase} ${amount(done)}`;
  const share = Math.min(1, done / total);
  const bar = '='.repeat(Math.round(share * WIDTH)).padEnd(WIDTH);
  const left = share > 0.02 && seconds > 1 ? `, ${Math.ceil((seconds * (1 - share)) / share)} s left` : '';
  return `${phase} [${bar}] ${Math.floor(share * 100)} % ${amount(done)} of ${amount(total)}${left}`;
}
