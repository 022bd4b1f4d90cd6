import type { Session } from '../session';
import { terminalText } from '../terminalText';
import { withGraphs } from './withGraphs';

export interface DiffOptions {
  readonly json: boolean;
  readonly exitCode: boolean;
}

/** `theta onnx diff`: what became of nodes, initializers and the model around them. Exit code 1 with `exitCode` when anything did. */
export async function diff(session: Session, sides: { readonly a: string; readonly b: string }, options: DiffOptions): Promise<number> {
  return withGraphs(session, async ({ graphs, run, side }) => {
    const { diff: found } = await graphs.diff(await side(sides.a), await side(sides.b), run);
    const { out } = session.terminal;
    if (options.json) out(`${JSON.stringify({ changes: found.changes.map(({ what, change, text }) => ({ what, change, text })) }, null, 2)}\n`);
    else out(`${found.text.trimEnd().split('\n').map(terminalText).join('\n')}\n`);
    return options.exitCode && found.changes.length > 0 ? 1 : 0;
  });
}
