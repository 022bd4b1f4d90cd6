import { Cloud, GitBranch, Tag } from 'lucide-react';
import type { HeadInfo, RefInfo } from '../../../shared/model/commit';
import { classNames } from '../../components/classNames';
import styles from './RefLabels.module.css';

const MOST_LABELS = 3;

interface RefLabelsProps {
  readonly refs: readonly RefInfo[];
  readonly head: HeadInfo;
  /** HEAD stands at this commit. */
  readonly isHead: boolean;
}

/** Branches, remote branches and tags that end at a commit: an icon for the kind, HEAD in words. */
export function RefLabels({ refs, head, isHead }: RefLabelsProps) {
  const hidden = refs.slice(MOST_LABELS);
  return (
    <>
      {isHead && head.kind === 'detached' ? <span className={classNames(styles.label, styles.head)}>HEAD</span> : null}
      {refs.slice(0, MOST_LABELS).map((ref) => {
        const isCurrent = isHead && head.kind === 'branch' && ref.kind === 'branch' && head.name === ref.name;
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
        <span className={styles.label} title={hidden.map((ref) => titleOf(ref, false)).join('\n')}>
          +{hidden.length}
          <span className="visually-hidden"> more: {hidden.map((ref) => ref.name).join(', ')}</span>
        </span>
      )}
    </>
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
