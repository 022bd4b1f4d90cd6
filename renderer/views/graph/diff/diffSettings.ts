/** Name of the setting: both graphs one over the other instead of side by side. */
export const DIFF_OVERLAID = 'graph.diffOverlaid';
