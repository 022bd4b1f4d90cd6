import type { ReactNode } from 'react';
import { Section } from '../../components/Section';
import { useStore, useStores } from '../../state/storesContext';

interface FoldingSectionProps {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}

/** A section of the sidebar that stays as it was left. */
export function FoldingSection({ id, title, count, children }: FoldingSectionProps) {
  const { settings } = useStores();
  const key = `sidebar.closed.${id}`;
  const closed = useStore(settings, (state) => state.values[key] === true);
  return (
    <Section title={title} count={count} open={!closed} onOpenChange={(open) => settings.getState().setValue(key, !open)}>
      {children}
    </Section>
  );
}
