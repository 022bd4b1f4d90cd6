import { useEffect, useId, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { Button } from '../../components/Button';
import { TextArea } from '../../components/TextArea';
import { TextField } from '../../components/TextField';
import { refNameProblem } from '../../state/refNameProblem';
import { useStore, useStores } from '../../state/storesContext';
import { branchNames } from '../../state/trackForm';
import type { WorktreeStatus } from '../../state/worktreeStore';
import styles from './TrackForm.module.css';

interface CommitChoicesFormProps {
  readonly repository: RepositoryDescription;
  /** `undefined` while it is read. */
  readonly status: WorktreeStatus | undefined;
}

/** Message, author and branch of the commit. */
export function CommitChoicesForm({ repository, status }: CommitChoicesFormProps) {
  const { track } = useStores();
  const message = useStore(track, (state) => state.message);
  const field = useRef<HTMLTextAreaElement>(null);
  // The cursor begins in the message, behind what is proposed.
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  return (
    <>
      <TextArea ref={field} label="Message" rows={3} dir="auto" value={message} onChange={track.getState().setMessage} />
      <Author status={status} />
      <Branch repository={repository} />
      {status === undefined || status.otherStaged === 0 ? null : (
        <p className={styles.note}>
          {formatCount(status.otherStaged)} staged {status.otherStaged === 1 ? 'change' : 'changes'} of other files{' '}
          {status.otherStaged === 1 ? 'stays' : 'stay'} staged and {status.otherStaged === 1 ? 'is' : 'are'} not part of this commit.
        </p>
      )}
    </>
  );
}

function Author({ status }: { readonly status: WorktreeStatus | undefined }) {
  const { track } = useStores();
  const author = useStore(track, (state) => state.author);
  const { setAuthor } = track.getState();
  if (status === undefined) return null;
  const { identity } = status;
  if (identity !== null && author === null) {
    return (
      <div className={styles.author}>
        <span className={styles.authorText}>
          As <bdi>{identity.name}</bdi> <bdi className={styles.email}>&lt;{identity.email}&gt;</bdi>
        </span>
        <Button look="quiet" onClick={() => setAuthor(identity)}>
          Change author
        </Button>
      </div>
    );
  }
  const shown = author ?? { name: '', email: '' };
  return (
    <fieldset className={styles.group}>
      <legend>Author</legend>
      {identity === null ? <p className={styles.note}>Git does not know who you are here (user.name, user.email). This holds for this commit only.</p> : null}
      <div className={styles.pair}>
        <TextField label="Name" autoComplete="name" value={shown.name} onChange={(name) => setAuthor({ ...shown, name })} />
        <TextField label="Email" type="email" autoComplete="email" value={shown.email} onChange={(email) => setAuthor({ ...shown, email })} />
      </div>
    </fieldset>
  );
}

function Branch({ repository }: { readonly repository: RepositoryDescription }) {
  const { track } = useStores();
  const newBranch = useStore(track, (state) => state.newBranch);
  const { setNewBranch } = track.getState();
  const [typed, setTyped] = useState('');
  const [wasTouched, setTouched] = useState(false);
  const name = useId();
  const { head } = repository;
  const problem = newBranch === null ? null : refNameProblem(newBranch, branchNames(repository));
  const type = (text: string) => {
    // Git takes no spaces; who writes some means hyphens.
    const spelled = text.replace(/\s/g, '-');
    setTyped(spelled);
    setTouched(true);
    setNewBranch(spelled);
  };
  return (
    <fieldset className={styles.group}>
      <legend>Branch</legend>
      <label className={styles.radio}>
        <input type="radio" name={name} checked={newBranch === null} onChange={() => setNewBranch(null)} />
        {head.kind === 'detached' ? (
          <span>
            No branch: HEAD is detached at <code>{head.commit.slice(0, 8)}</code>, and only the hash will lead to the commit
          </span>
        ) : (
          <span>
            On <bdi>{head.name}</bdi>
            {head.kind === 'unborn' ? ', as its first commit' : ''}
          </span>
        )}
      </label>
      <label className={styles.radio}>
        <input type="radio" name={name} checked={newBranch !== null} onChange={() => setNewBranch(typed)} />
        On a new branch
      </label>
      {newBranch === null ? null : (
        <TextField
          label="Name of the new branch"
          hideLabel
          mono
          autoFocus
          value={newBranch}
          onChange={type}
          error={wasTouched ? problem : null}
          placeholder="name of the new branch"
        />
      )}
    </fieldset>
  );
}
