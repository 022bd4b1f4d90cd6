/** What a finding is about. Stays the same when names in its text change. */
export type Rule =
  | 'names'
  | 'single-definition'
  | 'shadowing'
  | 'defined'
  | 'order'
  | 'initializer-input'
  | 'types'
  | 'node-names'
  | 'tensor-data'
  | 'sparse'
  | 'attributes'
  | 'opsets'
  | 'functions'
  | 'ir-version'
  | 'training'
  | 'annotations';

/**
 * Something about a model that breaks the specification. `error`: readers refuse it or compute something else than what is meant;
 * `warning`: what the specification does not forbid or readers accept, but the user should know.
 */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly rule: Rule;
  /** What is wrong and where, in a sentence. */
  readonly text: string;
  /** Path of the graph or function (`GraphScope.path`). */
  readonly owner: string;
  /** Position of the node in it; `null` when the finding is about no node. */
  readonly node: number | null;
}
