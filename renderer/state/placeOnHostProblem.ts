/** What is wrong with a path of a file on the host's machine, as far as that can be told without the host; `null`: nothing, or nothing written yet. */
export function placeOnHostProblem(path: string): string | null {
  const trimmed = path.trim();
  if (trimmed === '') return null;
  if (/[\\/]$/.test(trimmed)) return 'This is a folder. Add the name of the file.';
  if (!/^(?:[\\/]|[A-Za-z]:[\\/])/.test(trimmed)) return 'The path must be complete, from the root of the file system.';
  return null;
}
