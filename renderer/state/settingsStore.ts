import * as v from 'valibot';
import { createStore, type StoreApi } from 'zustand/vanilla';

const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const layout = v.record(v.string(), v.number());
const savedSettings = v.object({
  theme: v.fallback(v.picklist(THEMES), 'system'),
  panes: v.fallback(v.record(v.string(), layout), {}),
  values: v.fallback(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
});
type SavedSettings = v.InferOutput<typeof savedSettings>;

export interface SettingsState extends Readonly<SavedSettings> {
  setTheme(theme: Theme): void;
  /** Sizes in percent by panel id, under the id of the SplitPanes. */
  setPanes(id: string, sizes: Readonly<Record<string, number>>): void;
  /** Small choices of a view (`history.firstParent`); names start with the view's. */
  setValue(key: string, value: string | number | boolean): void;
}

export type SettingsStore = StoreApi<SettingsState>;

const KEY = 'theta.settings';

/** Choices that survive, kept in the window's local storage; without one (or with a spoilt one) the defaults hold. */
export function createSettingsStore(storage: Pick<Storage, 'getItem' | 'setItem'> | null): SettingsStore {
  const store = createStore<SettingsState>()((set, get) => ({
    ...read(storage),
    setTheme: (theme) => set({ theme }),
    setPanes: (id, sizes) => set({ panes: { ...get().panes, [id]: { ...sizes } } }),
    setValue: (key, value) => set({ values: { ...get().values, [key]: value } }),
  }));
  store.subscribe(({ theme, panes, values }) => {
    try {
      storage?.setItem(KEY, JSON.stringify({ theme, panes, values }));
    } catch {
      // Storage is full or denied: the choices hold until the window closes.
    }
  });
  return store;
}

function read(storage: Pick<Storage, 'getItem'> | null): SavedSettings {
  try {
    return v.parse(savedSettings, JSON.parse(storage?.getItem(KEY) ?? '{}'));
  } catch {
    return { theme: 'system', panes: {}, values: {} };
  }
}
