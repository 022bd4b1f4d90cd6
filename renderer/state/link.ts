import { isCommitHash } from '../../shared/model/commit';
import { formatSide, parseSide, type SideChoice } from './sideChoice';
import { type Place, VIEWS, type View } from './workspaceStore';

/** What a link to a view holds: the repository's folder, the view and the place in it. The host's token is never part of it. */
export interface Link extends Place {
  readonly repository: string;
  readonly view: View;
  /** Sides of the comparison. */
  readonly a: SideChoice | null;
  readonly b: SideChoice | null;
  /** The graph view shows the graphs of both sides. */
  readonly twoGraphs: boolean;
}

/** The link as the fragment of an address: `#repo=/data/model&view=parameters&path=model.pt&commit=…&group=encoder/weight`. The history is the view of a link that names none. */
export function formatLink(link: Link | null): string {
  if (link === null) return '';
  const parts: [string, string | null][] = [
    ['repo', link.repository],
    ['view', link.view === 'history' ? null : link.view],
    ['path', link.path],
    ['commit', link.commit],
    ['group', link.group],
    ['a', link.a === null ? null : formatSide(link.a)],
    ['b', link.b === null ? null : formatSide(link.b)],
    ['graphs', link.twoGraphs ? 'both' : null],
  ];
  return `#${parts.flatMap(([key, value]) => (value === null ? [] : [`${key}=${encode(value)}`])).join('&')}`;
}

/** Reads a fragment; `null` when it names no repository. What is no commit hash is left out. */
export function parseLink(fragment: string): Link | null {
  const values = new URLSearchParams(fragment.replace(/^#/, '').replaceAll('+', '%2B'));
  const repository = values.get('repo');
  if (repository === null || repository === '') return null;
  const commit = values.get('commit');
  return {
    repository,
    view: VIEWS.find((view) => view === values.get('view')) ?? 'history',
    path: values.get('path') || null,
    commit: commit !== null && isCommitHash(commit) ? commit : null,
    group: values.get('group') || null,
    a: parseSide(values.get('a') ?? ''),
    b: parseSide(values.get('b') ?? ''),
    twoGraphs: values.get('graphs') === 'both',
  };
}

/** Slashes and colons may stand in a fragment, and a link is read by people too. A lone surrogate has no encoding at all. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':');
}
