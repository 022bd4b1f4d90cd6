import type { UpdateKind } from '../../shared/model/update';
import { ia3 } from './ia3';
import { lowRank } from './lowRank';
import { sparse } from './sparse';
import type { IncrementalUpdateType } from './updateType';

/** The incremental update types by git-theta's own names. */
export const INCREMENTAL_UPDATES: Readonly<Record<Exclude<UpdateKind, 'dense'>, IncrementalUpdateType>> = { sparse, 'low-rank': lowRank, ia3 };
