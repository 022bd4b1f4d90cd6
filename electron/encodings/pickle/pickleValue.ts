/**
 * What a pickle says, as inert data. Nothing is called and nothing is imported: a call is an `object` that names what would have
 * been called. Lists, dictionaries and objects may be shared and may contain themselves, as in Python.
 */
export type PickleValue =
  | PickleScalar
  | PickleSequence
  | PickleDict
  | PickleGlobal
  | PickleObject
  /** A reference to something that the pickle's writer kept elsewhere. */
  | PicklePersistent;

export type PickleScalar =
  | { readonly kind: 'none' }
  | { readonly kind: 'bool'; readonly value: boolean }
  /** Within ±(2^53 - 1); larger ones are `long`. */
  | { readonly kind: 'int'; readonly value: number }
  | { readonly kind: 'long'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  /** A view of the pickle's bytes. */
  | { readonly kind: 'bytes'; readonly value: Uint8Array };

export interface PickleSequence {
  readonly kind: 'tuple' | 'list' | 'set' | 'frozenset';
  readonly items: readonly PickleValue[];
}

/** Entries in the order of insertion; a key may occur again, then the later value counts. */
export interface PickleDict {
  readonly kind: 'dict';
  readonly entries: readonly PickleEntry[];
}

export type PickleEntry = readonly [key: PickleValue, value: PickleValue];

/** A class or function, by name only. */
export interface PickleGlobal {
  readonly kind: 'global';
  readonly module: string;
  readonly name: string;
}

export interface PickleObject {
  readonly kind: 'object';
  /** `call`: what a function returned (REDUCE); `new`: an instance made without its constructor (NEWOBJ, OBJ, INST). */
  readonly made: 'call' | 'new';
  readonly callable: PickleValue;
  readonly args: PickleSequence;
  /** What was appended to it, when it is a list-like object. */
  readonly items: readonly PickleValue[];
  /** What was set by key, when it is a dictionary-like object. */
  readonly entries: readonly PickleEntry[];
  /** What `__setstate__` or `__dict__` would have been given. */
  readonly state: PickleValue | null;
}

export interface PicklePersistent {
  readonly kind: 'persistent';
  readonly id: PickleValue;
}

export const NONE: PickleScalar = { kind: 'none' };

export function integer(value: number | bigint): PickleScalar {
  if (typeof value === 'number') return { kind: 'int', value };
  const small = Number(value);
  return Number.isSafeInteger(small) ? { kind: 'int', value: small } : { kind: 'long', value };
}
