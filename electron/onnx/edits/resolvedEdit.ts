import type { GraphEdit, ValueAddress } from '../../../shared/model/graphEdit';
import type { ModelRef } from '../model/modelRef';
import type { NewTensor } from '../values/newTensor';

/** A new value whose bytes are at hand, or a constant that takes the type and shape of what it replaces. */
export type ResolvedValue = { readonly kind: 'constant'; readonly text: string } | { readonly kind: 'tensor'; readonly tensor: NewTensor };

/** A GraphEdit in which everything that lies in other files has been found. */
export type ResolvedEdit =
  | Exclude<GraphEdit, { readonly kind: 'set-value' | 'add-initializer' | 'splice' }>
  | { readonly kind: 'set-value'; readonly address: ValueAddress; readonly value: ResolvedValue; readonly allowChange: boolean }
  | { readonly kind: 'add-initializer'; readonly address: ValueAddress; readonly value: ResolvedValue }
  | (Omit<Extract<GraphEdit, { readonly kind: 'splice' }>, 'from'> & { readonly from: ModelRef });
