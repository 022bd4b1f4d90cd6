import { CheckpointError } from '../../../shared/contract/errors';
import type { TensorPlan } from '../../updates/updateChain';
import { isPlan, type OpenedGroup } from '../checkpoints/openedCheckpoint';
import type { ComparedCheckpoint, ComparedSides } from './comparedCheckpoint';

/** Names of a group on both sides. */
export interface PairName {
  readonly a: string;
  readonly b: string;
}

/** A group that can be read. */
export interface ReadableGroup {
  readonly side: ComparedCheckpoint;
  readonly opened: OpenedGroup;
  readonly plan: TensorPlan;
}

export interface ReadablePair {
  readonly a: ReadableGroup;
  readonly b: ReadableGroup;
}

/** @throws CheckpointError not-found; why the group cannot be read */
export function findGroup(side: ComparedCheckpoint, name: string): ReadableGroup {
  const { commit, path } = side.opened.version;
  const place = { ...(commit === null ? {} : { commit }), file: path, group: name };
  const opened = side.opened.groups.get(name);
  if (opened === undefined) throw new CheckpointError('not-found', `${path} has no parameter group of this name.`, { place });
  if (!isPlan(opened.plan)) throw CheckpointError.fromData(opened.plan).at(place);
  return { side, opened, plan: opened.plan };
}

/** Both groups of a row. @throws as `findGroup` */
export function findPair(sides: ComparedSides, name: PairName): ReadablePair {
  return { a: findGroup(sides.a, name.a), b: findGroup(sides.b, name.b) };
}
