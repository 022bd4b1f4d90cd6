import { parseMetadata } from '../../theta/parseMetadata';
import type { MemberReader, MembersRead } from './readMembers';
import { type TimelineStore, updateKindCode } from './timelineStore';
import type { Version } from './version';

export interface VersionText {
  readonly blob: string;
  readonly bytes: Buffer;
  /** Path, for error messages. */
  readonly file: string;
}

/** Bytes of memory for each group beside its text. */
const ROW_BYTES = 13;

/**
 * A git-theta metadata file as columns. A text as git-theta writes it is read as far as it differs from `base`; any other is parsed whole, with
 * the same result. Entries that are damaged count as not there, as they do in `diffMetadata`.
 * @throws CheckpointError as `parseMetadata` does
 */
export function parseVersion(store: TimelineStore, reader: MemberReader, text: VersionText, base: Version | null): Version {
  const { blob, bytes } = text;
  const columns = reader.read(bytes, base?.text == null ? null : { ...base, text: base.text });
  const found: Omit<MembersRead, 'text'> & Pick<Version, 'text'> = columns ?? { ...parseWhole(store, text), text: null };
  const weight = found.rows.length * ROW_BYTES + (columns === null ? 0 : bytes.length);
  return { ...found, blob, storage: 'theta', tensors: null, weight };
}

function parseWhole(store: TimelineStore, { bytes, file }: VersionText): Omit<MembersRead, 'text'> {
  const { entries } = parseMetadata(bytes, file);
  const rows = new Uint32Array(entries.size);
  const contents = new Uint32Array(entries.size);
  const kinds = new Uint8Array(entries.size);
  let index = 0;
  for (const { name, dtype, shape, oid, bytes: stored, updateType, lastCommit } of entries.values()) {
    const row = store.tables.rows.number(name);
    rows[index] = row;
    contents[index] = store.content({ row, form: store.form(dtype, shape), oid, bytes: stored, updateType, lastCommit });
    kinds[index++] = updateKindCode(updateType);
  }
  return { rows, contents, kinds };
}
