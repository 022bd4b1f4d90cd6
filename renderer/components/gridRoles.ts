/** Roles inside a virtualised treegrid, to be spread on plain elements: table elements would not do, since rows stand at places of their own. */
export const gridRows = { role: 'rowgroup' } as const;
export const gridCell = { role: 'gridcell' } as const;
export const gridHeader = { role: 'columnheader' } as const;
