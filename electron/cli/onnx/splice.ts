import { CheckpointError } from '../../../shared/contract/errors';
import type { Session } from '../session';
import { applyEdit, type EditOptions } from './applyEdit';
import { nodesOf } from './nodesOf';
import { withModel } from './readTarget';

export interface SpliceOptions extends EditOptions {
  /** The other model: file or REV:PATH. */
  readonly from: string;
  readonly nodes: readonly string[];
  /** `theirs=ours`: an input of the piece becomes a value of this model. */
  readonly connect: readonly string[];
  /** `theirs=ours`: consumers of a value of this model take an output of the piece. */
  readonly replace: readonly string[];
}

/** `theta onnx splice`: nodes of another model with their initializers. */
export async function splice(session: Session, target: string, options: SpliceOptions): Promise<number> {
  return withModel(session, target, async (opened) => {
    const from = await opened.side(options.from);
    const other = await opened.graphs.open(from, opened.run);
    const nodes = nodesOf(other.view, '', options.nodes);
    const connect = options.connect.map((text) => pairOf(text)).map(([theirs, ours]) => ({ from: theirs, to: ours }));
    const replace = options.replace.map((text) => pairOf(text)).map(([theirs, ours]) => ({ output: theirs, value: ours }));
    return applyEdit(session, opened, { kind: 'splice', from, nodes, connect, replace }, options);
  });
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1)
    throw new CheckpointError('invalid-request', `${text} is no pair.`, { hint: 'Give the name in the other model, =, and the name in this one.' });
  return [text.slice(0, at), text.slice(at + 1)];
}
