import type { FileGroup } from '../format';

/** A parameter group that has no name yet. */
export type GroupContent = Omit<FileGroup, 'keys' | 'tiedTo'>;
