/** Role and column of something in the grid, to be spread on a plain element: table elements would not do, since everything stands at a place of its own. */
export function gridPlace<R extends 'columnheader' | 'rowheader' | 'gridcell'>(
  role: R,
  column: number,
): { readonly role: R; readonly 'aria-colindex': number } {
  return { role, 'aria-colindex': column };
}
