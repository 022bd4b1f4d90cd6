/**
 * Whether text can name an entry of a tree: relative, `/` between components, none of them empty, `.` or `..`.
 * Anything else is not in any commit, and git would read some of it (`./x`, `../x`) relative to a folder.
 */
export function isRepositoryPath(path: string): boolean {
  if (path === '' || path.includes('\0')) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
