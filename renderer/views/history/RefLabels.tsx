import { Cloud, GitBranch, Tag } from 'lucide-react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { HeadInfo, RefInfo } from '../../../shared/model/commit';
import { classNames } from '../../components/classNames';
import styles from './RefLabels.module.css';
import { isCurrentBranch, refsInRow } from './refsInRow';

interface RefLabelsProps {
  readonly refs: readonly RefInfo[];
  readonly head: HeadInfo;
  /** HEAD stands at this commit. */
  readonly isHead: boolean;
}

/** Branches, remote branches and tags that end at a commit: an icon for the kind, HEAD in words. */
export function RefLabels({ refs, head, isHead }: RefLabelsProps) {
  if (refs.length === 0 && !(isHead && head.kind === 'detached')) return null;
  const { shown, hidden, untold } = refsInRow(refs, head);
  const more = untold === 0 ? [] : [`and ${formatCount(untold)} more`];
  return (
    <span className={styles.labels}>
      {isHead && head.kind === 'detached' ? <span className={classNames(styles.label, styles.head, styles.more)}>HEAD</span> : null}
      {shown.map((ref) => {
        const isCurrent = isHead && isCurrentBranch(ref, head);
        return (
          <span
            key={`${ref.kind} ${ref.name}`}
            className={classNames(styles.label, styles[ref.kind], isCurrent && styles.head)}
            title={titleOf(ref, isCurrent)}
          >
            <Icon kind={ref.kind} />
            <span className="visually-hidden">{WORDS[ref.kind]} </span>
            <bdi className={styles.name}>{ref.name}</bdi>
            {isCurrent ? <span className={styles.headWord}>HEAD</span> : null}
          </span>
        );
      })}
      {hidden.length === 0 ? null : (
        <span className={classNames(styles.label, styles.more)} title={[...hidden.map((ref) => titleOf(ref, false)), ...more].join('\n')}>
          +{formatCount(hidden.length + untold)}
          <span className="visually-hidden"> more: {[...hidden.map((ref) => ref.name), ...more].join(', ')}</span>
        </span>
      )}
    </span>
  );
}

const WORDS: { readonly [K in RefInfo['kind']]: string } = { branch: 'Branch', 'remote-branch': 'Remote branch', tag: 'Tag' };

function titleOf(ref: RefInfo, isCurrent: boolean): string {
  return `${WORDS[ref.kind]} ${ref.name}${isCurrent ? ', where HEAD is' : ''}`;
}

function Icon({ kind }: { readonly kind: RefInfo['kind'] }) {
  const props = { size: 11, 'aria-hidden': true, className: styles.icon ?? '' } as const;
  switch (kind) {
    case 'branch':
      return <GitBranch {...props} />;
    case 'remote-branch':
      return <Cloud {...props} />;
    case 'tag':
      return <Tag {...props} />;
  }
}
