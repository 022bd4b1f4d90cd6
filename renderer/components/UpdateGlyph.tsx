import styles from './UpdateGlyph.module.css';
import { type UpdateLookKind, updateLook } from './updateLook';

interface UpdateGlyphProps {
  /** An update type of a metadata file, or another kind of change. */
  readonly kind: string;
  /** Beside the glyph; without it the glyph itself carries the name. */
  readonly showLabel?: boolean;
  readonly size?: number;
}

export function UpdateGlyph({ kind, showLabel = false, size = 12 }: UpdateGlyphProps) {
  const look = updateLook(kind);
  return (
    <span className={styles.glyph} style={{ color: look.text }} title={showLabel ? undefined : look.label}>
      <svg width={size} height={size} viewBox="0 0 12 12" fill="currentColor" fillRule="evenodd" aria-hidden="true">
        <path d={look.path} />
      </svg>
      <span className={showLabel ? undefined : 'visually-hidden'}>{look.label}</span>
    </span>
  );
}

/** What the glyphs mean. */
export function UpdateLegend({ kinds }: { readonly kinds: readonly UpdateLookKind[] }) {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {kinds.map((kind) => (
        <li key={kind}>
          <UpdateGlyph kind={kind} showLabel />
        </li>
      ))}
    </ul>
  );
}
