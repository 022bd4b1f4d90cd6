import type { InstallScope } from '../git/install/thetaSettings';
import { type UninstallReport, uninstall } from '../git/install/uninstall';
import { installTarget, scopeName } from './installTarget';
import type { Session } from './session';
import { terminalText } from './terminalText';

/** `theta uninstall`. */
export async function uninstallCommand(session: Session, { scope, json }: { readonly scope: InstallScope; readonly json: boolean }): Promise<number> {
  const report = await uninstall(await installTarget(session, scope));
  session.terminal.out(json ? `${JSON.stringify(report, null, 2)}\n` : `${linesOf(report).map(terminalText).join('\n')}\n`);
  return 0;
}

function linesOf({ scope, changed, kept, hooks, notes }: UninstallReport): readonly string[] {
  const restored = changed.filter(({ after }) => after.length > 0).map(({ key }) => key);
  return [
    changed.length === 0 ? `Nothing of this program was in ${scopeName(scope)}.` : `Taken out of ${scopeName(scope)}.`,
    ...(restored.length > 0 ? [`Put back as it was before: ${restored.join(', ')}`] : []),
    ...(kept.length > 0 ? [`Left alone, because another program has written it since: ${kept.map(({ key }) => key).join(', ')}`] : []),
    ...(hooks !== null && hooks.removed.length > 0 ? [`Hooks taken away: ${hooks.removed.join(', ')}`] : []),
    ...(hooks !== null && hooks.restored.length > 0 ? [`Hooks put back: ${hooks.restored.join(', ')}`] : []),
    ...notes,
  ];
}
