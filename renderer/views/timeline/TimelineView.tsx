import { Grid3x3 } from 'lucide-react';
import { EmptyState } from '../../components/EmptyState';
import { useStore, useStores } from '../../state/storesContext';

interface TimelineViewProps {
  /** Enter on a cell: on to the group's detail. */
  readonly onOpenGroup: () => void;
}

/** The parameter groups of the chosen checkpoint over all its versions. */
export function TimelineView(_: TimelineViewProps) {
  const { workspace } = useStores();
  const path = useStore(workspace, (state) => state.path);
  return (
    <section aria-label="Parameters" data-region>
      <EmptyState icon={<Grid3x3 size={24} />} title={path === null ? 'No checkpoint chosen' : 'No versions'} text="Choose a checkpoint in the sidebar." />
    </section>
  );
}
