/** The sign of the application: a theta whose bar is three parameter groups. */
export function AppMark({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <ellipse cx="16" cy="16" rx="7" ry="10.5" fill="none" stroke="#fff" strokeWidth="3" />
      {[8, 14, 20].map((x) => (
        <rect key={x} x={x} y="14.5" width="4" height="3" fill="#fff" />
      ))}
    </svg>
  );
}
