import { ChevronDown, FilePlus2, FolderGit2, FolderOpen, GitBranch, Monitor, Moon, PanelLeft, RefreshCw, Search, Sun, X } from 'lucide-react';
import type { RepositoryDescription } from '../../shared/contract/requests';
import { AppMark } from '../components/AppMark';
import { IconButton } from '../components/IconButton';
import { Kbd } from '../components/Kbd';
import { Menu, type MenuItem } from '../components/Menu';
import { Tooltip } from '../components/Tooltip';
import { latest } from '../state/loadable';
import type { Theme } from '../state/settingsStore';
import { useStore, useStores } from '../state/storesContext';
import { ConnectionMark } from '../views/connection/ConnectionMark';
import styles from './Toolbar.module.css';
import { ViewSwitch } from './ViewSwitch';

export function Toolbar() {
  const { workspace, commands } = useStores();
  const repository = useStore(workspace, (state) => latest(state.repository));
  const opening = useStore(workspace, (state) => state.opening);
  return (
    <header className={styles.bar} data-region="toolbar">
      <span className={styles.mark}>
        <AppMark size={20} />
      </span>
      {repository === undefined ? <span className={styles.name}>Theta Desktop</span> : <RepositoryMenu repository={repository} />}
      {repository === undefined ? null : <HeadMark repository={repository} />}
      <span role="status" className={styles.status}>
        {opening !== null && repository !== undefined ? 'Opening…' : ''}
      </span>
      {repository === undefined ? null : <ViewSwitch />}
      <span className={styles.space} />
      <ConnectionMark />
      <button type="button" className={styles.search} data-region-start onClick={() => commands.getState().run('palette.open')}>
        <Search size={14} aria-hidden="true" />
        <span className={styles.searchText}>Search or run a command</span>
        <span aria-hidden="true">
          <Kbd shortcut="Mod+K" />
        </span>
      </button>
      {repository === undefined || repository.bare ? null : (
        <IconButton
          label="Track checkpoints…"
          shortcut="Mod+I"
          icon={<FilePlus2 size={16} aria-hidden="true" />}
          onClick={() => commands.getState().run('track.open')}
        />
      )}
      {repository === undefined ? null : (
        <IconButton
          label="Show or hide the sidebar"
          shortcut="Mod+B"
          icon={<PanelLeft size={16} aria-hidden="true" />}
          onClick={() => commands.getState().run('sidebar.toggle')}
        />
      )}
      <ThemeMenu />
    </header>
  );
}

function RepositoryMenu({ repository }: { readonly repository: RepositoryDescription }) {
  const { commands, recent, workspace } = useStores();
  const others = useStore(recent, (state) => state.repositories);
  const items: MenuItem[] = [
    {
      id: 'open',
      label: 'Open a folder…',
      icon: <FolderOpen size={14} />,
      shortcut: 'Mod+O',
      onSelect: () => commands.getState().run('repository.open'),
    },
    { id: 'refresh', label: 'Read again', icon: <RefreshCw size={14} />, onSelect: () => commands.getState().run('repository.refresh') },
    { id: 'close', label: 'Close', icon: <X size={14} />, onSelect: () => commands.getState().run('repository.close') },
    ...(latest(others) ?? [])
      .filter((other) => other.path !== repository.path && other.exists)
      .slice(0, 8)
      .map((other, index) => ({
        id: other.path,
        label: other.name,
        icon: <FolderGit2 size={14} />,
        startsGroup: index === 0,
        onSelect: () => void workspace.getState().openRepository(other.path),
      })),
  ];
  return (
    <Menu label="Repository" items={items}>
      <button type="button" className={styles.repository} title={repository.path}>
        <bdi className={styles.repositoryName}>{repository.name}</bdi>
        <ChevronDown size={14} aria-hidden="true" />
        <span className="visually-hidden">, repository menu</span>
      </button>
    </Menu>
  );
}

function HeadMark({ repository: { head } }: { readonly repository: RepositoryDescription }) {
  const text = head.kind === 'detached' ? head.commit.slice(0, 8) : head.name;
  const explanation =
    head.kind === 'detached'
      ? `HEAD is detached at ${head.commit}`
      : head.kind === 'unborn'
        ? `On branch ${head.name}, which has no commits yet`
        : `On branch ${head.name}`;
  return (
    <Tooltip content={explanation}>
      <span className={styles.head}>
        <GitBranch size={14} aria-hidden="true" />
        <span className="visually-hidden">{explanation}</span>
        <bdi className={styles.headName} aria-hidden="true">
          {text}
        </bdi>
      </span>
    </Tooltip>
  );
}

const THEMES: readonly { readonly theme: Theme; readonly label: string; readonly Icon: typeof Sun }[] = [
  { theme: 'light', label: 'Light', Icon: Sun },
  { theme: 'dark', label: 'Dark', Icon: Moon },
  { theme: 'system', label: 'Like the system', Icon: Monitor },
];

function ThemeMenu() {
  const { settings } = useStores();
  const theme = useStore(settings, (state) => state.theme);
  const Icon = THEMES.find((choice) => choice.theme === theme)?.Icon ?? Monitor;
  const items = THEMES.map((choice) => ({
    id: choice.theme,
    label: choice.label,
    checked: choice.theme === theme,
    onSelect: () => settings.getState().setTheme(choice.theme),
  }));
  return (
    <Menu label="Theme" items={items} align="end">
      <button type="button" className={styles.theme} aria-label="Theme" title="Theme">
        <Icon size={16} aria-hidden="true" />
      </button>
    </Menu>
  );
}
