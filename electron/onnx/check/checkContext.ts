import type { OnnxModel, OnnxNode } from '../model/onnxModel';
import type { ScopeIndex, ScopeOwner } from '../scopes/scopeIndex';
import type { Finding } from './finding';

/** Where a finding is, besides its words: a graph or function, and perhaps a node of it. */
interface At {
  readonly owner: ScopeOwner;
  readonly node?: OnnxNode | null;
}

/** What every check is given. */
export interface CheckContext {
  readonly model: OnnxModel;
  readonly index: ScopeIndex;
  readonly error: (rule: Finding['rule'], text: string, at: At) => void;
  readonly warn: (rule: Finding['rule'], text: string, at: At) => void;
}

export function newContext(model: OnnxModel, index: ScopeIndex, findings: Finding[]): CheckContext {
  const add =
    (severity: Finding['severity']): CheckContext['error'] =>
    (rule, text, { owner, node = null }) =>
      findings.push({ severity, rule, text, owner: owner.path, node: node?.index ?? null });
  return { model, index, error: add('error'), warn: add('warning') };
}
