import { useSyncExternalStore } from 'react';

/** Whether the dark theme is in use; what is painted on a canvas has to be painted again when it changes. */
export function useIsDark(): boolean {
  return useSyncExternalStore(watchTheme, () => document.documentElement.classList.contains('dark'));
}

function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}

/** Device pixels of one CSS pixel; changes with the zoom and when the window goes to another screen. */
export function usePixelRatio(): number {
  return useSyncExternalStore(watchRatio, () => window.devicePixelRatio);
}

function watchRatio(onChange: () => void): () => void {
  let query: MediaQueryList | null = null;
  const renew = () => {
    query?.removeEventListener('change', handle);
    // The query names the ratio of now, so it has to be made anew after each change.
    query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener('change', handle);
  };
  const handle = () => {
    renew();
    onChange();
  };
  renew();
  return () => query?.removeEventListener('change', handle);
}
