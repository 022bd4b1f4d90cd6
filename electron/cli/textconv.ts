import { createHash } from 'node:crypto';
import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import { formatShape } from '../../shared/model/shape';
import { openSource } from '../bytes/openSource';
import { isPlan, type OpenedCheckpoint, type OpenedGroup } from '../services/checkpoints/openedCheckpoint';
import { openDiffFile } from '../services/differ/diffSide';
import { mapLimited } from '../services/mapLimited';
import { compareKeys } from '../theta/compareKeys';
import type { ThetaMetadata } from '../theta/metadata';
import { formatNorm } from './formatDiff';
import type { Session } from './session';
import { terminalText } from './terminalText';

/** Digits of a digest that tell two values apart for a reader. */
const SHORT = 10;
/** Bytes of one read while hashing. */
const READ_BYTES = 1024 * 1024;

/**
 * `theta textconv`: a checkpoint, or the metadata of one, as text (gitattributes(5), "Performing text diffs of binary files"): one line for every
 * group in the order of names, without alignment, so that a line differs exactly when its group does. Any other file is one line, because
 * git gives up the whole diff when this fails.
 */
export async function textconv(session: Session, file: string): Promise<number> {
  const path = session.path(file);
  let side: Awaited<ReturnType<typeof openDiffFile>>;
  try {
    side = await openDiffFile(path, file, session.signal);
  } catch (error) {
    const failed = CheckpointError.from(error);
    if (failed.code === 'cancelled' || failed.code === 'not-found' || failed.code === 'permission') throw failed;
    session.terminal.out(`${terminalText(failed.message)}  ${await describeBytes(path)}\n`);
    return 0;
  }
  const lines = side.kind === 'metadata' ? metadataLines(side.metadata) : side.kind === 'checkpoint' ? await valueLines(session, side.opened) : [];
  session.terminal.out(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

/** Name, type, shape, update type, stored bytes, object. */
function metadataLines({ entries, broken }: ThetaMetadata): readonly string[] {
  const lines = [...entries.values()].map(({ name, dtype, shape, updateType, bytes, oid }) => ({
    name,
    text: [dtype, formatShape(shape), updateType, `${bytes} B`, oid.slice(0, SHORT)],
  }));
  return inOrder([...lines, ...broken.map(({ name, error }) => ({ name, text: [error.message] }))]);
}

/** Name, type, shape, norm of the value, digest of its bytes. */
async function valueLines(session: Session, opened: OpenedCheckpoint): Promise<readonly string[]> {
  const { pool, signal } = session;
  const describe = async ({ group, plan }: OpenedGroup) => {
    const { name } = group;
    const known = [group.dtype, formatShape(group.shape)];
    try {
      if (!isPlan(plan)) throw CheckpointError.fromData(plan);
      const { difference, sha256 } = await pool.run('difference', { before: null, after: plan, digest: true }, { signal });
      const odd = difference === null || difference.notFinite === 0 ? '' : ` and ${difference.notFinite} not finite`;
      return { name, text: [...known, `norm ${formatNorm(difference?.norm ?? 0)}${odd}`, sha256?.slice(0, SHORT) ?? ''] };
    } catch (error) {
      throwIfCancelled(signal);
      return { name, text: [...known, `cannot be read: ${CheckpointError.from(error).message}`] };
    }
  };
  const groups = await mapLimited([...opened.groups.values()], describe, { limit: pool.size });
  return inOrder([...groups, ...opened.skipped.map(({ name, reason }) => ({ name, text: [reason] }))]);
}

function inOrder(lines: readonly { readonly name: string; readonly text: readonly string[] }[]): readonly string[] {
  return lines.toSorted((a, b) => compareKeys([a.name], [b.name])).map(({ name, text }) => [name, ...text].map(terminalText).join('  '));
}

async function describeBytes(path: string): Promise<string> {
  const source = await openSource({ kind: 'file', path });
  try {
    const hash = createHash('sha256');
    for (let at = 0; at < source.length; at += READ_BYTES) hash.update(await source.read(at, Math.min(READ_BYTES, source.length - at)));
    return `${source.length} B  ${hash.digest('hex').slice(0, SHORT)}`;
  } finally {
    await source.close();
  }
}
