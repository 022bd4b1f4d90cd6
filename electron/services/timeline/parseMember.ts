import { isDType } from '../../../shared/model/dtype';
import { parseMetadata } from '../../theta/parseMetadata';
import { parseShape } from '../../theta/parseShape';
import type { StoredEntry, TimelineStore } from './timelineStore';

const INTEGER = String.raw`-?(?:0|[1-9]\d{0,30})`;

/** One group as `json.dumps(…, indent=4)` writes it, which is what git-theta and this program do (formatMetadata). */
const MEMBER = new RegExp(
  String.raw`^    "((?:[ !#-[\]-~]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)": \{
        "tensor_metadata": \{
            "shape": "([(),\d ]{1,400})",
            "dtype": "([a-z0-9_]{1,40})",
            "hash": (?:null|\[\]|\[(?:\n {16}${INTEGER},){0,63}\n {16}${INTEGER}\n {12}\])
        \},
        "lfs_metadata": \{
            "version": "https://git-lfs\.github\.com/spec/v1",
            "oid": "([0-9a-f]{64})",
            "size": "(\d{1,16})"
        \},
        "theta_metadata": \{
            "update_type": "([ !#-[\]-~]{1,100})",
            "last_commit": (?:null|"([0-9a-f]{40}|[0-9a-f]{64})")
        \}
    \}$`,
);

const NO_NAME = 'lfs_metadata';

/** Numbers of forms by the very text of dtype and shape; `null` when no array has that shape. */
export type FormTexts = Map<string, number | null>;

/**
 * The entry of one member of a metadata file, from its name's quote to its closing brace with four spaces before each.
 * @returns `null` for anything that is not plainly one group, which the whole file must then be parsed for
 */
export function parseMember(text: string, store: TimelineStore, forms: FormTexts): StoredEntry | null {
  const match = MEMBER.exec(text);
  if (match === null) return parseOther(text, store);
  const [, quoted = '', shapeText = '', dtype = '', oid = '', size = '', updateType = '', lastCommit = null] = match;
  const name = quoted.includes('\\') ? unquoted(quoted) : quoted;
  const formText = `${dtype} ${shapeText}`;
  let form = forms.get(formText);
  if (form === undefined) {
    const shape = isDType(dtype) ? parseShape(shapeText, dtype) : null;
    form = shape === null || !isDType(dtype) ? null : store.form(dtype, shape);
    forms.set(formText, form);
  }
  const bytes = Number(size);
  if (form === null || !Number.isSafeInteger(bytes) || name === NO_NAME) return null;
  return { row: store.tables.rows.number(name), form, oid, bytes, updateType, lastCommit };
}

function unquoted(text: string): string {
  const value: unknown = JSON.parse(`"${text}"`);
  return String(value);
}

/** Of another writer: still one group on its own, or not. */
function parseOther(text: string, store: TimelineStore): StoredEntry | null {
  let parsed: ReturnType<typeof parseMetadata>;
  try {
    parsed = parseMetadata(Buffer.from(`{${text}}`, 'latin1'), '');
  } catch {
    return null;
  }
  const [entry, ...others] = parsed.entries.values();
  if (entry === undefined || others.length > 0 || parsed.broken.length > 0 || entry.keys.length !== 1) return null;
  const { name, dtype, shape, oid, bytes, updateType, lastCommit } = entry;
  return { row: store.tables.rows.number(name), form: store.form(dtype, shape), oid, bytes, updateType, lastCommit };
}
