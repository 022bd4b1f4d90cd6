/** What the index holds about one path (gitformat-index); numbers of stat data are cut to 32 bits, as git does. */
export interface IndexEntry {
  readonly path: string;
  /** 0 merged; 1 base, 2 ours, 3 theirs of a conflict. */
  readonly stage: number;
  readonly mode: number;
  readonly oid: string;
  readonly mtimeSeconds: number;
  /** 0 where whoever wrote the index keeps whole seconds. */
  readonly mtimeNanoseconds: number;
  /** Size of the file in the work tree, modulo 2^32; 0 also when git could not trust the stat data. */
  readonly size: number;
  /** Not in the work tree on purpose (sparse checkout). */
  readonly skipWorkTree: boolean;
}

/** The entries of some paths, and when the index was written. */
export interface IndexSnapshot {
  readonly entries: ReadonlyMap<string, readonly IndexEntry[]>;
  readonly writtenSeconds: number;
  readonly writtenNanoseconds: number;
}
