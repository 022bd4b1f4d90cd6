import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError, type ErrorData } from '../../shared/contract/errors';
import { formatShape } from '../../shared/model/shape';
import { isPlan, type OpenedCheckpoint, type OpenedGroup } from '../services/checkpoints/openedCheckpoint';
import { formatError } from './formatError';
import { openTarget } from './openTarget';
import { createProgressLine } from './progressLine';
import type { Session } from './session';
import { formatTable, terminalText } from './terminalText';

export interface ShowOptions {
  readonly json: boolean;
  readonly digest: boolean;
}

interface ShownGroup {
  readonly opened: OpenedGroup;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: number;
  readonly sha256: string | null;
  readonly error: ErrorData | null;
}

/** `theta show`: the parameter groups of a version or file. Returns the exit code: 1 when a group is damaged. */
export async function show(session: Session, target: string, options: ShowOptions): Promise<number> {
  const opened = await openTarget(session, target);
  const groups = options.digest ? await digestAll(session, opened) : [...opened.groups.values()].map((group) => shown(group, null));
  session.terminal.out(options.json ? `${JSON.stringify(toJson(opened, groups), null, 2)}\n` : toText(opened, groups, options));
  const damaged = groups.filter(({ error }) => error !== null);
  for (const { error } of damaged) if (error !== null) session.terminal.err(formatError(CheckpointError.fromData(error)));
  return damaged.length > 0 ? 1 : 0;
}

function shown(opened: OpenedGroup, digested: { dtype: string; shape: readonly number[]; bytes: number; sha256: string } | null): ShownGroup {
  const { dtype, shape, bytes, error } = opened.group;
  return { opened, dtype, shape, bytes, sha256: null, error, ...digested };
}

/** Digests of all groups; a group that cannot be read gets its error, and the others go on. */
async function digestAll(session: Session, opened: OpenedCheckpoint): Promise<ShownGroup[]> {
  const all = [...opened.groups.values()];
  const line = createProgressLine(session.terminal, 'Reading');
  const total = all.reduce((sum, { group }) => sum + group.bytes, 0);
  let done = 0;
  try {
    return await Promise.all(
      all.map(async (group) => {
        const { commit, path } = opened.version;
        if (!isPlan(group.plan)) return shown(group, null);
        try {
          return shown(group, await session.pool.run('digest', { plan: group.plan }, { signal: session.signal }));
        } catch (error) {
          throwIfCancelled(session.signal);
          const place = { file: path, group: group.group.name, ...(commit === null ? {} : { commit }) };
          return { ...shown(group, null), error: CheckpointError.from(error).at(place).toData() };
        } finally {
          done += group.group.bytes;
          line.update({ phase: 'Reading', done, total, unit: 'bytes' });
        }
      }),
    );
  } finally {
    line.clear();
  }
}

function toJson(opened: OpenedCheckpoint, groups: readonly ShownGroup[]) {
  return {
    commit: opened.version.commit,
    path: opened.version.path,
    format: opened.format,
    storage: opened.storage,
    groups: groups.map(({ opened: { group }, dtype, shape, bytes, sha256, error }) => ({
      name: group.name,
      dtype,
      shape,
      update_type: group.updateType,
      bytes,
      stored_bytes: group.storedBytes,
      sha256,
      ...(group.tiedTo === null ? {} : { tied_to: group.tiedTo }),
      ...(error === null ? {} : { error }),
    })),
    skipped: opened.skipped,
    metadata: Object.fromEntries(opened.metadata.map(({ key, value }) => [key, value])),
  };
}

function toText(opened: OpenedCheckpoint, groups: readonly ShownGroup[], { digest }: ShowOptions): string {
  const { commit, path } = opened.version;
  const where = commit === null ? path : `${path} at ${commit}`;
  const full = groups.reduce((sum, { bytes }) => sum + bytes, 0);
  const stored = groups.reduce((sum, { opened: { group } }) => sum + group.storedBytes, 0);
  const lines = [
    terminalText(where),
    `${opened.format} (${opened.storage}), ${formatCount(groups.length)} parameter groups, ${formatBytes(full)}, stored in ${formatBytes(stored)}`,
    '',
    formatTable(
      [
        { title: 'name' },
        { title: 'dtype' },
        { title: 'shape' },
        { title: 'update' },
        { title: 'size', align: 'right' },
        { title: 'stored', align: 'right' },
        ...(digest ? [{ title: 'sha256' }] : []),
      ],
      groups.map(({ opened: { group }, dtype, shape, bytes, sha256, error }) => [
        group.tiedTo === null ? group.name : `${group.name} (tied to ${group.tiedTo})`,
        dtype,
        formatShape(shape),
        error === null ? (group.updateType ?? '') : `${group.updateType ?? ''} (damaged)`.trim(),
        formatBytes(bytes),
        formatBytes(group.storedBytes),
        ...(digest ? [sha256 ?? ''] : []),
      ]),
    ),
  ];
  if (opened.metadata.length > 0) lines.push('', 'metadata', ...opened.metadata.map(({ key, value }) => `  ${terminalText(key)}: ${terminalText(value)}`));
  if (opened.skipped.length > 0) lines.push('', 'skipped', ...opened.skipped.map(({ name, reason }) => `  ${terminalText(name)}: ${terminalText(reason)}`));
  return `${lines.join('\n')}\n`;
}
