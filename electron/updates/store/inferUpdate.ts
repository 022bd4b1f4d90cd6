import { tensorBytes } from '../../../shared/model/shape';
import type { UpdateChoice } from '../../../shared/model/track';
import { type GitThetaKind, isOwnKind } from '../../../shared/model/update';
import { applyCandidate, type Candidate, doesNotFit, writable } from './candidate';
import { encodeIa3 } from './encodeIa3';
import { encodeLowRank, reverseRank } from './encodeLowRank';
import { encodeSparse } from './encodeSparse';
import { encodeSparseValues } from './encodeSparseValues';
import { measureObject } from './measureObject';
import type { Pace } from './pace';
import { sameBits } from './sameBits';
import { type ChangeScan, HAS_NAN } from './scanChange';

export interface Inference {
  /** The smallest update found that gives the exact value; `null`: there is none. */
  readonly candidate: Candidate | null;
  /** Why there is none of the type that was asked for; ends a sentence after "because". */
  readonly reason: string;
}

/** An encoding that has not been worked out yet, and about how many bytes it takes. */
interface Proposal {
  readonly kind: Candidate['kind'];
  readonly bytes: number;
  encode(): Promise<Candidate | null>;
}

/** git-theta's sparse update may be so many times larger than the new values themselves before these are taken in its place. */
const CLEARLY_LARGER = 1.25;
/** So many bytes more do not count: its two further members have headers. */
const HEADERS = 1024;

/**
 * Finds the smallest incremental update that gives a new value exactly: each, the smallest first, is applied by the code that reads
 * updates, and what comes out is compared bit for bit. Where the scan kept the new elements (types of our own are allowed), these are an
 * update too, which nothing can keep from being exact.
 * @param choice only updates of this type; `auto`: of any
 * @throws CheckpointError cancelled; what reading either value throws
 */
export async function inferUpdate(scan: ChangeScan, choice: UpdateChoice, pace: Pace): Promise<Inference> {
  const bytes = tensorBytes(scan.next.dtype, scan.next.shape);
  const all = scan.hasNaN ? [] : arithmetic(scan, pace);
  const proposals = [...all, ...newValues(scan)].filter((proposal) => (choice === 'auto' || proposal.kind === choice) && proposal.bytes < bytes);
  for (const proposal of proposals.sort((a, b) => a.bytes - b.bytes || order(a) - order(b))) {
    const candidate = await proposal.encode();
    if (candidate !== null && (await isExact(candidate, scan, pace))) return { candidate: await smallerOf(candidate, scan, pace), reason: '' };
  }
  if (scan.hasNaN) return { candidate: null, reason: HAS_NAN };
  return { candidate: null, reason: proposals.length > 0 ? NOT_EXACT : reasonFor(choice, scan) };
}

const NOT_EXACT = 'no such update gives the exact value back';

/** Updates of git-theta's types, which change the previous value by arithmetic. */
function arithmetic(scan: ChangeScan, pace: Pace): Proposal[] {
  const { changes, axes, samples, next, previous } = scan;
  const { dtype, shape } = next;
  const item = tensorBytes(dtype, []);
  const proposals: Proposal[] = [];
  if (changes !== null) {
    const bytes = changes.data.byteLength + changes.indices.byteLength;
    proposals.push({ kind: 'sparse', bytes, encode: async () => encodeSparse(changes, next) });
  }
  for (const axis of axes) {
    proposals.push({ kind: 'ia3', bytes: (shape[axis] ?? 1) * item, encode: () => encodeIa3({ previous, next }, axis, pace) });
  }
  const lowRank = samples === null ? null : encodeLowRank(samples, dtype);
  if (lowRank !== null) {
    const bytes = lowRank.members.reduce((sum, member) => sum + member.bytes.byteLength, 0);
    proposals.push({ kind: 'low-rank', bytes, encode: async () => lowRank });
  }
  return proposals;
}

/** What git-theta can read comes first. */
function order({ kind }: Proposal): number {
  return isOwnKind(kind) ? 1 : 0;
}

function newValues({ values, next }: ChangeScan): Proposal[] {
  if (values === null) return [];
  return [{ kind: 'sparse-values', bytes: values.data.byteLength + values.indices.byteLength, encode: async () => encodeSparseValues(values, next) }];
}

/** Differences compress otherwise than the new elements do: which of the two takes fewer bytes is measured. */
async function smallerOf(candidate: Candidate, scan: ChangeScan, pace: Pace): Promise<Candidate> {
  if (candidate.kind !== 'sparse' || scan.values === null) return candidate;
  const other = encodeSparseValues(scan.values, scan.next);
  const [differences, values] = [await measureObject(writable(candidate), pace.signal), await measureObject(writable(other), pace.signal)];
  return differences > CLEARLY_LARGER * values + HEADERS && (await isExact(other, scan, pace)) ? other : candidate;
}

function reasonFor(choice: UpdateChoice, { noSparse }: ChangeScan): string {
  const reasons: Readonly<Record<GitThetaKind, string>> = {
    sparse: noSparse ?? 'it would not be smaller than the value',
    ia3: 'the change is no scaling',
    'low-rank': 'the difference has no small rank',
    dense: NOT_EXACT,
  };
  return choice === 'auto' ? NOT_EXACT : reasons[choice];
}

/** Low-rank products are tried in the opposite order too: libraries add up in orders of their own, and all must give the same value. */
async function isExact(candidate: Candidate, scan: ChangeScan, pace: Pace): Promise<boolean> {
  if (!(await givesExactly(candidate, scan, pace))) return false;
  return candidate.kind !== 'low-rank' || givesExactly(reverseRank(candidate), scan, pace);
}

async function givesExactly(candidate: Candidate, { previous, next }: ChangeScan, pace: Pace): Promise<boolean> {
  try {
    pace.expect(tensorBytes(next.dtype, next.shape));
    return await sameBits(await applyCandidate(previous, candidate), next, pace);
  } catch (error) {
    if (doesNotFit(error)) return false;
    throw error;
  }
}
