import { modulePath as modulesOf } from '../hierarchy/modulePath';
import type { OnnxNode } from '../model/onnxModel';

/**
 * The module that a node came from, as PyTorch would write it: `encoder.body.conv` of `/encoder/body/conv/Conv`; a second operator of the
 * same kind keeps its number (`attn.MatMul_1`). `null` when neither its name nor its metadata tells.
 */
export function modulePath(node: OnnxNode): string | null {
  const modules = modulesOf(node);
  if (modules === null || modules.length === 0) return null;
  const path = modules.join('.');
  const leaf = node.name.includes('/') ? (node.name.split('/').at(-1) ?? '') : '';
  return /_\d+$/.test(leaf) ? `${path}.${leaf}` : path;
}
