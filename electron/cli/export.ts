import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import { EXPORT_FORMATS } from '../../shared/model/checkpoint';
import { formatById } from '../formats/registry';
import { formatByExtension } from '../services/checkpoints/guessFormat';
import type { OpenedCheckpoint } from '../services/checkpoints/openedCheckpoint';
import { type ExportTarget, exportVersion } from '../services/exportVersion';
import { openTarget } from './openTarget';
import { createProgressLine } from './progressLine';
import type { Session } from './session';
import { terminalText } from './terminalText';

export interface ExportCommandOptions {
  readonly format: ExportTarget | undefined;
  readonly force: boolean;
  readonly json: boolean;
}

/** `theta export`: writes a version, or a file on disk, to `out`; the format is the one named, else the one of `out`'s extension, else its own. */
export async function exportCommand(
  session: Session,
  names: { readonly target: string; readonly out: string },
  options: ExportCommandOptions,
): Promise<number> {
  const opened = await openTarget(session, names.target);
  const format = options.format ?? formatOf(opened, names.out);
  const line = createProgressLine(session.terminal, 'Exporting');
  const destination = session.path(names.out);
  try {
    const written = await exportVersion(opened, {
      destination,
      format,
      overwrite: options.force,
      pool: session.pool,
      signal: session.signal,
      onProgress: line.update,
    });
    line.clear();
    if (options.json)
      session.terminal.out(`${JSON.stringify({ path: destination, bytes: written.bytes, groups: written.groups, notes: written.notes }, null, 2)}\n`);
    else {
      const kind = format === null || format === 'original' ? opened.format : format;
      const groups = `${formatCount(written.groups)} parameter ${written.groups === 1 ? 'group' : 'groups'}`;
      session.terminal.err(`Wrote ${terminalText(destination)}: ${kind}, ${groups}, ${formatBytes(written.bytes)}, verified.\n`);
    }
    if (!options.json) for (const note of written.notes) session.terminal.err(`  ${terminalText(note)}\n`);
    return 0;
  } catch (error) {
    line.clear();
    const failed = CheckpointError.from(error);
    if (failed.code !== 'exists') throw failed;
    throw new CheckpointError('exists', failed.message, { place: failed.place, hint: 'Give --force to replace it.' });
  }
}

/** Format names and what people call them: `pt` for pytorch, `npz` and `.npz`; `null` for any other. */
export function parseFormat(name: string): ExportTarget | null {
  const wanted = name.toLowerCase().replace(/^\./, '');
  const known = [...EXPORT_FORMATS, 'original' as const].find((format) => format === wanted);
  if (known !== undefined) return known;
  const byExtension = formatByExtension(`file.${wanted}`)?.id;
  return EXPORT_FORMATS.find((format) => format === byExtension) ?? null;
}

/** `null`: the version's own format. @throws CheckpointError unsupported-format when the name says one that nothing can be converted to */
function formatOf(opened: OpenedCheckpoint, out: string): ExportTarget | null {
  const named = formatByExtension(out)?.id;
  if (named === undefined || named === opened.format) return null;
  const format = EXPORT_FORMATS.find((known) => known === named);
  if (format !== undefined) return format;
  throw new CheckpointError('unsupported-format', `${formatById(named)?.label ?? named} files cannot be made of a checkpoint in another format.`, {
    place: { file: out },
    hint: 'Give --format, or a name with the extension of a format that can be written.',
  });
}
