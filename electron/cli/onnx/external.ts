import type { Session } from '../session';
import { applyEdit, type EditOptions } from './applyEdit';
import { withModel } from './readTarget';

export interface ExternalOptions extends EditOptions {
  /** Name of the new file beside the model; `undefined`: all values go into the model. */
  readonly file: string | undefined;
  readonly atLeast: number;
}

/** `theta onnx external`: values into a file beside the model, or back into it. */
export async function external(session: Session, target: string, options: ExternalOptions): Promise<number> {
  const { file, atLeast } = options;
  return withModel(session, target, (opened) =>
    applyEdit(session, opened, file === undefined ? { kind: 'inline' } : { kind: 'externalise', file, atLeast }, options),
  );
}
