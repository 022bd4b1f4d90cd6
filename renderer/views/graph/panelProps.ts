import type { ReactNode } from 'react';
import type { GraphView } from '../../../shared/model/graph';

/** What the panels about parts of a graph are given. */
export interface PanelProps {
  readonly view: GraphView;
  /** Statistics, histogram and heat map of a parameter group at the selected version. */
  readonly renderTensor: (group: string) => ReactNode;
  /** Asks for another name of an initializer. */
  readonly onRename?: (initializer: number) => void;
}
