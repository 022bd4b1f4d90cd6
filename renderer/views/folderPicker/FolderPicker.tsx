import { ArrowUp, House, Upload } from 'lucide-react';
import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { IconButton } from '../../components/IconButton';
import { SkeletonRows } from '../../components/Skeleton';
import { TextField } from '../../components/TextField';
import { latest } from '../../state/loadable';
import type { PickerRequest } from '../../state/pickerStore';
import { useStore, useStores } from '../../state/storesContext';
import { FolderList } from './FolderList';
import styles from './FolderPicker.module.css';
import { useFolder } from './useFolder';

/** Stands in for the native dialogs where the host has none: folders and files of the machine that serves the window. */
export function FolderPicker() {
  const { picker } = useStores();
  const request = useStore(picker, (state) => state.request);
  return request === null ? null : <Picker request={request} />;
}

function Picker({ request }: { readonly request: PickerRequest }) {
  const { picker } = useStores();
  const { settle } = picker.getState();
  const wantsFiles = request.kind === 'files';
  const [showHidden, setShowHidden] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { folder, typed, setTyped, go } = useFolder(showHidden);
  const pathField = useRef<HTMLInputElement>(null);
  const listing = latest(folder);
  // A typed path that is a file has chosen it.
  const named = wantsFiles && folder.kind === 'ready' ? folder.value.file : null;
  useEffect(() => {
    if (named !== null) settle({ paths: [named] });
  }, [named, settle]);

  const tick = (path: string) => {
    const next = new Set(request.several ? ticked : []);
    if (ticked.has(path)) next.delete(path);
    else next.add(path);
    setTicked(next);
  };
  const goUp = () => {
    if (listing?.parent != null) go(listing.parent);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey && event.key === 'ArrowUp') {
      event.preventDefault();
      goUp();
    }
  };
  // Typing a path and pressing Enter goes there; what is typed but not yet shown is what the button takes.
  const typedPath = typed.trim();
  const target = typedPath === '' ? (listing?.path ?? '') : typedPath;
  const isTypedFile = wantsFiles && typedPath !== '' && typedPath !== listing?.path;
  const paths = !wantsFiles ? [target] : ticked.size > 0 ? [...ticked] : isTypedFile ? [typedPath] : [];

  return (
    <Dialog
      open
      onClose={() => settle(null)}
      title={request.title}
      description={request.description}
      initialFocus={pathField}
      footer={
        <>
          <Checkbox label={wantsFiles ? 'Show hidden' : 'Show hidden folders'} checked={showHidden} onChange={setShowHidden} className={styles.hidden ?? ''} />
          {wantsFiles ? <FromThisComputer several={request.several} onFiles={(files) => settle({ files })} /> : null}
          <Button onClick={() => settle(null)}>Cancel</Button>
          <Button look="primary" disabled={paths.every((path) => path === '')} onClick={() => settle({ paths })}>
            {request.action}
            {ticked.size > 1 ? ` (${formatCount(ticked.size)})` : ''}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: one shortcut for everything inside */}
      <div className={styles.body} onKeyDown={onKeyDown}>
        <form
          className={styles.pathLine}
          onSubmit={(event) => {
            event.preventDefault();
            if (target !== '') go(target);
          }}
        >
          <IconButton
            label="Up to the parent folder"
            shortcut="Alt+ArrowUp"
            icon={<ArrowUp size={16} aria-hidden="true" />}
            disabled={listing?.parent == null}
            onClick={goUp}
          />
          <IconButton label="Home folder" icon={<House size={16} aria-hidden="true" />} onClick={() => go(null)} />
          <TextField label="Path" hideLabel mono value={typed} onChange={setTyped} className={styles.path ?? ''} ref={pathField} />
          <Button type="submit">Go</Button>
        </form>
        <div className={styles.list}>
          {folder.kind === 'failed' ? (
            <div className={styles.failure}>
              <ErrorNotice bare title="The folder could not be listed" error={folder.error} />
            </div>
          ) : null}
          {listing !== undefined ? (
            <FolderList
              folder={listing}
              wanted={request.kind}
              ticked={ticked}
              onEnter={go}
              onOpen={(path) => settle({ paths: wantsFiles && request.several ? [...new Set([...ticked, path])] : [path] })}
              onTick={tick}
              onUp={goUp}
            />
          ) : folder.kind === 'failed' ? null : (
            <SkeletonRows count={8} label="Loading" />
          )}
        </div>
        <p role="status" className={styles.note}>
          {listing === undefined || folder.kind === 'failed' ? '' : noteOf({ ...request, ...countOf(listing), ticked: ticked.size })}
        </p>
      </div>
    </Dialog>
  );
}

/** Files of the machine that the browser is on; they are sent to the host. */
function FromThisComputer({ several, onFiles }: { readonly several: boolean; readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    if (files.length > 0) onFiles(files);
  };
  return (
    <>
      <input ref={input} type="file" multiple={several} hidden aria-label="Files of this computer" onChange={take} />
      <Button
        icon={<Upload size={14} />}
        title="Files of the computer that this browser runs on; they are sent to the host"
        onClick={() => input.current?.click()}
      >
        From this computer…
      </Button>
    </>
  );
}

function countOf({ entries, omitted }: { readonly entries: readonly { readonly kind: string }[]; readonly omitted: number }) {
  return { files: entries.filter((entry) => entry.kind === 'file').length, omitted };
}

/** What the list leaves out, and what is ticked. */
function noteOf(facts: { readonly kind: PickerRequest['kind']; readonly files: number; readonly omitted: number; readonly ticked: number }): string {
  const parts: string[] = [];
  const count = (value: number) => `${formatCount(value)} ${value === 1 ? 'file' : 'files'}`;
  if (facts.ticked > 0) parts.push(`${count(facts.ticked)} chosen.`);
  if (facts.kind !== 'files' && facts.files > 0) parts.push(`${count(facts.files)} not shown.`);
  if (facts.omitted > 0) parts.push(`The folder has ${formatCount(facts.omitted)} more entries: type the path to go there.`);
  return parts.join(' ');
}
