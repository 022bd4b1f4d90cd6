import { boundedReplace } from '../../../onnx/edits/boundedReplace';

export interface ReplaceNamesInput {
  readonly names: readonly string[];
  readonly find: string;
  readonly replace: string;
}

/** What a pattern makes of each name; in a worker, since a pattern may need seconds before it is stopped. */
export async function replaceNames({ names, ...pattern }: ReplaceNamesInput): Promise<(string | null)[]> {
  return boundedReplace(names, pattern);
}
