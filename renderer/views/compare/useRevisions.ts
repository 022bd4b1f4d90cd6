import { useEffect, useState } from 'react';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { useClient } from '../../state/storesContext';

interface FoundCommit {
  readonly hash: string;
  readonly title: string;
}

interface Revisions {
  readonly commits: readonly FoundCommit[];
  readonly found: readonly FoundCommit[];
  readonly resolved: { readonly text: string; readonly commit: string } | null;
  readonly isSearching: boolean;
}

const FIRST_COMMITS = 500;
const MOST_FOUND = 200;
const PAUSE_MS = 150;
const NOTHING = { found: [], resolved: null, isSearching: false } as const;

/** The newest commits of a repository, those that hold a text wherever they are, and the one that the text itself names. */
export function useRevisions({ id }: RepositoryDescription, text: string): Revisions {
  const client = useClient();
  const [commits, setCommits] = useState<readonly FoundCommit[]>([]);
  const [search, setSearch] = useState<Omit<Revisions, 'commits'>>(NOTHING);

  useEffect(() => {
    const controller = new AbortController();
    client
      .request('history/page', { repository: id, offset: 0, limit: FIRST_COMMITS }, { signal: controller.signal })
      .then(({ commits: page }) => setCommits(page))
      // Branches and tags are there without it, and so is the search.
      .catch(() => undefined);
    return () => controller.abort();
  }, [client, id]);

  useEffect(() => {
    const query = text.trim();
    const controller = new AbortController();
    const { signal } = controller;
    const look = async () => {
      const [matches, named] = await Promise.all([
        client
          .request('history/search', { repository: id, text: query.slice(0, 500), path: null, limit: MOST_FOUND }, { signal })
          .then((answer) => answer.matches.map((match) => ({ hash: match.commit as string, title: match.text })))
          .catch(() => []),
        client
          .request('revision/resolve', { repository: id, text: query.slice(0, 250) }, { signal })
          .then(({ commit }) => commit)
          .catch(() => null),
      ]);
      if (signal.aborted) return;
      setSearch({ found: matches, resolved: named === null ? null : { text: query, commit: named }, isSearching: false });
    };
    if (query === '') {
      setSearch(NOTHING);
      return;
    }
    setSearch((before) => ({ ...before, isSearching: true }));
    const timer = setTimeout(() => void look(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, id, text]);

  return { commits, ...search };
}
