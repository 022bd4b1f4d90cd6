import { isCheckpointError } from '../../../shared/contract/errors';
import type { GroupToWrite } from '../../formats/format';
import { formatById } from '../../formats/registry';
import type { CheckpointFacts } from '../../formats/template/checkpointFacts';
import type { FileTemplate } from '../../formats/template/fileTemplate';
import { layoutFromTemplate } from '../../formats/template/layoutFromTemplate';
import type { ThetaEntry } from '../../theta/metadata';

/** SHA-256 of the value of an entry; `null` where it cannot be read here. */
export type DigestOf = (entry: ThetaEntry) => Promise<string | null>;

/** Whether facts can stand beside these groups as they are: they make a file of them, and name no others. */
export async function fitsGroups(facts: CheckpointFacts, entries: readonly ThetaEntry[], digestOf: DigestOf): Promise<boolean> {
  const { format, template, order, tied, metadata } = facts;
  if (template !== undefined) return layoutFromTemplate(template, entries) !== null && (await holdsValues(template, entries, digestOf));
  const names = new Set(entries.map(({ name }) => name));
  if (tied?.flat().some((name) => !names.has(name)) === true) return false;
  return sameKeys(order, entries) && canBeWritten(format, entries, metadata);
}

function sameKeys(order: CheckpointFacts['order'], entries: readonly ThetaEntry[]): boolean {
  if (order === undefined) return true;
  const listed = new Set(order.map((keys) => JSON.stringify(keys)));
  return listed.size === entries.length && entries.every(({ keys }) => listed.has(JSON.stringify(keys)));
}

function canBeWritten(format: CheckpointFacts['format'], groups: readonly GroupToWrite[], metadata: CheckpointFacts['metadata']): boolean {
  try {
    return formatById(format)?.layout?.(groups, metadata) != null;
  } catch (error) {
    if (isCheckpointError(error, 'unsupported-format') || isCheckpointError(error, 'too-large')) return false;
    throw error;
  }
}

/** Whether values that stand among the template's own bytes, or in the place of another group, are those of the entries. */
async function holdsValues({ groups }: FileTemplate, entries: readonly ThetaEntry[], digestOf: DigestOf): Promise<boolean> {
  const byKeys = new Map(entries.map((entry) => [JSON.stringify(entry.keys), entry]));
  const entryOf = (index: number) => byKeys.get(JSON.stringify(groups[index]?.keys));
  for (const [index, { place }] of groups.entries()) {
    const entry = entryOf(index);
    if (entry === undefined) return false;
    if (place.kind === 'fixed' && ((await digestOf(entry)) ?? place.sha256) !== place.sha256) return false;
    if (place.kind !== 'same') continue;
    const twin = entryOf(place.as);
    if (twin === undefined) return false;
    if (twin.oid === entry.oid && twin.updateType === 'dense' && entry.updateType === 'dense') continue;
    const [own, other] = [await digestOf(entry), await digestOf(twin)];
    if (own !== null && other !== null && own !== other) return false;
  }
  return true;
}
