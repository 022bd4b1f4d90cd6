import { ChevronDown, ChevronRight, Pencil } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { formatBytes } from '../../../shared/base/formatBytes';
import type { GraphInitializer, TensorPlace } from '../../../shared/model/graph';
import { formatShape } from '../../../shared/model/shape';
import { CopyButton } from '../../components/CopyButton';
import { IconButton } from '../../components/IconButton';
import styles from './GraphPanel.module.css';

const PLACES: { readonly [P in TensorPlace]: string } = {
  raw: 'in the model, as bytes',
  typed: 'in the model, as numbers',
  external: 'in a file beside the model',
  sparse: 'in the model, sparse',
  constant: 'in a Constant operator',
};

interface TensorCardProps {
  readonly tensor: GraphInitializer;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly renderTensor: (group: string) => ReactNode;
  readonly onRename?: (() => void) | undefined;
}

/** An initializer: what it is, where it lies, what is wrong with it, and its values when it is opened. */
export function TensorCard({ tensor, isOpen, onToggle, renderTensor, onRename }: TensorCardProps) {
  const { name, type, shape, bytes, place, group, isInput, uses, usedInGraphs, problem } = tensor;
  const facts = [
    `${type} ${formatShape(shape)}`,
    formatBytes(bytes),
    PLACES[place],
    isInput ? 'default of an input' : '',
    uses === 0 ? 'not used' : uses > 1 ? `used ${uses} times` : '',
    usedInGraphs > 1 ? `in ${usedInGraphs} graphs` : '',
  ];
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'F2' || onRename === undefined) return;
    event.preventDefault();
    onRename();
  };
  return (
    <div className={styles.tensor}>
      <div className={styles.tensorName}>
        <button
          type="button"
          className={styles.port}
          aria-expanded={isOpen}
          title={group === null ? 'The checkpoint has no values for it' : isOpen ? 'Hide its values' : 'Show its values'}
          onClick={onToggle}
          onDoubleClick={onRename}
          onKeyDown={handleKey}
        >
          <bdi>{name === '' ? '(no name)' : name}</bdi>
          <span className={styles.quiet}>{facts.filter((fact) => fact !== '').join(' · ')}</span>
        </button>
        {onRename === undefined ? null : (
          <IconButton label={`Rename ${name}`} shortcut="F2" icon={<Pencil size={14} aria-hidden="true" />} onClick={onRename} />
        )}
        <CopyButton label={`Copy name of ${name}`} text={name} />
        {isOpen ? <ChevronDown size={14} aria-hidden="true" /> : <ChevronRight size={14} aria-hidden="true" />}
      </div>
      {problem === null ? null : <p className={styles.problem}>{problem}</p>}
      {!isOpen ? null : group === null ? (
        <p className={styles.quiet}>Its values cannot be read as a parameter group.</p>
      ) : (
        <div className={styles.values}>{renderTensor(group)}</div>
      )}
    </div>
  );
}
