/** What shells report for a program ended by Ctrl-C. */
export const INTERRUPTED = 130;
