import { useStore, useStores } from '../../state/storesContext';
import { NewRefDialog } from './NewRefDialog';
import { RefusedSwitch } from './RefusedSwitch';

/** Dialogs about branches and tags: the one to make them, and why a switch was refused. */
export function RefDialogs() {
  const { refs } = useStores();
  const dialog = useStore(refs, (state) => state.dialog);
  const refused = useStore(refs, (state) => state.refusedSwitch);
  if (dialog !== null) return <NewRefDialog key={dialog.kind} dialog={dialog} />;
  return refused === null ? null : <RefusedSwitch {...refused} />;
}
