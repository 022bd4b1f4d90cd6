import { CheckpointError } from '../../../shared/contract/errors';
import type { MetadataEntry, SkippedEntry } from '../../../shared/model/checkpoint';
import type { FileGroup } from '../format';
import type { TensorParts } from './toParts';

/** Names repeat the paths of their graphs, so a small file could name gigabytes. */
const MAX_NAME_BYTES = 128 * 1024 * 1024;

/**
 * The parameter groups of a model by their keys. A value of the main graph has its name for its only key. One of another graph or of a function
 * has the path of that before it, as the graph view writes it: `#12.then_branch` and `W`, `fn:domain.name` and `W`. Of a sparse tensor the
 * values and the indices are groups one level deeper, `#values` and `#indices`. No valid model names two values of one graph alike, and a `#`
 * or `fn:` where a path begins is in no name that a tool writes; where names collide nevertheless, joined by `/` or as a name and a level, the
 * later one is among the skipped entries, with this reason.
 */
export class GroupCollector {
  readonly groups: FileGroup[] = [];
  readonly skipped: SkippedEntry[] = [];
  readonly metadata: MetadataEntry[] = [];
  readonly #file: string;
  /** Joined names of groups, and of the levels above them. */
  readonly #names = new Map<string, 'group' | 'level'>();
  #nameBytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws CheckpointError too-large */
  add(path: string, { name, parts, type, skipped }: TensorParts): void {
    const level = path === '' ? [] : [path];
    const joined = [...level, name].join('/');
    this.#nameBytes += joined.length * Math.max(1, parts.length);
    if (this.#nameBytes > MAX_NAME_BYTES)
      throw new CheckpointError('too-large', 'The names of the model are longer than those of a model.', { place: { file: this.#file } });
    const keys = parts.map(({ part }) => [...level, name, ...(part === null ? [] : [part])]);
    const reason = skipped ?? this.#problem(name, keys);
    if (reason !== null) {
      this.skipped.push({ name: joined, reason });
      return;
    }
    for (const [index, { group }] of parts.entries()) {
      const own = keys[index] ?? [];
      for (let depth = 1; depth < own.length; depth++) this.#names.set(own.slice(0, depth).join('/'), 'level');
      this.#names.set(own.join('/'), 'group');
      this.groups.push({ keys: own, tiedTo: null, ...group });
    }
    if (type !== null) this.metadata.push({ key: `type of ${joined}`, value: type });
  }

  #problem(name: string, keys: readonly (readonly string[])[]): string | null {
    if (name === '') return 'A tensor without a name, which nothing can use.';
    for (const own of keys) {
      const taken = this.#names.get(own.join('/')) ?? this.#levelTaken(own);
      if (taken === 'group') return 'Another value with the same name comes before it. The model is not valid.';
      if (taken === 'level') return 'Its name is also that of a graph or of a sparse tensor.';
    }
    return null;
  }

  #levelTaken(keys: readonly string[]): 'level' | undefined {
    for (let depth = 1; depth < keys.length; depth++) if (this.#names.get(keys.slice(0, depth).join('/')) === 'group') return 'level';
    return undefined;
  }
}
