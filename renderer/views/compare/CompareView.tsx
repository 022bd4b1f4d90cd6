import { GitCompareArrows } from 'lucide-react';
import { EmptyState } from '../../components/EmptyState';

export function CompareView() {
  return (
    <section aria-label="Compare" data-region>
      <EmptyState icon={<GitCompareArrows size={24} />} title="Nothing to compare" text="No two versions are chosen." />
    </section>
  );
}
