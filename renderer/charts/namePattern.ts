export interface NamePattern {
  fits(name: string): boolean;
  /** Why the text is no pattern; everything fits then. */
  readonly problem: string | null;
}

const EVERYTHING: NamePattern = { fits: () => true, problem: null };

/**
 * What a filter of names means: words that must all occur, in any order; with `*` or `?` a glob over the whole name (`**` crosses
 * `/` and `.`, `*` does not); between slashes (`/bias$/`) a regular expression. Upper and lower case are the same.
 */
export function parseNamePattern(text: string): NamePattern {
  const trimmed = text.trim();
  if (trimmed === '') return EVERYTHING;
  const expression = /^\/(.+)\/$/.exec(trimmed)?.[1];
  if (expression !== undefined) return byExpression(expression);
  if (/[*?]/.test(trimmed)) return byExpression(globSource(trimmed));
  const words = trimmed.toLowerCase().split(/\s+/);
  return {
    problem: null,
    fits: (name) => {
      const lower = name.toLowerCase();
      return words.every((word) => lower.includes(word));
    },
  };
}

function byExpression(source: string): NamePattern {
  try {
    const expression = new RegExp(source, 'iu');
    return { fits: (name) => expression.test(name), problem: null };
  } catch (error) {
    return { ...EVERYTHING, problem: error instanceof Error ? error.message : String(error) };
  }
}

function globSource(glob: string): string {
  const parts = glob.match(/\*\*|[\s\S]/gu) ?? [];
  const source = parts.map((part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/.]*';
    if (part === '?') return '[^/.]';
    return part.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
  });
  return `^${source.join('')}$`;
}
