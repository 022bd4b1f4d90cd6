/** Powers of ten of the slider, and steps between two of them: 1, 2, 5. */
const [LEAST, MOST] = [-12, 1];
const MANTISSAS = [1, 2, 5] as const;

/** Last step of the slider; step 0 is zero. */
export const TOLERANCE_STEPS = (MOST - LEAST) * MANTISSAS.length + 1;

/** Threshold at a step of the slider: 0, 1e-12, 2e-12, 5e-12, … 10. */
export function toleranceAt(step: number): number {
  if (step <= 0) return 0;
  const place = Math.min(step, TOLERANCE_STEPS) - 1;
  // Read as text, so that 1e-5 is the number that everybody writes so.
  return Number(`${MANTISSAS[place % MANTISSAS.length] ?? 1}e${LEAST + Math.floor(place / MANTISSAS.length)}`);
}

/** The step that is nearest to a threshold. */
export function toleranceStep(value: number): number {
  if (!(value > 0)) return 0;
  let best = 1;
  for (let step = 1; step <= TOLERANCE_STEPS; step++) {
    if (Math.abs(Math.log(value / toleranceAt(step))) < Math.abs(Math.log(value / toleranceAt(best)))) best = step;
  }
  return best;
}

/** A typed threshold; `null` when it is none. */
export function parseTolerance(text: string): number | null {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.abs(value) : null;
}
