import { ArrowUp, House } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { IconButton } from '../../components/IconButton';
import { SkeletonRows } from '../../components/Skeleton';
import { TextField } from '../../components/TextField';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { FolderList } from './FolderList';
import styles from './FolderPicker.module.css';
import { useFolder } from './useFolder';

/** Stands in for the native dialog where the host has none: folders of the machine that serves the window. */
export function FolderPicker() {
  const { app } = useStores();
  const open = useStore(app, (state) => state.folderPickerOpen);
  if (!open) return null;
  return <Picker onClose={() => app.getState().openFolderPicker(false)} />;
}

function Picker({ onClose }: { readonly onClose: () => void }) {
  const { workspace } = useStores();
  const [showHidden, setShowHidden] = useState(false);
  const { folder, typed, setTyped, go } = useFolder(showHidden);
  const pathField = useRef<HTMLInputElement>(null);
  const listing = latest(folder);
  const files = listing?.entries.filter((entry) => entry.kind === 'file').length ?? 0;

  const open = (path: string) => {
    onClose();
    void workspace.getState().openRepository(path);
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
  // Typing a path and pressing Enter goes there; what is typed but not yet shown is what the button opens.
  const target = typed.trim() === '' ? (listing?.path ?? '') : typed.trim();

  return (
    <Dialog
      open
      onClose={onClose}
      title="Open a folder"
      description="Folders of the machine that serves this window. Choose a git repository, or any folder inside one."
      initialFocus={pathField}
      footer={
        <>
          <Checkbox label="Show hidden folders" checked={showHidden} onChange={setShowHidden} className={styles.hidden ?? ''} />
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={target === ''} onClick={() => open(target)}>
            Open this folder
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
            <FolderList folder={listing} onEnter={go} onOpen={open} onUp={goUp} />
          ) : folder.kind === 'failed' ? null : (
            <SkeletonRows count={8} label="Loading" />
          )}
        </div>
        <p role="status" className={styles.note}>
          {listing === undefined || folder.kind === 'failed' ? '' : noteOf(files, listing.omitted)}
        </p>
      </div>
    </Dialog>
  );
}

/** What the list leaves out. */
function noteOf(files: number, omitted: number): string {
  const parts: string[] = [];
  if (files > 0) parts.push(`${formatCount(files)} ${files === 1 ? 'file' : 'files'} not shown.`);
  if (omitted > 0) parts.push(`The folder has ${formatCount(omitted)} more entries: type the path to go there.`);
  return parts.join(' ');
}
