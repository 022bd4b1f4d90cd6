import type { OnnxNode } from '../model/onnxModel';

/** torch.onnx's dynamo exporter writes the modules that a node came from into its metadata. */
const SCOPES = 'pkg.torch.onnx.name_scopes';

/**
 * The module that a node came from: `encoder.body.conv` of `/encoder/body/conv/Conv`; a second operator of the same kind keeps its number
 * (`attn.MatMul_1`). `null` when its name holds no path.
 */
export function modulePath(node: OnnxNode): string | null {
  const scopes = node.metadata.find(({ key }) => key === SCOPES)?.value;
  const scoped = scopes === undefined ? null : lastScope(scopes);
  if (scoped !== null) return scoped;
  const parts = node.name.split('/').filter((part) => part !== '');
  if (parts.length < 2) return null;
  const leaf = parts.at(-1) ?? '';
  const path = parts.slice(0, -1).join('.');
  return /_\d+$/.test(leaf) ? `${path}.${leaf}` : path;
}

/** The metadata is a Python list of paths, outermost first; the last entry is the node itself. */
function lastScope(text: string): string | null {
  const paths = [...text.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '');
  const module = paths.at(-2);
  return module === undefined || module === '' ? null : module;
}
