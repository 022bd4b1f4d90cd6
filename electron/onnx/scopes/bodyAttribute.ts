/** The attribute that holds a body, from the body's path (`GraphScope.path`): `then_branch` of `#3.body/#12.then_branch`. */
export function bodyAttribute(path: string): string {
  return path.slice(path.indexOf('.', path.lastIndexOf('#')) + 1);
}
