import type { PickleScalar, PickleSequence, PickleValue } from '../../encodings/pickle/pickleValue';
import type { Budget } from './budget';
import { extents } from './rebuildTensor';
import { globalName } from './torchNames';

/** Longest text of one value; it is there to be looked at. */
const MAX_TEXT = 200;
/** Items of a list that are written out. */
const MAX_ITEMS = 16;

export function clip(text: string, most = MAX_TEXT): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function isScalar(value: PickleValue): value is PickleScalar {
  return (
    value.kind !== 'tuple' &&
    value.kind !== 'list' &&
    value.kind !== 'set' &&
    value.kind !== 'frozenset' &&
    value.kind !== 'dict' &&
    value.kind !== 'global' &&
    value.kind !== 'object' &&
    value.kind !== 'persistent'
  );
}

/** A number, text, boolean or None as Python spells it; bytes by their number. */
export function scalarText(value: PickleScalar): string {
  switch (value.kind) {
    case 'none':
      return 'None';
    case 'bool':
      return value.value ? 'True' : 'False';
    case 'float':
      return floatText(value.value);
    case 'string':
      return clip(value.value);
    case 'bytes':
      return `${value.value.byteLength} bytes`;
    default:
      return clip(value.value.toString());
  }
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
}

/**
 * A value without names or tensors in it as text: a scalar, a flat list of scalars, a class, and the few objects that torch
 * and Python write for such things. `null` for everything else.
 */
export function leafText(value: PickleValue, budget: Budget): string | null {
  if (isScalar(value)) return scalarText(value);
  switch (value.kind) {
    case 'tuple':
    case 'list':
    case 'set':
    case 'frozenset':
      return flatText(value.items, value.kind, budget);
    case 'global':
      return clip(`${value.module}.${value.name}`);
    case 'object':
      return objectText(value.callable, value.args.items, budget);
    default:
      return null;
  }
}

function flatText(items: readonly PickleValue[], kind: PickleSequence['kind'], budget: Budget): string | null {
  budget.spend(items.length);
  return items.every(isScalar) ? listText(items, kind) : null;
}

function listText(items: readonly PickleScalar[], kind: PickleSequence['kind']): string {
  const shown = items.slice(0, MAX_ITEMS).map((item) => (item.kind === 'string' ? JSON.stringify(scalarText(item)) : scalarText(item)));
  if (items.length > MAX_ITEMS) shown.push(`… (${items.length} items)`);
  const text = shown.join(', ');
  if (kind === 'list') return clip(`[${text}]`);
  return clip(kind === 'tuple' ? `(${text}${items.length === 1 ? ',' : ''})` : `{${text}}`);
}

function objectText(callable: PickleValue, args: readonly PickleValue[], budget: Budget): string | null {
  const name = globalName(callable) ?? '';
  const [first] = args;
  switch (name) {
    case 'torch.Size': {
      const shape = first === undefined ? null : extents(first);
      return shape === null ? null : clip(`torch.Size([${shape.join(', ')}])`);
    }
    case 'torch.device':
    case 'pathlib.PosixPath':
    case 'pathlib.PurePosixPath':
    case 'pathlib.WindowsPath':
    case 'pathlib._local.PosixPath': {
      // Paths have a handful of parts.
      if (args.length > MAX_ITEMS || !args.every(isScalar)) return null;
      const parts = args.map(scalarText);
      return clip(name === 'torch.device' ? parts.join(':') : parts.join('/').replace('//', '/'));
    }
    case 'builtins.set':
    case '__builtin__.set':
    case 'builtins.frozenset':
    case '__builtin__.frozenset':
      return first?.kind === 'list' || first?.kind === 'tuple' ? flatText(first.items, 'set', budget) : null;
    case 'builtins.complex':
    case '__builtin__.complex':
      return args.length === 2 && args.every(isScalar) ? `complex${listText(args, 'tuple')}` : null;
    default:
      return null;
  }
}
