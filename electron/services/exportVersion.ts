import { basename, dirname, extname, join } from 'node:path';
import { CheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import type { Output } from '../../shared/contract/requests';
import { EXPORT_FORMATS, type ExportFormat, type FormatId, type MetadataEntry } from '../../shared/model/checkpoint';
import type { CheckpointFormat, FileLayout } from '../formats/format';
import { formatById } from '../formats/registry';
import type { WorkerPool } from '../workers/workerPool';
import { isPlan, type OpenedCheckpoint, type OpenedGroup } from './checkpoints/openedCheckpoint';
import { copyOriginal, corruptError } from './exporter/copyOriginal';
import { exportCheckpoint } from './exporter/exportCheckpoint';
import { type PlannedFile, withOwnLayout } from './exporter/withOwnLayout';

export type ExportTarget = ExportFormat | 'original';
type ExportOptions = Output<'export/options'>;

/** Formats that a version can be exported to, its own first, and where the file would go by default. */
export function exportOptions(opened: OpenedCheckpoint, folder: string): ExportOptions {
  const formats: ExportOptions['formats'] = [];
  if (opened.original !== null) {
    formats.push({ format: 'original', label: 'The file as it is', extension: extname(opened.version.path), note: 'A copy of the stored bytes' });
  } else if (canBeMadeAgain(opened)) {
    formats.push({ format: 'original', label: 'The file as it was', extension: extname(opened.version.path), note: 'Made again byte for byte' });
  }
  const own = EXPORT_FORMATS.filter((format) => format === opened.format);
  for (const id of [...own, ...EXPORT_FORMATS.filter((format) => format !== opened.format)]) {
    const format = formatOf(id);
    const extension = format.extensions[0] ?? '';
    formats.push({
      format: id,
      label: format.label,
      extension: id === opened.format && opened.original === null ? extname(opened.version.path) || extension : extension,
      note: null,
    });
  }
  return { suggestedPath: join(folder, suggestedName(opened, formats[0]?.extension ?? '')), formats };
}

/** `model.pt` at 313c0ace… becomes `model-313c0ac.pt`, so that versions exported side by side do not collide. */
function suggestedName({ version }: OpenedCheckpoint, extension: string): string {
  const name = basename(version.path, extname(version.path));
  return `${name}${version.commit === null ? '' : `-${version.commit.slice(0, 7)}`}${extension}`;
}

export interface ExportRun {
  readonly destination: string;
  /** `null`: the version's own format; a file that is none we can write is copied as it is. */
  readonly format: ExportTarget | null;
  readonly overwrite: boolean;
  readonly pool: WorkerPool;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface ExportedFile {
  readonly bytes: number;
  readonly groups: number;
  readonly notes: readonly string[];
}

/**
 * Writes a version to disk, verified by re-reading. Fails before anything is written when a group cannot be reconstructed:
 * a checkpoint with holes is worse than none.
 */
export async function exportVersion(opened: OpenedCheckpoint, run: ExportRun): Promise<ExportedFile> {
  const { destination, overwrite, pool, signal, onProgress } = run;
  const target = run.format ?? ownFormat(opened);
  const isAgain = target === 'original' && opened.original === null && canBeMadeAgain(opened);
  if (target === 'original' && !isAgain) {
    if (opened.original === null) throw new CheckpointError('invalid-request', 'This version is not kept as a file in git; choose a format to export it to.');
    const { path, bytes, expected } = opened.original;
    const { notes } = await copyOriginal({ source: { kind: 'file', path }, bytes, expected, destination, overwrite, pool, signal, onProgress });
    return { bytes, groups: opened.groups.size, notes: [...notes, ...externalNotes(opened)] };
  }
  const own = isAgain || (target === opened.format && opened.facts !== null);
  const all = [...opened.groups.values()];
  // The version's own file does not hold what lies beside it.
  const exported = own ? all.filter(({ external }) => external === undefined) : all;
  await verifyOriginals(opened, exported, run);
  const groups = exported.map(({ keys, group, plan }) => {
    if (!isPlan(plan)) throw CheckpointError.fromData(plan).at({ group: group.name });
    return { keys, dtype: group.dtype, shape: group.shape, plan };
  });
  const format = formatOf(target === 'original' ? opened.format : target);
  const write = (planned: Pick<PlannedFile, 'groups'> & { readonly layout?: FileLayout }) =>
    exportCheckpoint({ metadata: metadataFor(target, opened), format, destination, overwrite, pool, signal, onProgress, ...planned });
  try {
    const { bytes, notes } = await (own ? withOwnLayout(opened, groups, write) : write({ groups }));
    if (own) return { bytes, groups: groups.length, notes: [...notes, ...(opened.facts?.exact === false ? leftOut(opened) : []), ...externalNotes(opened)] };
    return { bytes, groups: groups.length, notes: [...notes, ...leftOut(opened)] };
  } catch (error) {
    const { commit } = opened.version;
    throw commit === null ? CheckpointError.from(error) : CheckpointError.from(error).at({ commit });
  }
}

/** A file is read in parts, so only here is it hashed as a whole: what is exported must be what was committed. */
async function verifyOriginals(
  { original, version }: OpenedCheckpoint,
  groups: readonly OpenedGroup[],
  { pool, signal, onProgress }: ExportRun,
): Promise<void> {
  const files = new Map([original, ...groups.map((group) => group.original)].flatMap((file) => (file === null ? [] : [[file.path, file] as const])));
  for (const { path, expected } of files.values()) {
    if (expected === null) continue;
    const report = (done: number, total: number) => onProgress({ phase: 'Checking the file', done, total, unit: 'bytes' });
    const found = await pool.run('fileDigest', { file: path, kind: expected.kind }, { signal, onProgress: report });
    if (found.digest === expected.digest) continue;
    throw corruptError(expected, found, { kind: 'file', path }).at({ file: version.path, ...(version.commit === null ? {} : { commit: version.commit }) });
  }
}

/** A version in git-theta's format of a file that only its template can make: there is no writer that would do. */
function canBeMadeAgain({ facts, format }: OpenedCheckpoint): boolean {
  return facts?.template !== undefined && EXPORT_FORMATS.every((known) => known !== format);
}

/** The own file of a version may need others beside it. */
function externalNotes({ groups }: OpenedCheckpoint): string[] {
  const files = new Set([...groups.values()].flatMap(({ external }) => (external === undefined ? [] : [external])));
  if (files.size === 0) return [];
  const names = [...files].slice(0, 3).map((name) => JSON.stringify(name));
  return [`Values of the model lie in ${names.join(', ')}${files.size > 3 ? ' and other files' : ''}, which must stand beside it and was not written.`];
}

/** Readers of safetensors (transformers among them) refuse a file that does not name its framework; only a file's own metadata may leave it out. */
function metadataFor(target: ExportTarget, { metadata, format, original, facts }: OpenedCheckpoint): readonly MetadataEntry[] {
  if (target !== 'safetensors') return metadata;
  if (format === 'safetensors' && (original !== null || facts !== null)) return metadata;
  return metadata.some(({ key }) => key === 'format') ? metadata : [...metadata, { key: 'format', value: 'pt' }];
}

function formatOf(id: FormatId): CheckpointFormat {
  const format = formatById(id);
  if (format === null) throw new CheckpointError('unsupported-format', `The format ${id} cannot be written.`);
  return format;
}

function ownFormat(opened: OpenedCheckpoint): ExportTarget {
  if (opened.original !== null || canBeMadeAgain(opened)) return 'original';
  return EXPORT_FORMATS.find((format) => format === opened.format) ?? 'safetensors';
}

function leftOut(opened: OpenedCheckpoint): string[] {
  if (opened.skipped.length === 0) return [];
  return [`${opened.skipped.length} ${opened.skipped.length === 1 ? 'entry is' : 'entries are'} not in the export, because they are no readable tensors.`];
}

/** Folder for exports that name none: beside the repository, where nothing is tracked by accident. */
export function exportFolder(repositoryPath: string): string {
  return dirname(repositoryPath);
}
