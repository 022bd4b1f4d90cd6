import type { HTMLAttributes } from 'react';
import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import { formatShape } from '../../shared/model/shape';
import { classNames } from './classNames';
import { gridCell, gridHeader } from './gridRoles';
import styles from './ParameterCells.module.css';

/** Classes that the grid around gives its columns: their widths, their colours, and which are left out where it is narrow. */
export interface ParameterColumns {
  readonly [column: string]: string;
}

interface ParameterHeadsProps {
  readonly columns: ParameterColumns;
  readonly name: string;
  /** What "Change" compares with. */
  readonly changeTitle?: string;
}

/** Heads of what lists of parameter groups say of each, up to its size. */
export function ParameterHeads({ columns, name, changeTitle }: ParameterHeadsProps) {
  return (
    <>
      <div {...gridHeader} className={classNames(styles.name, columns.name)}>
        {name}
      </div>
      <div {...gridHeader} className={columns.change} title={changeTitle}>
        Change
      </div>
      <div {...gridHeader} className={columns.update} title="How the group is stored">
        Update
      </div>
      <div {...gridHeader} className={classNames(styles.dtype, columns.dtype)}>
        Type
      </div>
      <div {...gridHeader} className={classNames(styles.shape, columns.shape)}>
        Shape
      </div>
      <SizeHead className={columns.size} title="Bytes of the whole tensor">
        Size
      </SizeHead>
    </>
  );
}

export function SizeHead({ className, ...others }: HTMLAttributes<HTMLDivElement>) {
  return <div {...others} {...gridHeader} className={classNames(styles.size, className)} />;
}

export function NameCell({ className, ...others }: HTMLAttributes<HTMLDivElement>) {
  return <div {...others} {...gridCell} className={classNames(styles.name, className)} />;
}

export function SizeCell({ className, ...others }: HTMLAttributes<HTMLDivElement>) {
  return <div {...others} {...gridCell} className={classNames(styles.size, styles.value, className)} />;
}

interface TensorCellsProps {
  readonly columns: ParameterColumns;
  readonly group: { readonly dtype: string; readonly shape: readonly number[]; readonly bytes: number };
}

/** Type, shape and size of a parameter group. */
export function TensorCells({ columns, group }: TensorCellsProps) {
  return (
    <>
      <div {...gridCell} className={classNames(styles.dtype, styles.value, columns.dtype)}>
        {group.dtype}
      </div>
      <div {...gridCell} className={classNames(styles.shape, styles.value, columns.shape)} title={formatShape(group.shape)}>
        {formatShape(group.shape)}
      </div>
      <SizeCell className={columns.size} title={`${formatCount(group.bytes)} bytes`}>
        {formatBytes(group.bytes)}
      </SizeCell>
    </>
  );
}
