import { type FormEvent, useRef, useState } from 'react';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { TextArea } from '../../components/TextArea';
import { TextField } from '../../components/TextField';
import { latest } from '../../state/loadable';
import { refNameProblem } from '../../state/refNameProblem';
import type { NewRef } from '../../state/refsStore';
import { useStore, useStores } from '../../state/storesContext';
import { branchNames } from '../../state/trackForm';
import styles from './RefDialogs.module.css';

/** Name of a new branch or tag, and what goes with it. */
export function NewRefDialog({ dialog: { kind, commit } }: { readonly dialog: NewRef }) {
  const { refs, workspace } = useStores();
  const repository = useStore(workspace, (state) => latest(state.repository));
  const isRunning = useStore(refs, (state) => state.isRunning);
  const error = useStore(refs, (state) => state.error);
  const [name, setName] = useState('');
  const [wasTouched, setTouched] = useState(false);
  const [switchTo, setSwitchTo] = useState(repository?.bare === false);
  const [message, setMessage] = useState('');
  const field = useRef<HTMLInputElement>(null);
  if (repository === undefined) return null;
  const isBranch = kind === 'branch';
  const existing = isBranch ? branchNames(repository) : repository.refs.filter((ref) => ref.kind === 'tag').map((ref) => ref.name);
  const problem = refNameProblem(name, existing);
  const { close, createBranch, createTag } = refs.getState();
  const create = (event?: FormEvent) => {
    event?.preventDefault();
    if (problem !== null) setTouched(true);
    else void (isBranch ? createBranch(name, { switchTo }) : createTag(name, message));
  };
  const title = isBranch ? 'Create a branch' : 'Create a tag';
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      description={<Target commit={commit} />}
      size="small"
      keepOpen={isRunning}
      initialFocus={field}
      footer={
        <>
          <Button disabled={isRunning} onClick={close}>
            Cancel
          </Button>
          <Button look="primary" disabled={isRunning || problem !== null} onClick={() => create()}>
            {isBranch ? (switchTo ? 'Create and switch' : 'Create branch') : 'Create tag'}
          </Button>
        </>
      }
    >
      <form className={styles.content} onSubmit={create}>
        <TextField
          ref={field}
          label="Name"
          mono
          value={name}
          error={wasTouched ? problem : null}
          onChange={(text) => {
            // Git takes no spaces; who writes some means hyphens.
            setName(text.replace(/\s/g, '-'));
            setTouched(true);
          }}
        />
        {isBranch ? (
          repository.bare ? null : (
            <Checkbox label="Switch to it" checked={switchTo} onChange={setSwitchTo} />
          )
        ) : (
          <>
            <TextArea label="Message (optional)" rows={3} dir="auto" value={message} onChange={setMessage} />
            <p className={styles.note}>With a message the tag also keeps who made it and when.</p>
          </>
        )}
        {error === null ? null : <ErrorNotice title={isBranch ? 'The branch was not created' : 'The tag was not created'} error={error} />}
        {/* Enter in the text field submits only where the form has a submit button. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function Target({ commit }: { readonly commit: string }) {
  const { checkpoint } = useStores();
  const detail = useStore(checkpoint, (state) => latest(state.commit));
  return (
    <span>
      At <code title={commit}>{commit.slice(0, 8)}</code>
      {detail?.hash === commit && detail.title !== '' ? (
        <>
          , <bdi>{detail.title}</bdi>
        </>
      ) : null}
    </span>
  );
}
