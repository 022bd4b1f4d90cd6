import type { OnnxModel } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { ScopeIndex } from '../scopes/scopeIndex';
import { newContext } from './checkContext';
import { checkDefinitions } from './checkDefinitions';
import { checkFunctions } from './checkFunctions';
import { checkInitializers } from './checkInitializers';
import { checkNodes } from './checkNodes';
import { checkOpsets } from './checkOpsets';
import { checkSparse } from './checkSparse';
import { checkTensors } from './checkTensors';
import { checkTraining } from './checkTraining';
import { checkUses } from './checkUses';
import { checkVersions } from './checkVersions';
import type { Finding } from './finding';

/**
 * What is wrong with a model by https://github.com/onnx/onnx/blob/main/docs/IR.md and the comments of onnx.proto, errors first. Payloads and
 * files of external data are not read; whether operators get what they need is not checked.
 */
export function checkModel(model: OnnxModel, index: ScopeIndex = indexScopes(model)): readonly Finding[] {
  const findings: Finding[] = [];
  const context = newContext(model, index, findings);
  for (const check of [
    checkDefinitions,
    checkUses,
    checkInitializers,
    checkTensors,
    checkSparse,
    checkNodes,
    checkOpsets,
    checkFunctions,
    checkTraining,
    checkVersions,
  ]) {
    check(context);
  }
  return [...findings.filter(({ severity }) => severity === 'error'), ...findings.filter(({ severity }) => severity === 'warning')];
}
