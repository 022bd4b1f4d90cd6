import { openTarget } from '../openTarget';
import type { Session } from '../session';
import { terminalText } from '../terminalText';
import { withModel } from './readTarget';

/** `theta onnx check`: what breaks the specification or surprises readers. Exit code 1 when there is an error. */
export async function check(session: Session, target: string, { json }: { readonly json: boolean }): Promise<number> {
  return withModel(session, target, async ({ state: { view } }) => {
    const { out, err } = session.terminal;
    const findings = view.findings.map(({ severity, text, scope, node }) => ({
      severity,
      text,
      scope: view.scopes[scope]?.path ?? '',
      node: node === null ? null : (view.nodes.index[node] ?? null),
    }));
    const tensors = view.initializers.flatMap(({ name, scope, problem }) =>
      problem === null ? [] : [{ severity: 'error' as const, text: `${name}: ${problem}`, scope: view.scopes[scope]?.path ?? '', node: null }],
    );
    const all = [...findings, ...tensors, ...(await unreadable(session, target))];
    if (json) out(`${JSON.stringify({ findings: all }, null, 2)}\n`);
    else for (const { severity, text } of all) out(`${severity}: ${terminalText(text)}\n`);
    const errors = all.filter(({ severity }) => severity === 'error').length;
    if (!json)
      err(
        all.length === 0
          ? 'No problems found.\n'
          : `${errors} ${errors === 1 ? 'error' : 'errors'}, ${all.length - errors} ${all.length - errors === 1 ? 'warning' : 'warnings'}.\n`,
      );
    return errors > 0 ? 1 : 0;
  });
}

/** Values that cannot be read, such as those in a file beside the model that is not there. */
async function unreadable(session: Session, target: string) {
  const { groups } = await openTarget(session, target);
  return [...groups.values()].flatMap(({ group: { name, error } }) =>
    error === null ? [] : [{ severity: 'error' as const, text: `${name}: ${error.message}`, scope: '', node: null }],
  );
}
