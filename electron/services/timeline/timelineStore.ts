import type { ErrorData } from '../../../shared/contract/errors';
import type { StorageKind } from '../../../shared/model/checkpoint';
import type { CommitHash } from '../../../shared/model/commit';
import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import { TIMELINE_KINDS, type TimelineKind } from '../../../shared/model/timeline';
import { isUpdateKind } from '../../../shared/model/update';
import { Contents } from './contents';
import { type Growing, growingBytes, growingUint32 } from './growing';
import { Names } from './names';

/** Entries of one step from a version to the next: `start` … `end` in the columns of the store. */
export interface Step {
  readonly start: number;
  readonly end: number;
}

/** An entry of a git-theta metadata file, as far as the timeline looks at it. */
export interface StoredEntry {
  readonly row: number;
  readonly form: number;
  readonly oid: string;
  readonly bytes: number;
  readonly updateType: string;
  readonly lastCommit: string | null;
}

/** Rows of a group's name before and after a step. */
export interface RowRename {
  readonly from: number;
  readonly to: number;
}

export interface StepPair {
  /** Blob ids. */
  readonly before: string | null;
  readonly after: string | null;
  readonly final: boolean;
  readonly renames: readonly RowRename[];
}

/** Update types have numbers of one byte; what lies beyond is one type to us. */
const MAX_KINDS = 200;

export interface StoreTables {
  readonly rows: Names;
  /** `float32 3,4`. */
  readonly forms: Names;
  readonly updateTypes: Names;
  readonly bases: Names;
  readonly contents: Contents;
  readonly changed: {
    readonly rows: Growing<Uint32Array<ArrayBuffer>>;
    readonly kinds: Growing<Uint8Array<ArrayBuffer>>;
    readonly contents: Growing<Uint32Array<ArrayBuffer>>;
  };
  /** By `before:after`, blob ids; an absent file is an empty text. */
  readonly steps: Map<string, Step>;
  /** By step: rows of former and new names. */
  readonly renames: Map<string, readonly RowRename[]>;
  readonly blobs: Map<CommitHash, string | null>;
  readonly storages: Map<string, StorageKind>;
  /** Of blobs that will never be readable. */
  readonly errors: Map<string, ErrorData>;
}

export function emptyTables(): StoreTables {
  return {
    rows: new Names(),
    forms: new Names(),
    updateTypes: new Names(),
    bases: new Names(),
    contents: new Contents(),
    changed: { rows: growingUint32(), kinds: growingBytes(), contents: growingUint32() },
    steps: new Map(),
    renames: new Map(),
    blobs: new Map(),
    storages: new Map(),
    errors: new Map(),
  };
}

/**
 * What is known about one path through all versions, by commits and blobs, which never change: every step from one blob to the next as packed
 * columns. It only grows; a timeline is put together from it.
 */
export class TimelineStore {
  readonly tables: StoreTables;
  /** Whether there is something that the file on disk has not. */
  dirty = false;
  readonly #passing = new Set<string>();

  constructor(tables: StoreTables = emptyTables()) {
    this.tables = tables;
  }

  form(dtype: DType, shape: Shape): number {
    return this.tables.forms.number(`${dtype} ${shape.join(',')}`);
  }

  /**
   * Equal numbers for entries that are the same as `diffMetadata` has it: object, type, base, dtype and shape. Nothing reads the base of a
   * dense entry, and its object alone is the value, whatever row it stands in.
   */
  content({ row, form, oid, bytes, updateType, lastCommit }: StoredEntry): number {
    const { updateTypes, bases, contents } = this.tables;
    const known = updateTypes.texts.length < MAX_KINDS || isUpdateKind(updateType);
    const kind = updateTypes.number(known ? `update ${updateType}` : 'other');
    const alone = updateType === 'dense';
    return contents.number({ oid, kind, form, base: alone ? 0 : bases.number(lastCommit ?? '') + 1, row: alone ? 0 : row + 1 }, bytes);
  }

  /** A tensor of a plain file: its value is the place in that very file. */
  fileContent(tensor: { readonly file: string; readonly row: number; readonly form: number; readonly bytes: number }): number {
    const { file, row, form, bytes } = tensor;
    return this.tables.contents.number({ oid: file, kind: this.tables.updateTypes.number('file'), form, base: 0, row: row + 1 }, bytes);
  }

  step(before: string | null, after: string | null): Step | undefined {
    return this.tables.steps.get(stepKey(before, after));
  }

  renames(before: string | null, after: string | null): readonly RowRename[] {
    return this.tables.renames.get(stepKey(before, after)) ?? [];
  }

  /** Entries must come ascending by row. A step that is not `final` is found out anew by the next look, and not written to disk. */
  addStep(pair: StepPair, add: (push: (row: number, kind: number, content: number) => void) => void): Step {
    const { changed, steps } = this.tables;
    const key = stepKey(pair.before, pair.after);
    const start = changed.rows.length;
    add((row, kind, content) => {
      changed.rows.push(row);
      changed.kinds.push(kind);
      changed.contents.push(content);
    });
    const step = { start, end: changed.rows.length };
    steps.set(key, step);
    if (pair.renames.length > 0) this.tables.renames.set(key, pair.renames);
    if (pair.final) this.dirty = true;
    else this.#passing.add(key);
    return step;
  }

  forgetPassing(): void {
    for (const key of this.#passing) {
      this.tables.steps.delete(key);
      this.tables.renames.delete(key);
    }
    this.#passing.clear();
  }

  /** Steps that stay true. */
  *finalSteps(): Generator<readonly [string, Step]> {
    for (const entry of this.tables.steps) if (!this.#passing.has(entry[0])) yield entry;
  }
}

export function kindCode(kind: TimelineKind): number {
  return TIMELINE_KINDS.indexOf(kind);
}

export function updateKindCode(updateType: string): number {
  return kindCode(isUpdateKind(updateType) ? updateType : 'other');
}

function stepKey(before: string | null, after: string | null): string {
  return `${before ?? ''}:${after ?? ''}`;
}
