import type { MetadataProp } from '../model/onnxModel';

/** What a place in the hierarchy is read from. */
export interface NamedNode {
  readonly name: string;
  readonly op: string;
  readonly metadata: readonly MetadataProp[];
}

/** Deeper levels of a path are not told apart: no model has them, and a hostile name has ten thousand. */
export const MAX_DEPTH = 32;

/**
 * Modules around a node, outermost first; `null` when neither its metadata nor its name tells. In this order:
 * `pkg.torch.onnx.name_scopes` and `namespace` as PyTorch's exporter writes them (torch/onnx/_internal/exporter/_core.py); names with
 * slashes, `/encoder/body/conv/Conv`, as torch.onnx and tf2onnx give them; names with dots, `encoder.body.conv`. The last part is the node's own.
 */
export function modulePath({ name, op, metadata }: NamedNode): readonly string[] | null {
  return pathFromMetadata(metadata) ?? pathFromName(name, op);
}

/**
 * `modulePath` for the nodes of one graph: those of one module have one array as their path, which is read from the first of their names.
 */
export function modulePaths(): (node: NamedNode) => readonly string[] | null {
  const known = new Map<string, readonly string[]>();
  let prefix = '';
  let path: readonly string[] = [];
  return (node) => {
    const { name, metadata } = node;
    const slash = name.lastIndexOf('/');
    // What comes before the last slash decides, unless nothing follows it.
    if (slash < 1 || slash === name.length - 1 || metadata.length > 0 || name.includes('::')) return modulePath(node);
    if (slash === prefix.length && name.startsWith(prefix)) return path;
    const before = name.slice(0, slash);
    const found = known.get(before) ?? modulePath(node);
    if (found === null) return null;
    known.set(before, found);
    prefix = before;
    path = found;
    return found;
  };
}

function pathFromMetadata(metadata: readonly MetadataProp[]): readonly string[] | null {
  const scopes = metadata.find(({ key }) => key === 'pkg.torch.onnx.name_scopes')?.value;
  if (scopes !== undefined) {
    const names = pythonTexts(scopes);
    // The last one is the operation itself; each of the others is a whole dotted path.
    const module = names.length >= 2 ? names.at(-2) : undefined;
    if (module !== undefined) return split(module, '.');
  }
  const namespace = metadata.find(({ key }) => key === 'namespace' || key === 'pkg.torch.onnx.namespace')?.value;
  if (namespace === undefined) return null;
  // `: Model/encoder: Encoder/encoder.conv: torch.nn.Conv2d/convolution: aten.convolution.default`
  const parts = namespace.split('/', 4 * MAX_DEPTH);
  const module = parts.at(-2)?.split(':', 1)[0]?.trim();
  return module === undefined ? null : split(module, '.');
}

/** The texts of a list as Python prints it: `['', 'encoder', "it's"]`. */
function pythonTexts(text: string): string[] {
  const texts: string[] = [];
  for (const match of text.slice(0, 65_536).matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g))
    texts.push((match[1] ?? match[2] ?? '').replace(/\\(.)/g, '$1'));
  return texts;
}

export function pathFromName(name: string, op: string): readonly string[] | null {
  // `onnx::Conv_32` is a number, not a place.
  if (name === '' || name.includes('::')) return null;
  if (name.includes('/')) {
    const path = split(name, '/').slice(0, -1);
    return path.length > 0 || name.startsWith('/') ? path : null;
  }
  const path = split(name, '.');
  // `p2o.Conv.12` counts the operators of a kind: no place either.
  if (path.length < 2 || path.includes(op) || /^\d+$/.test(path.at(-1) ?? '')) return null;
  return path.slice(0, -1);
}

/** Non-empty parts, one more than the deepest level at most. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at <= text.length && parts.length <= MAX_DEPTH; ) {
    const next = text.indexOf(separator, at);
    const end = next < 0 ? text.length : next;
    if (end > at) parts.push(text.slice(at, end));
    at = end + 1;
  }
  return parts;
}

/**
 * Modules around a node without a telling name: those that the names of its initializers (`encoder.conv.weight`) or of its outputs
 * (`/encoder/conv/Conv_output_0`) have; `null` when they have none.
 */
export function pathFromValues(initializers: readonly string[], outputs: readonly string[]): readonly string[] | null {
  for (const name of initializers) {
    if (name.includes('::')) continue;
    const parts = split(name, name.includes('/') ? '/' : '.');
    // `p2o.helper.constant.3` is the third of a kind, not a place.
    if (parts.length > 1 && !/^\d+$/.test(parts.at(-1) ?? '')) return parts.slice(0, -1);
  }
  for (const name of outputs) {
    if (name.includes('::') || !name.includes('/')) continue;
    const path = split(name, '/').slice(0, -1);
    if (path.length > 0) return path;
  }
  return null;
}

/** What two paths have in common at their beginning. */
export function commonPath(a: readonly string[], b: readonly string[]): readonly string[] {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return a.slice(0, same);
}
