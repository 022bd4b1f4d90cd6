import type { GraphEdit } from '../../../shared/model/graphEdit';
import type { GraphPlanOutput } from '../../workers/tasks/graph/graphPlan';

/**
 * The plan of the edit that was looked at last. New names are checked while they are written, reviewed and then applied: for tens of thousands
 * of them the same plan would be made three times. Only edits that take nothing from other files are kept.
 */
export class LastPlan {
  #known: { readonly key: string; readonly output: GraphPlanOutput } | null = null;

  /** @param model key of the model that the edit is of @param make makes the plan when it is another one than the last */
  async of(model: string, edit: GraphEdit, make: () => Promise<GraphPlanOutput>): Promise<GraphPlanOutput> {
    if (edit.kind !== 'rename' && edit.kind !== 'rename-nodes') return make();
    const key = `${model}\0${JSON.stringify(edit)}`;
    if (this.#known?.key === key) return this.#known.output;
    const output = await make();
    this.#known = { key, output };
    return output;
  }

  /** Gives up what is kept. */
  clear(): void {
    this.#known = null;
  }
}
