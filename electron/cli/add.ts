import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import { formatShape } from '../../shared/model/shape';
import type { UpdateChoice } from '../../shared/model/track';
import { addCheckpoint } from '../services/tracker/addCheckpoint';
import { cleanCheckpoint } from '../services/tracker/cleanCheckpoint';
import type { CleanedCheckpoint } from '../services/tracker/cleanRequest';
import { requireTracked } from '../services/tracker/requireTracked';
import { workTreePath } from '../services/tracker/workTreePath';
import { openSessionWriter } from './openSessionWriter';
import { createProgressLine } from './progressLine';
import { repositoryPathOf } from './repositoryPathOf';
import type { Session } from './session';
import { formatTable, terminalText } from './terminalText';

export interface AddOptions {
  readonly updateType: UpdateChoice;
  readonly updateData: string | null;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `theta add`: stores what changed in checkpoints of the work tree and stages them. */
export async function add(session: Session, files: readonly string[], options: AddOptions): Promise<number> {
  if (options.updateData !== null && files.length > 1) {
    throw new CheckpointError('invalid-request', 'Update data belongs to one checkpoint; add the others by themselves.');
  }
  const documents: unknown[] = [];
  for (const file of files) {
    const path = await repositoryPathOf(session, file);
    const cleaned = await addOne(session, path, options);
    documents.push(toJson(path, cleaned));
    if (!options.json) session.terminal.out(toText(path, cleaned, options.dryRun));
  }
  if (options.json) session.terminal.out(`${JSON.stringify(documents.length === 1 ? documents[0] : documents, null, 2)}\n`);
  return 0;
}

async function addOne(session: Session, path: string, { updateType, updateData, dryRun }: AddOptions): Promise<CleanedCheckpoint> {
  const repository = await session.repository();
  await requireTracked(repository, path);
  const line = createProgressLine(session.terminal, 'Adding');
  const request = {
    repository,
    pool: session.pool,
    path,
    choice: updateType,
    updateData: updateData === null ? null : session.path(updateData),
    signal: session.signal,
    onProgress: line.update,
  };
  try {
    if (dryRun) return await cleanCheckpoint({ ...request, file: await workTreePath(repository, path), dry: true });
    return await addCheckpoint(request, await openSessionWriter(session));
  } finally {
    line.clear();
  }
}

function sums({ groups }: CleanedCheckpoint) {
  const changed = groups.filter(({ change }) => change !== 'unchanged');
  return { changed, added: groups.reduce((sum, { addedBytes }) => sum + addedBytes, 0), full: groups.reduce((sum, { fullBytes }) => sum + fullBytes, 0) };
}

function toText(path: string, cleaned: CleanedCheckpoint, dryRun: boolean): string {
  const { changed, added, full } = sums(cleaned);
  const verb = dryRun ? 'would be stored' : 'stored';
  const lines = [
    `${terminalText(path)}: ${formatCount(changed.length)} of ${formatCount(cleaned.groups.length)} parameter groups changed, ${formatBytes(added)} ${verb} (a full copy: ${formatBytes(full)})`,
  ];
  if (changed.length > 0) {
    const rows = changed.map(({ name, from, change, updateType, dtype, shape, addedBytes }) => [
      change,
      updateType ?? '',
      from === undefined ? name : `${from} -> ${name}`,
      dtype,
      formatShape(shape),
      formatBytes(addedBytes),
    ]);
    lines.push(
      formatTable(
        [{ title: 'change' }, { title: 'update' }, { title: 'name' }, { title: 'dtype' }, { title: 'shape' }, { title: 'stored', align: 'right' }],
        rows,
      ),
    );
  }
  for (const { name, notes } of changed) for (const note of notes) lines.push(`${terminalText(name)}: ${note}`);
  lines.push(...cleaned.notes);
  return `${lines.join('\n')}\n`;
}

function toJson(path: string, cleaned: CleanedCheckpoint) {
  const { added, full } = sums(cleaned);
  return {
    path,
    format: cleaned.format,
    unchanged: cleaned.unchanged,
    added_bytes: added,
    full_bytes: full,
    file_bytes: cleaned.fileBytes,
    groups: cleaned.groups.map(({ name, from, dtype, shape, change, updateType, bytes, storedBytes, addedBytes, notes }) => ({
      name,
      dtype,
      shape,
      change,
      ...(from === undefined ? {} : { from }),
      update_type: updateType,
      bytes,
      stored_bytes: storedBytes,
      added_bytes: addedBytes,
      ...(notes.length === 0 ? {} : { notes }),
    })),
    notes: cleaned.notes,
  };
}
