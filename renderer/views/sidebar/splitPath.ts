/** `models/base/model.pt` as `models/base/` and `model.pt`, so that a narrow pane cuts off the folders first. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, at), name: path.slice(at) };
}
