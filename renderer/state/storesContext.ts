import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Client } from '../client/client';
import type { Stores } from './createStores';

export interface Shell {
  readonly client: Client;
  readonly stores: Stores;
}

export const ShellContext = createContext<Shell | null>(null);

/** All stores; read one with `useStore(stores.workspace, (state) => state.path)`. */
export function useStores(): Stores {
  return useShell().stores;
}

export function useClient(): Client {
  return useShell().client;
}

function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === null) throw new Error('No ShellContext around this component');
  return shell;
}

export { useStore };
