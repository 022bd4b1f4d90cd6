import type { NodeDetail } from '../../../shared/model/graph';
import { ARRAY_OPERATORS } from './arrayOperators';
import { MATH_OPERATORS } from './mathOperators';
import { NETWORK_OPERATORS } from './networkOperators';
import type { OperatorRow } from './operatorRow';
import { OTHER_OPERATORS } from './otherOperators';

const BY_DOMAIN = new Map<string, Map<string, OperatorRow>>();
for (const row of [...MATH_OPERATORS, ...NETWORK_OPERATORS, ...ARRAY_OPERATORS, ...OTHER_OPERATORS]) {
  // `com.microsoft.Gelu` is in the domain `com.microsoft`.
  const dot = row[0].lastIndexOf('.');
  const domain = row[0].slice(0, Math.max(0, dot));
  const rows = BY_DOMAIN.get(domain) ?? new Map<string, OperatorRow>();
  BY_DOMAIN.set(domain, rows.set(row[0].slice(dot + 1), row));
}

/** What is known of an operator by its domain (`''` for ONNX's own) and name; `null` for one that this program does not know. */
export function documentationOf(domain: string, op: string): NonNullable<NodeDetail['documentation']> | null {
  const row = BY_DOMAIN.get(domain)?.get(op);
  if (row === undefined) return null;
  const [, since, inputs, outputs, summary] = row;
  const names = (text: string) => (text === '' ? [] : text.split(' '));
  return { summary, inputs: names(inputs), outputs: names(outputs), since };
}
