import type { GitWriter } from '../git/gitWriter';
import { openGitWriter } from '../git/native/writer/openGitWriter';
import { filterCommand } from '../programCommand';
import type { Session } from './session';

/** What changes the session's repository. @throws unsupported-repository when it is bare or git is not on this machine */
export async function openSessionWriter(session: Session): Promise<GitWriter> {
  const { git } = await session.repository();
  return openGitWriter(git, { filterCommand: filterCommand() });
}
