import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Disposable, toDisposable } from '../../shared/base/disposable';
import { type KeyPress, matchesShortcut, parseShortcut } from '../components/shortcut';

export interface Command {
  /** Stable, e.g. `repository.open`; the desktop's menu sends it as `menu/command`. */
  readonly id: string;
  readonly title: string;
  /** Heading in the palette. */
  readonly section: string;
  /** `Mod+K`, `F5`: see parseShortcut. */
  readonly shortcut?: string;
  /** Works while a text field has the focus; without it, typing is never taken away. */
  readonly inTextFields?: boolean;
  /** Works while a dialog is open. */
  readonly inDialogs?: boolean;
  run(): void;
  /** Absent: always. */
  enabled?(): boolean;
}

export interface CommandState {
  /** In order of registration. */
  readonly commands: readonly Command[];
  /** Adds a command; one with the same id takes its place until it is disposed. */
  register(command: Command): Disposable;
  /** Runs the command when it is there and enabled, and says whether it did. */
  run(id: string): boolean;
  /** Command for the pressed keys. The one registered last wins. */
  find(press: KeyPress, situation: KeySituation): Command | null;
}

export interface KeySituation {
  readonly isMac: boolean;
  readonly inTextField: boolean;
  readonly inDialog: boolean;
}

export type CommandStore = StoreApi<CommandState>;

export function createCommandStore(): CommandStore {
  const isEnabled = (command: Command) => command.enabled?.() ?? true;
  return createStore<CommandState>()((set, get) => ({
    commands: [],
    register(command) {
      if (command.shortcut !== undefined) parseShortcut(command.shortcut);
      set({ commands: [...get().commands, command] });
      return toDisposable(() => set({ commands: get().commands.filter((other) => other !== command) }));
    },
    run(id) {
      const command = get().commands.findLast((candidate) => candidate.id === id);
      if (command === undefined || !isEnabled(command)) return false;
      command.run();
      return true;
    },
    find(press, situation) {
      const found = get().commands.findLast(
        (command) =>
          command.shortcut !== undefined &&
          matchesShortcut(press, command.shortcut, situation.isMac) &&
          (!situation.inTextField || command.inTextFields === true) &&
          (!situation.inDialog || command.inDialogs === true) &&
          isEnabled(command),
      );
      return found ?? null;
    },
  }));
}
