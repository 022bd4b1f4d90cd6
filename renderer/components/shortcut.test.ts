import { describe, expect, it } from 'vitest';
import { matchesShortcut, parseShortcut, shortcutKeys } from './shortcut';

const NONE = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

describe('matchesShortcut', () => {
  it('takes Cmd on a Mac and Ctrl elsewhere, and not both', () => {
    const ctrl = { ...NONE, key: 'k', ctrlKey: true };
    const cmd = { ...NONE, key: 'k', metaKey: true };
    expect([matchesShortcut(ctrl, 'Mod+K', false), matchesShortcut(cmd, 'Mod+K', false)]).toEqual([true, false]);
    expect([matchesShortcut(ctrl, 'Mod+K', true), matchesShortcut(cmd, 'Mod+K', true)]).toEqual([false, true]);
    expect(matchesShortcut({ ...ctrl, metaKey: true }, 'Mod+K', false)).toBe(false);
  });

  it('does not mind capitals, since Shift or Caps Lock makes them', () => {
    expect(matchesShortcut({ ...NONE, key: 'P', ctrlKey: true, shiftKey: true }, 'Mod+Shift+P', false)).toBe(true);
    expect(matchesShortcut({ ...NONE, key: 'K', ctrlKey: true }, 'Mod+K', false)).toBe(true);
  });

  it('leaves Shift free for signs, which need it on some keyboards', () => {
    expect(matchesShortcut({ ...NONE, key: '?', shiftKey: true }, '?', false)).toBe(true);
    expect(matchesShortcut({ ...NONE, key: '/' }, '/', false)).toBe(true);
    expect(matchesShortcut({ ...NONE, key: '7', shiftKey: true }, '7', false)).toBe(false);
  });

  it('tells plain letters from chords', () => {
    expect(matchesShortcut({ ...NONE, key: 'j', altKey: true }, 'j', false)).toBe(false);
    expect(matchesShortcut({ ...NONE, key: 'j', altKey: true }, 'Alt+j', false)).toBe(true);
  });
});

describe('parseShortcut', () => {
  it('reads the plus sign itself', () => {
    expect(parseShortcut('Mod++')).toEqual({ mod: true, shift: false, alt: false, key: '+' });
    expect(parseShortcut('+').key).toBe('+');
  });

  it.each(['', 'Ctrl+K', 'Mod+Hyper+K'])('refuses %j', (text) => {
    expect(() => parseShortcut(text)).toThrow(TypeError);
  });
});

describe('shortcutKeys', () => {
  it('writes the keys as they stand on the keyboard', () => {
    expect(shortcutKeys('Mod+Shift+k', false)).toEqual(['Ctrl', 'Shift', 'K']);
    expect(shortcutKeys('Mod+Alt+K', true)).toEqual(['⌘', '⌥', 'K']);
    expect(shortcutKeys('Alt+ArrowUp', false)).toEqual(['Alt', '↑']);
    expect(shortcutKeys('F6', false)).toEqual(['F6']);
    expect(shortcutKeys('Escape', false)).toEqual(['Esc']);
  });
});
