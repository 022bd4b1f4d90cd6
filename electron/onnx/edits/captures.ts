import type { OnnxModel } from '../model/onnxModel';
import { isGraph, outwards } from '../scopes/outerOf';
import { positionIn } from '../scopes/positionIn';
import type { Definition, Mention, ScopeIndex, ScopeOwner, Use } from '../scopes/scopeIndex';
import { placeOfValue } from './locateValue';
import { placeInGraph, placeOfMention, placeOfUse, shownName } from './places';

/** New name of each value that is renamed. */
export type Moves = ReadonlyMap<Definition, string>;

/**
 * Finds what a rename would make mean something else. The names after all renames count, so that two values may swap theirs. A new name must
 * not be one of the same graph, of one around it or of one inside it, training joined with the main graph: readers do not agree on what
 * shadows what (ONNX Runtime and the reference evaluator give other results for one model), and nothing that nothing defines may get a meaning.
 */
export class Captures {
  private readonly newcomers = new Map<string, Definition[]>();
  private readonly undefinedUses: ReadonlyMap<string, readonly Use[]>;
  private readonly orphans: ReadonlyMap<string, readonly Mention[]>;

  constructor(
    private readonly model: OnnxModel,
    private readonly index: ScopeIndex,
    private readonly moves: Moves,
  ) {
    for (const [definition, to] of moves) {
      const known = this.newcomers.get(to);
      if (known === undefined) this.newcomers.set(to, [definition]);
      else known.push(definition);
    }
    this.undefinedUses = byName(index.dangling);
    this.orphans = byName(index.orphans);
  }

  /** Why a value cannot have its new name, each in a sentence. */
  of(definition: Definition, to: string): string[] {
    return [...this.collisions(definition, to), ...this.awakened(definition, to), ...this.readTooEarly(definition)];
  }

  private *collisions(definition: Definition, to: string): Generator<string> {
    const stay = this.index.named(to).filter((other) => !this.moves.has(other));
    for (const other of stay) {
      const where = this.relation(definition.owner, other.owner);
      if (where !== null) yield `${quoted(definition, to)}: ${where} defines that name already, by ${placeOfValue(other)}.`;
    }
    for (const other of this.newcomers.get(to) ?? []) {
      // Said once, by the one that comes first.
      if (other === definition) break;
      if (this.relation(definition.owner, other.owner) === null) continue;
      yield `${shownName(other.name)} and ${shownName(definition.name)} cannot both become ${shownName(to)}: ${placeOfValue(other)} and ${placeOfValue(definition)} would be one name.`;
      // One reason is enough: a pattern may give thousands of values the same name.
      break;
    }
  }

  /** Names that stand in the model without a definition would come to mean this value. */
  private *awakened(definition: Definition, to: string): Generator<string> {
    const use = this.undefinedUses.get(to)?.find(({ owner }) => this.sees(owner, definition.owner));
    if (use !== undefined)
      yield `${quoted(definition, to)}: ${placeInGraph(placeOfUse(use), use.owner)} uses that name, which nothing defines yet, and would come to mean this value.`;
    const orphan = this.orphans.get(to)?.find(({ owner }) => this.sees(owner, definition.owner));
    if (orphan !== undefined)
      yield `${quoted(definition, to)}: ${placeInGraph(placeOfMention(orphan), orphan.owner)} holds that name, which nothing defines yet, and would come to mean this value.`;
  }

  /** A body that reads a name before its own node makes it: whether the outer value is meant, readers do not agree. */
  private *readTooEarly(definition: Definition): Generator<string> {
    for (const inner of this.index.named(definition.name)) {
      const isOuter = inner === definition ? hasOuter(this.model, this.index, definition) : this.sees(inner.owner, definition.owner);
      const maker = inner.kinds.every((kind) => kind === 'node-output') ? inner.node : null;
      if (!isOuter || maker === null) continue;
      const early = this.index.uses(inner).find((use) => positionIn(inner.owner, use) <= maker.index);
      if (early !== undefined) {
        yield `${shownName(definition.name)} cannot be renamed: ${placeInGraph(placeOfUse(early), early.owner)} reads that name before ${placeOfValue(inner)} makes a value of the same name, so that it may mean either.`;
      }
    }
  }

  /** Where `other` stands, seen from `owner`, when one of them sees the names of the other. */
  private relation(owner: ScopeOwner, other: ScopeOwner): string | null {
    if (owner === other) return isGraph(owner) ? 'its graph' : 'its function';
    if (this.sees(owner, other)) return 'a graph around it';
    if (this.sees(other, owner)) return isTraining(other) ? 'the training information' : 'a graph inside it';
    return null;
  }

  /** Whether names of `outer` are visible in `owner`. */
  private sees(owner: ScopeOwner, outer: ScopeOwner): boolean {
    if (owner === outer) return true;
    for (const each of outwards(this.model, owner)) if (each === outer) return true;
    return false;
  }
}

function quoted(definition: Definition, to: string): string {
  return `${shownName(definition.name)} cannot become ${shownName(to)}`;
}

function isTraining(owner: ScopeOwner): boolean {
  return owner.path.startsWith('training:');
}

function hasOuter(model: OnnxModel, index: ScopeIndex, { owner, name }: Definition): boolean {
  for (const outer of outwards(model, owner)) if (index.definition(outer, name) !== null) return true;
  return false;
}

function byName<Place extends { readonly name: string }>(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
  const sorted = new Map<string, Place[]>();
  for (const place of places) {
    const known = sorted.get(place.name);
    if (known === undefined) sorted.set(place.name, [place]);
    else known.push(place);
  }
  return sorted;
}
