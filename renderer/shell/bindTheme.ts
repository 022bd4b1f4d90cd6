import type { SettingsStore } from '../state/settingsStore';

/** Puts the chosen theme (or the system's) on the document, at once and whenever either changes. */
export function bindTheme(settings: SettingsStore): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const { theme } = settings.getState();
    const dark = theme === 'dark' || (theme === 'system' && system.matches);
    document.documentElement.classList.toggle('dark', dark);
    document.documentElement.classList.toggle('light', !dark);
  };
  settings.subscribe(apply);
  system.addEventListener('change', apply);
  apply();
}
