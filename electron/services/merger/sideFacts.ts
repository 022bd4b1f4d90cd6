import { type CheckpointFacts, parseFacts } from '../../formats/template/checkpointFacts';
import { checkLfsObject } from '../../git/lfs/checkLfsObject';
import type { LfsStore } from '../../git/lfs/lfsStore';
import { carrierOf } from '../../theta/carrier';
import type { ThetaMetadata } from '../../theta/metadata';
import { factsOfEntry } from '../checkpoints/factsOfEntry';

/** What one of the versions that are merged says about its file, as whoever reads that version sees it. */
export interface SideFacts {
  /** The object that says it; `null` for a version without groups. */
  readonly oid: string | null;
  /** As they are stored; `null` where the object carries none. */
  readonly text: string | null;
  /** `null` also where the text is not understood. */
  readonly facts: CheckpointFacts | null;
  /** Whether the object is not in the local store: it may say anything then. */
  readonly missing: boolean;
}

export async function sideFacts(lfs: LfsStore, metadata: ThetaMetadata, signal: AbortSignal | undefined): Promise<SideFacts> {
  const carrier = carrierOf(metadata.entries.values());
  if (carrier === null) return { oid: null, text: null, facts: null, missing: false };
  const { oid, bytes } = carrier;
  const text = await factsOfEntry(lfs, carrier, signal);
  const missing = text === null && (await checkLfsObject({ oid, bytes, path: lfs.pathOf(oid) })) !== null;
  return { oid, text, facts: text === null ? null : parseFacts(text), missing };
}

/** Whether two versions say the same; one object says the same wherever it is, even where it is missing. */
export function sameFacts(a: SideFacts, b: SideFacts): boolean {
  return (a.oid !== null && a.oid === b.oid) || (!a.missing && !b.missing && a.text === b.text);
}
