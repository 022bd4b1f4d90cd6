/** The sign of the application: a theta whose bar is three parameter groups. */
export function AppMark({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <ellipse cx="16" cy="16" rx="7" ry="10.5" fill="none" stroke="#fff" strokeWidth="3" />
      {[9.1, 14.2, 19.3].map((x) => (
        <rect key={x} x={x} y="14.6" width="3.6" height="2.8" fill="#fff" />
      ))}
    </svg>
  );
}
