import { useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { SideChoice } from '../../state/sideChoice';
import { useClient, useStores } from '../../state/storesContext';

interface OtherSide {
  /** Repository that is chosen from instead of the opened one. */
  readonly repository: RepositoryDescription | null;
  readonly error: CheckpointError | null;
  chooseFile(): Promise<void>;
  chooseRepository(): Promise<void>;
  leave(): void;
}

/** Sides from outside of the opened repository: files, by the host's dialog or the window's, and other repositories. */
export function useOtherSide(onChoose: (choice: SideChoice) => void): OtherSide {
  const client = useClient();
  const { picker, compare } = useStores();
  const [repository, setRepository] = useState<RepositoryDescription | null>(null);
  const [error, setError] = useState<CheckpointError | null>(null);
  const attempt = async (work: () => Promise<void>) => {
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(CheckpointError.from(thrown));
    }
  };
  return {
    repository,
    error,
    chooseFile: () =>
      attempt(async () => {
        const picked = await picker.getState().pickFiles({
          title: 'Compare with a file',
          description: 'A checkpoint file of the machine where the repository is, or of this computer.',
          action: 'Compare',
          several: false,
        });
        const [path] = picked?.paths ?? [];
        const [file] = picked?.files ?? [];
        if (path !== undefined) onChoose({ kind: 'file', path });
        else if (file !== undefined) onChoose({ kind: 'file', path: await client.hostPathFor(file) });
      }),
    chooseRepository: () =>
      attempt(async () => {
        const folder = await picker.getState().pickFolder({
          kind: 'repository',
          title: 'A version in another repository',
          description: 'Choose the repository, for example of the base model.',
          action: 'Choose from it',
        });
        if (folder !== null) setRepository(await compare.getState().others.open(folder));
      }),
    leave: () => setRepository(null),
  };
}
