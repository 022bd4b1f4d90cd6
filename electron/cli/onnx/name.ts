import { formatMapping } from '../../../shared/model/nameMapping/mapping';
import { nodeNamesFor } from '../../onnx/edits/nodeNamesFor';
import type { Session } from '../session';
import { formatTable } from '../terminalText';
import { applyEdit, type EditOptions } from './applyEdit';
import { type OnnxTarget, withModel } from './readTarget';

export interface NameOptions extends EditOptions {
  /** `nodes`, `position`, or a checkpoint (file or REV:PATH). */
  readonly from: string;
  /** Also initializers that have names of their own. */
  readonly all: boolean;
  /** Name the unnamed nodes instead of the initializers. */
  readonly nodes: boolean;
  /** Print the mapping that `rename --map` takes, and change nothing. */
  readonly printMap: boolean;
}

/** `theta onnx name`: fills in missing and numbered names. */
export async function name(session: Session, target: string, options: NameOptions): Promise<number> {
  return withModel(session, target, async (opened) => {
    if (options.nodes) {
      const renames = nodeNamesFor(opened.model);
      if (renames.length === 0) return nothing(session, 'Every node has a name.', options);
      return applyEdit(session, opened, { kind: 'rename-nodes', renames }, options);
    }
    const proposals = await opened.graphs.propose(
      { graph: opened.state.graph, from: await originOf(opened, options.from), onlyNumbered: !options.all },
      opened.run,
    );
    if (proposals.length === 0)
      return nothing(
        session,
        options.all ? 'No name could be found.' : 'No initializer without a name of its own could be named; --all looks at the others too.',
        options,
      );
    if (options.printMap) {
      const entries = proposals.map(({ address, to }) => ({ graph: address.graph === '' ? null : address.graph, name: address.name, to }));
      session.terminal.out(formatMapping(entries, 'json'));
      return 0;
    }
    if (!options.json) {
      const rows = proposals.map(({ address, to, reason }) => [address.name, to, reason]);
      session.terminal.err(`${formatTable([{ title: 'name' }, { title: 'proposal' }, { title: 'why' }], rows)}\n`);
    }
    const renames = proposals.map(({ address, to }) => ({ ...address, to }));
    return applyEdit(session, opened, { kind: 'rename', renames }, options);
  });
}

async function originOf({ side }: OnnxTarget, from: string): Promise<Parameters<OnnxTarget['graphs']['propose']>[0]['from']> {
  return from === 'nodes' || from === 'position' ? { kind: from } : { kind: 'checkpoint', side: await side(from) };
}

function nothing(session: Session, words: string, { json }: NameOptions): number {
  if (json) session.terminal.out(`${JSON.stringify({ title: words, sites: [], warnings: [], refusals: [], written: null }, null, 2)}\n`);
  else session.terminal.err(`${words}\n`);
  return 0;
}
