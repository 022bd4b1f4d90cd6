import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import type { FileLayout } from '../../formats/format';
import { formatById } from '../../formats/registry';
import { layoutFromTemplate } from '../../formats/template/layoutFromTemplate';
import type { OpenedCheckpoint } from '../checkpoints/openedCheckpoint';
import type { GroupToExport } from './groupToExport';

/** What of a version decides how its own file looks. */
export type OwnFile = Pick<OpenedCheckpoint, 'facts' | 'format' | 'metadata'>;

export interface PlannedFile {
  readonly layout: FileLayout;
  /** The groups in the order that the layout is for. */
  readonly groups: readonly GroupToExport[];
}

/**
 * Writes the file of a version in its own format: byte for byte as it was added where that is known, else as the format's writer does it. What
 * is known may fit no longer (weights that were tied and were changed one by one); then the plain form is written instead.
 * @throws CheckpointError unsupported-format when nothing is known of the file and its format cannot be written; what `write` throws
 */
export async function withOwnLayout<T>(file: OwnFile, groups: readonly GroupToExport[], write: (plan: PlannedFile) => Promise<T>): Promise<T> {
  const exact = file.facts?.template === undefined ? null : layoutFromTemplate(file.facts.template, groups);
  if (exact !== null) {
    try {
      return await write({ layout: exact, groups });
    } catch (error) {
      if (exact.misfits === undefined || !isCheckpointError(error, 'conflict')) throw error;
    }
  }
  const ordered = inFileOrder(groups, file.facts?.order);
  return write({ layout: plainLayout(file, ordered), groups: ordered });
}

function plainLayout({ format, metadata }: OwnFile, groups: readonly GroupToExport[]): FileLayout {
  const found = formatById(format);
  if (found?.layout == null) {
    throw new CheckpointError('unsupported-format', `${found?.label ?? 'Unknown'} files cannot be written.`, { hint: 'Export the version to another format.' });
  }
  return found.layout(groups, metadata);
}

function inFileOrder(groups: readonly GroupToExport[], order: readonly (readonly string[])[] | undefined): readonly GroupToExport[] {
  if (order === undefined) return groups;
  const places = new Map(order.map((keys, index) => [JSON.stringify(keys), index]));
  const placeOf = ({ keys }: GroupToExport) => places.get(JSON.stringify(keys)) ?? order.length;
  return groups.toSorted((a, b) => placeOf(a) - placeOf(b));
}
