import { extname } from 'node:path';
import type { ValueSource } from '../../../shared/model/graphEdit';
import { addressed } from '../../onnx/edits/structuralAddress';
import { indexScopes } from '../../onnx/scopes/indexScopes';
import type { Session } from '../session';
import { applyEdit, type EditOptions } from './applyEdit';
import { type OnnxTarget, withModel } from './readTarget';

export interface SetOptions extends EditOptions {
  readonly scope: string;
  readonly constant: string | undefined;
  /** A checkpoint (file or REV:PATH) or an .npy file. */
  readonly from: string | undefined;
  readonly group: string | undefined;
  readonly allowChange: boolean;
  /** The initializer is a new one. */
  readonly add: boolean;
}

/** `theta onnx set`: another value for an initializer or a Constant, or with `add` a new initializer. */
export async function set(session: Session, names: { readonly target: string; readonly name: string }, options: SetOptions): Promise<number> {
  return withModel(session, names.target, async (opened) => {
    const value = await sourceOf(opened, names.name, options);
    const said = { graph: options.scope, name: names.name };
    const address = options.add ? said : addressed(indexScopes(opened.model), said);
    const edit = options.add
      ? ({ kind: 'add-initializer', address, value } as const)
      : ({ kind: 'set-value', address, value, allowChange: options.allowChange } as const);
    return applyEdit(session, opened, edit, options);
  });
}

async function sourceOf({ side }: OnnxTarget, name: string, { constant, from, group }: SetOptions): Promise<ValueSource> {
  if (constant !== undefined) return { kind: 'constant', text: constant };
  const target = from ?? '';
  const isArray = extname(target).toLowerCase() === '.npy';
  return { kind: 'side', side: await side(target), group: isArray ? null : (group ?? name) };
}
