/**
 * One operator: name, operator set that it came with, inputs, outputs, what it does. Names of inputs and outputs, separated by blanks, are
 * those of the operator's specification; `?` marks an optional one, `*` one that may occur many times.
 */
export type OperatorRow = readonly [name: string, since: number, inputs: string, outputs: string, summary: string];
