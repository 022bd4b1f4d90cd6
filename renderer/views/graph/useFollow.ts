import { useMemo } from 'react';
import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import { ValueReaders } from '../../charts/graphScene';
import { useStores } from '../../state/storesContext';

/** Goes to the other end of a value: to what makes it (`isSource`), else to the first operator that reads it. */
export function useFollow(view: GraphView): (value: number, isSource: boolean) => void {
  const { graph } = useStores();
  const readers = useMemo(() => new ValueReaders(view), [view]);
  return (value, isSource) => {
    const { goTo } = graph.getState();
    const producer = view.values.producer[value] ?? NO_VALUE;
    const [reader] = readers.of(value);
    if (isSource && producer !== NO_VALUE) goTo({ kind: 'node', ref: producer });
    else if (isSource || reader === undefined) goTo({ kind: 'value', ref: value });
    else goTo({ kind: 'node', ref: reader });
  };
}
