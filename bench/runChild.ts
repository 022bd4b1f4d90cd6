import { fileURLToPath } from 'node:url';
import { type Measurement, measureProcess } from './measureProcess';

/** A job of child.ts in a fresh process, with what the job itself measured. */
export interface ChildMeasurement extends Measurement {
  readonly results: Readonly<Record<string, number>>;
}

const CHILD = fileURLToPath(new URL('child.js', import.meta.url));

export async function runChild(job: string, input: unknown): Promise<ChildMeasurement> {
  const measured = await measureProcess(process.execPath, [CHILD, job, JSON.stringify(input)]);
  const results: Record<string, number> = {};
  for (const [name, value] of Object.entries(JSON.parse(measured.output) as object)) if (typeof value === 'number') results[name] = value;
  // The child looks at its own peak last of all; the samples may have missed it.
  const peak = Math.max(measured.peak ?? 0, results.peak ?? 0) || null;
  return { ...measured, peak, peakTree: Math.max(measured.peakTree ?? 0, peak ?? 0) || null, results };
}
