import { checkProgram } from '../git/install/checkProgram';
import { type InstallReport, install } from '../git/install/install';
import type { InstallScope } from '../git/install/thetaSettings';
import { programVersion } from '../resources';
import { checkOutMetadata } from '../services/tracker/checkOutMetadata';
import { installTarget, scopeName } from './installTarget';
import { openSessionWriter } from './openSessionWriter';
import type { Session } from './session';
import { terminalText } from './terminalText';

export interface InstallCommandOptions {
  readonly scope: InstallScope;
  readonly force: boolean;
  readonly json: boolean;
}

/** `theta install`. */
export async function installCommand(session: Session, { scope, force, json }: InstallCommandOptions): Promise<number> {
  const target = await installTarget(session, scope);
  await checkProgram(target.git, target.program, { version: programVersion(), signal: session.signal });
  const report = await install(target, { force });
  const fresh = scope === 'local' && target.place?.workTree != null ? await checkOutMetadata(await session.repository(), await openSessionWriter(session)) : [];
  session.terminal.out(json ? `${JSON.stringify(report, null, 2)}\n` : `${[...linesOf(report), ...linesAbout(fresh)].map(terminalText).join('\n')}\n`);
  return 0;
}

function linesAbout(paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`Checked out as checkpoints, where metadata lay in the work tree: ${paths.join(', ')}`];
}

function linesOf({ scope, program, changed, hooks, notes }: InstallReport): readonly string[] {
  const settings = changed.length === 0 ? `Everything was set up already in ${scopeName(scope)}.` : `Set up in ${scopeName(scope)}: ${program}`;
  const written = hooks?.hooks.filter(({ state }) => state === 'written').map(({ name }) => name) ?? [];
  const former = hooks?.hooks.flatMap((hook) => hook.former) ?? [];
  return [
    settings,
    ...(written.length > 0 ? [`Hooks written in ${hooks?.path ?? ''}: ${written.join(', ')}`] : []),
    ...(former.length > 0 ? [`Hooks that were there before run first: ${former.join(', ')}`] : []),
    ...(scope === 'global' ? ['For the hooks that upload checkpoints with a push, run “theta install --local” in each repository that you push from.'] : []),
    ...notes,
  ];
}
