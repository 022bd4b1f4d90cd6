import type { EditSite, RenameConflict } from '../../../shared/model/graphEdit';
import type { Piece } from '../../bytes/pieces';
import type { WireEdit } from '../../encodings/protobuf/frame';

/** What an edit does to the file: pure, nothing is written. Apply with `applyPlan` only when `refusals` is empty. */
export interface EditPlan {
  readonly title: string;
  readonly sites: readonly EditSite[];
  /** Each in a sentence. */
  readonly warnings: readonly string[];
  readonly refusals: readonly string[];
  /** Refusals of a rename, each at the value that it concerns. */
  readonly conflicts?: readonly RenameConflict[];
  /** Copies inside them are of the model's own file. */
  readonly edits: readonly WireEdit[];
  /** New files of external data, beside the model; `name` is the `location` that the model gives. */
  readonly files: readonly { readonly name: string; readonly pieces: readonly Piece[] }[];
}
