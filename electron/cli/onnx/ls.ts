import { formatBytes } from '../../../shared/base/formatBytes';
import type { GraphView } from '../../../shared/model/graph';
import { elementTypeNamed } from '../../onnx/values/elementTypes';
import type { Session } from '../session';
import { formatTable } from '../terminalText';
import { withModel } from './readTarget';

/** `theta onnx ls`: the initializers of a model, and where they are used. */
export async function ls(session: Session, target: string, { json }: { readonly json: boolean }): Promise<number> {
  return withModel(session, target, async ({ state: { view } }) => {
    const uses = usesOf(view);
    const { out } = session.terminal;
    if (json) {
      const initializers = view.initializers.map(({ name, scope, type, shape, bytes, place, isInput, problem }, index) => ({
        name,
        scope: view.scopes[scope]?.path ?? '',
        dtype: dtypeOf(type),
        shape,
        used_by: uses[index] ?? [],
        bytes,
        place,
        is_input: isInput,
        ...(problem === null ? {} : { problem }),
      }));
      out(`${JSON.stringify({ initializers }, null, 2)}\n`);
      return 0;
    }
    const rows = view.initializers.map(({ name, scope, type, shape, bytes, place, problem }, index) => [
      scoped(view, scope, name),
      `${type}[${shape.join(', ')}]`,
      formatBytes(bytes),
      place,
      problem ?? (uses[index] ?? []).join(', '),
    ]);
    out(`${formatTable([{ title: 'initializer' }, { title: 'type' }, { title: 'bytes', align: 'right' }, { title: 'where' }, { title: 'used by' }], rows)}\n`);
    return 0;
  });
}

/** `name`, or `#12.then_branch: name` in a body. */
export function scoped(view: GraphView, scope: number, name: string): string {
  const path = view.scopes[scope]?.path ?? '';
  return path === '' ? name : `${path}: ${name}`;
}

/** For each initializer the nodes that use it, as `Conv /stem/conv/Conv` or `Conv #3`. */
function usesOf(view: GraphView): string[][] {
  const uses: string[][] = view.initializers.map(() => []);
  const { names, operator, index, inputStarts, inputs } = view.nodes;
  for (let node = 0; node < names.length; node++) {
    const title = `${view.operators[operator[node] ?? 0] ?? ''} ${names[node] === '' ? `#${index[node]}` : names[node]}`;
    for (let at = inputStarts[node] ?? 0; at < (inputStarts[node + 1] ?? 0); at++) {
      const list = uses[view.values.initializer[inputs[at] ?? 0] ?? -1];
      if (list !== undefined && list.at(-1) !== title) list.push(title);
    }
  }
  return uses;
}

/** PyTorch's spelling, as in all other documents of the command; ONNX's own for types that only it has (`int4`). */
function dtypeOf(type: string): string {
  return elementTypeNamed(type)?.dtype ?? type;
}
