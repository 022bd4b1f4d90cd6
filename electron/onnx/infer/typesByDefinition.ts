import type { OnnxModel, OnnxValueType } from '../model/onnxModel';
import type { Definition } from '../scopes/scopeIndex';
import { collectScopes } from '../view/collectScopes';
import { collectValues } from '../view/collectValues';
import { inferTypes, type SmallTensors } from './inferTypes';

/** What is known of a value's type, declared or inferred: the same that a window shows on its edges. `null` when nothing is. */
export function typesByDefinition(model: OnnxModel, small: SmallTensors): (definition: Definition) => OnnxValueType | null {
  const scopes = collectScopes(model);
  const wiring = collectValues(scopes);
  const { types } = inferTypes(model, scopes, { wiring, small });
  const values = new Map(scopes.map(({ scope }, index) => [scope.path, wiring.byName[index]]));
  return ({ owner, name }) => {
    const type = types[values.get(owner.path)?.get(name) ?? -1];
    return type === undefined || type === null ? null : { kind: 'tensor', elementType: type.element, dims: type.dims };
  };
}
