import { describe, expect, it } from 'vitest';
import { createSettingsStore } from './settingsStore';

function memory(content: string | null = null) {
  const kept = { content };
  return {
    kept,
    storage: {
      getItem: () => kept.content,
      setItem: (_: string, value: string) => {
        kept.content = value;
      },
    },
  };
}

describe('settingsStore', () => {
  it('comes back as it was left', () => {
    const { storage } = memory();
    const { getState } = createSettingsStore(storage);
    getState().setTheme('dark');
    getState().setPanes('shell', { sidebar: 20, main: 80 });
    getState().setValue('history.firstParent', true);
    const again = createSettingsStore(storage).getState();
    expect(again).toMatchObject({ theme: 'dark', panes: { shell: { sidebar: 20, main: 80 } }, values: { 'history.firstParent': true } });
  });

  it.each(['', 'no json', '[]', '7', 'null', '{"theme":"pink","panes":5}'])('starts afresh from %j', (content) => {
    expect(createSettingsStore(memory(content).storage).getState()).toMatchObject({ theme: 'system', panes: {}, values: {} });
  });

  it('keeps what is sound beside what is spoilt', () => {
    expect(createSettingsStore(memory('{"theme":"dark","panes":[1]}').storage).getState().theme).toBe('dark');
  });

  it('works where storage is denied or full', () => {
    expect(createSettingsStore(null).getState().theme).toBe('system');
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    };
    const { getState } = createSettingsStore(full);
    getState().setTheme('light');
    expect(getState().theme).toBe('light');
  });
});
