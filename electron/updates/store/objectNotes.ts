import * as v from 'valibot';
import { CheckpointError } from '../../../shared/contract/errors';
import { dtype, shape } from '../../../shared/contract/schemas';
import { UPDATE_KINDS } from '../../../shared/model/update';
import type { MemberToWrite } from '../../encodings/zarr/arrayToWrite';
import type { TensorHeader } from '../updateType';

/** Our own member of an object, which git-theta's reader accepts and keeps: a list of uint8 that holds UTF-8 JSON. */
export const NOTES_MEMBER = 'theta_desktop';
/** Bytes of the JSON at most. */
export const MAX_NOTES = 64 * 1024 * 1024;

/** Digest that stands in where only the length counts. */
const NO_DIGEST = '0'.repeat(64);

const hex = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const notesSchema = v.object({
  digest: v.optional(hex),
  base: v.optional(v.object({ type: v.picklist(UPDATE_KINDS), oid: hex, size: count })),
  value: v.optional(v.object({ dtype, shape })),
  checkpoint: v.optional(v.unknown()),
});

/** The entry that an incremental update builds on. */
export type BaseNote = NonNullable<v.InferOutput<typeof notesSchema>['base']>;

/** What we note in an object; everything works without it. */
export interface ObjectNotes {
  /** SHA-256 of the value's raw little-endian C-order bytes. */
  readonly digest: string | null;
  readonly base: BaseNote | null;
  /** Element type and shape of the value that the update gives on its base: nobody needs to open the whole chain for them. */
  readonly value: TensorHeader | null;
  /** Facts about the whole checkpoint, not checked; `null`: this object carries none. */
  readonly checkpoint: unknown;
}

/** @returns `null` when the text is not what `notesMember` writes */
export function parseNotes(text: string): ObjectNotes | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const { success, output } = v.safeParse(notesSchema, json);
  return success ? { digest: output.digest ?? null, base: output.base ?? null, value: output.value ?? null, checkpoint: output.checkpoint ?? null } : null;
}

export interface NotesToWrite {
  /** Asked for when the member is written, after the others; `null`: no digest is noted. */
  readonly digest: (() => string) | null;
  readonly base: BaseNote | null;
  readonly value: TensorHeader | null;
  /** JSON text; `null`: none. */
  readonly facts: string | null;
}

/**
 * The member with our notes; none when there is nothing to note.
 * @throws CheckpointError too-large when the facts are
 */
export function notesMember(notes: NotesToWrite): readonly MemberToWrite[] {
  if (notes.digest === null && notes.base === null && notes.facts === null) return [];
  const length = Buffer.byteLength(textOf(notes, NO_DIGEST));
  if (length > MAX_NOTES) throw new CheckpointError('too-large', `The facts about this checkpoint take ${length} bytes; ${MAX_NOTES} are allowed.`);
  const blocks = async function* () {
    yield Buffer.from(textOf(notes, notes.digest?.() ?? NO_DIGEST));
  };
  return [{ name: NOTES_MEMBER, array: { dtype: 'uint8', shape: [length], blocks } }];
}

function textOf({ digest, base, value, facts }: NotesToWrite, sha256: string): string {
  const parts: string[] = [];
  if (digest !== null) parts.push(`"digest":${JSON.stringify(sha256)}`);
  if (base !== null) parts.push(`"base":${JSON.stringify({ type: base.type, oid: base.oid, size: base.size })}`);
  if (value !== null) parts.push(`"value":${JSON.stringify({ dtype: value.dtype, shape: value.shape })}`);
  if (facts !== null) parts.push(`"checkpoint":${facts}`);
  return `{${parts.join(',')}}`;
}
