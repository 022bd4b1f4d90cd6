import type { HTMLAttributes } from 'react';

/** A row of a treegrid. The grid around it has the focus, handles the keys and names its active row, so the row itself takes none. */
export function GridRow(props: HTMLAttributes<HTMLDivElement>) {
  // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above and gridRoles.ts
  return <div {...props} role="row" />;
}
