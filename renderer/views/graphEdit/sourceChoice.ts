import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { Side } from '../../../shared/model/side';
import type { SideChoice } from '../../state/sideChoice';

/** Version of a checkpoint: as the graph that is looked at, the working tree, or a revision. */
export type VersionChoice = { readonly kind: 'same' } | { readonly kind: 'worktree' } | { readonly kind: 'revision'; readonly revision: string };

/** A checkpoint that values or names are taken from. */
export type SourceChoice =
  | { readonly kind: 'tracked'; readonly path: string; readonly version: VersionChoice }
  /** On the host's machine. */
  | { readonly kind: 'file'; readonly path: string };

/** What a choice means beside the graph of a side. */
export function sideOfSource(choice: SourceChoice, of: Side): SideChoice {
  if (choice.kind === 'file') return { kind: 'file', path: choice.path };
  const { path, version } = choice;
  if (version.kind === 'revision') return { kind: 'revision', repository: null, revision: version.revision, path };
  if (version.kind === 'same' && of.kind === 'version') return { kind: 'revision', repository: null, revision: of.commit, path };
  return { kind: 'worktree', repository: null, path };
}

/** `model.pt at the same commit`: for people. */
export function sourceWords(choice: SourceChoice): string {
  if (choice.kind === 'file') return choice.path;
  switch (choice.version.kind) {
    case 'same':
      return `${choice.path} of the same version`;
    case 'worktree':
      return `${choice.path} in the working tree`;
    case 'revision':
      return `${choice.path} at ${choice.version.revision}`;
  }
}

/** Checkpoints to choose from, those that a model is trained in first: another export has no better names. */
export function sourcePaths({ checkpoints }: Pick<RepositoryDescription, 'checkpoints'>, own: string): readonly string[] {
  const isModel = (format: string) => (format === 'onnx' ? 1 : 0);
  return [...checkpoints]
    .filter(({ path }) => path !== own)
    .sort((a, b) => isModel(a.format) - isModel(b.format))
    .map(({ path }) => path);
}
