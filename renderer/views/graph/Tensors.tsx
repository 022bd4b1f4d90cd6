import { useState } from 'react';
import { PanelSection } from './PanelParts';
import type { PanelProps } from './panelProps';
import { TensorCard } from './TensorCard';

interface TensorsProps extends PanelProps {
  readonly initializers: readonly number[];
}

/** Values up to this size are read as soon as their operator is chosen. */
const READ_AT_ONCE = 16e6;

/** Initializers of an operator; the values of one at a time are shown. */
export function Tensors({ view, initializers, renderTensor, onRename }: TensorsProps) {
  const [open, setOpen] = useState<number | null>(() => {
    const [first] = initializers;
    const tensor = view.initializers[first ?? -1];
    return first !== undefined && tensor !== undefined && tensor.group !== null && tensor.bytes <= READ_AT_ONCE ? first : null;
  });
  if (initializers.length === 0) return null;
  return (
    <PanelSection title="Initializers" count={String(initializers.length)}>
      {initializers.map((index) => {
        const tensor = view.initializers[index];
        if (tensor === undefined) return null;
        return (
          <TensorCard
            key={index}
            tensor={tensor}
            isOpen={open === index}
            onToggle={() => setOpen(open === index ? null : index)}
            renderTensor={renderTensor}
            onRename={onRename === undefined ? undefined : () => onRename(index)}
          />
        );
      })}
    </PanelSection>
  );
}
