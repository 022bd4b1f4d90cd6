import type { UpdateKind } from '../../shared/model/update';
import { ia3 } from './ia3';
import { lowRank } from './lowRank';
import { sparse } from './sparse';
import { sparseValues } from './sparseValues';
import type { IncrementalUpdateType } from './updateType';

/** The incremental update types by the names that metadata has for them: git-theta's own, and ours. */
export const INCREMENTAL_UPDATES: Readonly<Record<Exclude<UpdateKind, 'dense'>, IncrementalUpdateType>> = {
  sparse,
  'low-rank': lowRank,
  ia3,
  'sparse-values': sparseValues,
};
