import type { GroupToWrite } from '../../formats/format';
import type { TensorPlan } from '../../updates/updateChain';

/** One parameter group of an export. */
export interface GroupToExport extends GroupToWrite {
  /** Where the value comes from; it must give the dtype and shape that stand beside it. */
  readonly plan: TensorPlan;
}
