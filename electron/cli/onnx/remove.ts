import { addressed } from '../../onnx/edits/structuralAddress';
import { indexScopes } from '../../onnx/scopes/indexScopes';
import type { Session } from '../session';
import { applyEdit, type EditOptions } from './applyEdit';
import { nodesOf } from './nodesOf';
import { withModel } from './readTarget';

export interface RemoveOptions extends EditOptions {
  readonly scope: string;
  readonly initializer: string | undefined;
  readonly nodes: readonly string[];
  readonly bypass: boolean;
}

/** `theta onnx remove`: an initializer that nothing uses, or nodes. */
export async function remove(session: Session, target: string, options: RemoveOptions): Promise<number> {
  const { scope, initializer, nodes, bypass } = options;
  return withModel(session, target, async (opened) => {
    const edit =
      initializer === undefined
        ? ({ kind: 'remove-nodes', nodes: nodesOf(opened.state.view, scope, nodes), bypass } as const)
        : ({ kind: 'remove-initializer', address: addressed(indexScopes(opened.model), { graph: scope, name: initializer }) } as const);
    return applyEdit(session, opened, edit, options);
  });
}
