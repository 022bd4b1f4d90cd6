/** Longest path that the contract takes, in UTF-16 units. */
const LONGEST = 4096;
/** What git itself reads there: a checkpoint of that name would change how the repository works. */
const OF_GIT = new Set(['.gitattributes', '.gitignore', '.gitmodules']);

/**
 * What is wrong with a place for a checkpoint in the repository, in a sentence; `null` when nothing is. Whether something else is there
 * only the host knows.
 * @param others the places of the other files that go in with it
 */
export function placeProblem(place: string, others: readonly string[] = []): string | null {
  if (place.trim() === '') return 'Give the file a place in the repository.';
  if (place.length > LONGEST) return 'This path is too long.';
  if (/^(?:\/|[A-Za-z]:)/.test(place)) return 'The path begins at the root of the repository, without a slash or drive.';
  if (place.includes('\\')) return 'Write “/” between folders.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(place)) return 'The path has characters that no name should have.';
  const parts = place.split('/');
  if (parts.at(-1) === '') return 'This is a folder. Add the name of the file.';
  if (parts.some((part) => part === '')) return 'Two slashes in a row name no folder.';
  if (parts.some((part) => part === '..' || part === '.')) return 'The path must stay inside the repository, without “.” or “..”.';
  // As git does on file systems that do not tell capitals apart.
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'The folder .git belongs to git itself.';
  if (OF_GIT.has(parts.at(-1)?.toLowerCase() ?? '')) return 'A file of this name is read by git itself.';
  if (others.includes(place)) return 'Another of these files has the same place.';
  return null;
}
