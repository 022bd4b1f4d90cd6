import type { PickleEntry, PickleValue } from '../../encodings/pickle/pickleValue';
import type { ReadOptions } from '../format';
import { Budget } from './budget';
import type { OpenedContainer } from './container';
import { type Found, GroupCollector } from './groupCollector';
import { clip, leafText } from './scalarText';

/** Deepest nesting; optimiser states have about five levels. */
const MAX_DEPTH = 100;
/** Longest name, all keys together; the longest in use have about 200 characters. */
const MAX_NAME = 4096;

interface Frame {
  readonly value: PickleValue;
  readonly keys: readonly string[];
  /** Characters of the keys. */
  readonly length: number;
  readonly children: readonly PickleEntry[];
  next: number;
}

/**
 * Finds tensors, values and what else there is in the data of a checkpoint, in its order. Shared data is found wherever it is
 * reached; circular, deep and endless data ends.
 * @throws CheckpointError `too-large`
 */
export function findGroups(container: OpenedContainer, options: ReadOptions): Found {
  const budget = new Budget();
  const collector = new GroupCollector(container, options, budget);
  const stack: Frame[] = [];
  const open = new Set<PickleValue>();
  const enter = (value: PickleValue, keys: readonly string[], length: number): void => {
    budget.spend(1);
    if (open.has(value)) {
      collector.skip(keys, 'it contains itself');
      return;
    }
    const children = collector.take(value, keys);
    if (children === null) return;
    if (keys.length >= MAX_DEPTH) {
      collector.skip(keys, `it lies more than ${MAX_DEPTH} levels deep`);
      return;
    }
    open.add(value);
    stack.push({ value, keys, length, children, next: 0 });
  };
  enter(container.value, [], 0);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const child = frame.children[frame.next++];
    if (child === undefined) {
      open.delete(frame.value);
      stack.pop();
      continue;
    }
    const key = child[0].kind === 'string' ? child[0].value : leafText(child[0], budget);
    const length = frame.length + (key?.length ?? 0);
    if (key === null) collector.skip([...frame.keys, '…'], 'its key is neither text nor a number');
    else if (length > MAX_NAME) collector.skip([...frame.keys, clip(key)], `its name has more than ${MAX_NAME} characters`);
    else enter(child[1], [...frame.keys, key], length);
  }
  return collector.found();
}
