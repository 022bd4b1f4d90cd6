import { Command } from 'cmdk';
import { Box, ChevronRight, Cloud, GitBranch, Grid2x2, Search, Tag } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { Dialog } from '../../components/Dialog';
import { Kbd } from '../../components/Kbd';
import { chooseCommit } from '../../state/chooseCommit';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './CommandPalette.module.css';
import { type PaletteEntry, paletteSections } from './paletteEntries';

/** Everything by its name: commands, checkpoints, branches, tags and the parameter groups of the version shown. */
export function CommandPalette() {
  const { app } = useStores();
  const open = useStore(app, (state) => state.paletteOpen);
  return (
    <Dialog open={open} onClose={() => app.getState().openPalette(false)} title="Search or run a command" hideTitle high>
      <Palette />
    </Dialog>
  );
}

function Palette() {
  const stores = useStores();
  const [query, setQuery] = useState('');
  const asked = useDeferredValue(query);
  const commands = useStore(stores.commands, (state) => state.commands);
  const repository = useStore(stores.workspace, (state) => latest(state.repository));
  const shown = useStore(stores.checkpoint, (state) => latest(state.checkpoint));
  const sections = useMemo(
    () => paletteSections({ commands, repository, groups: shown?.checkpoint.groups ?? [] }, asked),
    [commands, repository, shown, asked],
  );

  // Kept by us: cmdk loses its own selection when several entries leave the list at once, and Enter would then do nothing.
  const [picked, setPicked] = useState({ asked: '', id: '' });
  const entries = sections.flatMap((section) => section.entries);
  const selected = (picked.asked === asked ? entries.find(({ id }) => id === picked.id) : undefined) ?? entries[0];

  const choose = ({ target }: PaletteEntry) => {
    const { workspace } = stores;
    stores.app.getState().openPalette(false);
    switch (target.kind) {
      case 'command':
        // After the dialog has given the focus back: the command may want to put it somewhere else.
        setTimeout(() => stores.commands.getState().run(target.id));
        break;
      case 'checkpoint':
        workspace.getState().choosePath(target.path);
        break;
      case 'commit':
        chooseCommit(stores, target.commit);
        break;
      case 'group':
        workspace.getState().selectGroup(target.name);
        break;
    }
  };

  return (
    <Command
      label="Search or run a command"
      shouldFilter={false}
      loop
      value={selected?.id ?? ''}
      onValueChange={(id) => setPicked({ asked, id })}
      className={styles.palette}
    >
      <div className={styles.inputLine}>
        <Search size={16} aria-hidden="true" className={styles.icon} />
        <Command.Input
          value={query}
          onValueChange={setQuery}
          className={styles.input}
          placeholder={repository === undefined ? 'Search commands' : 'Search commands, checkpoints, branches, tags, parameter groups'}
        />
      </div>
      <Command.List className={styles.list} label="Results">
        <Command.Empty className={styles.empty}>Nothing matches “{asked}”.</Command.Empty>
        {sections.map(({ title, entries }) => (
          <Command.Group key={title} heading={title} className={styles.group}>
            {entries.map((entry) => (
              <Command.Item key={entry.id} value={entry.id} onSelect={() => choose(entry)} className={styles.item}>
                <span className={styles.icon} aria-hidden="true">
                  {iconOf(entry)}
                </span>
                <bdi className={styles.text} title={entry.text}>
                  {entry.text}
                </bdi>
                {entry.note === undefined ? null : <span className={styles.note}>{entry.note}</span>}
                {entry.shortcut === undefined ? null : <Kbd shortcut={entry.shortcut} />}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

function iconOf({ target }: PaletteEntry): ReactNode {
  switch (target.kind) {
    case 'command':
      return <ChevronRight size={14} />;
    case 'checkpoint':
      return <Box size={14} />;
    case 'group':
      return <Grid2x2 size={14} />;
    case 'commit':
      return target.of === 'tag' ? <Tag size={14} /> : target.of === 'branch' ? <GitBranch size={14} /> : <Cloud size={14} />;
  }
}
