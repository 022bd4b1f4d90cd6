import { useCallback, useEffect, useRef, useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Output } from '../../../shared/contract/requests';
import { failed, idle, type Loadable, loading, ready } from '../../state/loadable';
import { useClient } from '../../state/storesContext';

export type Folder = Output<'folders/list'>;

interface FolderBrowser {
  readonly folder: Loadable<Folder>;
  /** Text of the path field: where the list is, until something is typed. */
  readonly typed: string;
  setTyped(path: string): void;
  /** Lists a folder; `null` is the home folder. */
  go(path: string | null): void;
}

/** Walks the host's folders; a listing that is no longer wanted is cancelled. */
export function useFolder(showHidden: boolean): FolderBrowser {
  const client = useClient();
  const [wanted, setWanted] = useState<{ readonly path: string | null }>({ path: null });
  const [folder, setFolder] = useState<Loadable<Folder>>(idle);
  const [typed, setTyped] = useState('');
  // What somebody types while a listing is on its way is theirs.
  const touched = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    setFolder((previous) => loading(previous));
    client.request('folders/list', { path: wanted.path, showHidden }, { signal: controller.signal }).then(
      (listing) => {
        if (controller.signal.aborted) return;
        setFolder(ready(listing));
        if (!touched.current) setTyped(listing.path);
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setFolder((previous) => failed(CheckpointError.from(error), previous));
      },
    );
    return () => controller.abort();
  }, [client, wanted, showHidden]);
  const go = useCallback((path: string | null) => {
    touched.current = false;
    setWanted({ path });
  }, []);
  const type = useCallback((path: string) => {
    touched.current = true;
    setTyped(path);
  }, []);
  return { folder, typed, setTyped: type, go };
}
