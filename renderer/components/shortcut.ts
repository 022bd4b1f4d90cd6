/** Keys that a shortcut needs; `mod` is Cmd on a Mac and Ctrl elsewhere. */
interface Chord {
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly key: string;
}

/** The part of a KeyboardEvent that decides. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** `Mod+Shift+P`, `F5`, `/`: names joined by `+`, the key last. @throws TypeError for anything else. */
export function parseShortcut(text: string): Chord {
  const parts = text.endsWith('+') ? [...text.slice(0, -2).split('+').filter(Boolean), '+'] : text.split('+');
  const key = parts.pop();
  const known = parts.every((part) => part === 'Mod' || part === 'Shift' || part === 'Alt');
  if (key === undefined || key === '' || !known) throw new TypeError(`Not a shortcut: ${text}`);
  return { mod: parts.includes('Mod'), shift: parts.includes('Shift'), alt: parts.includes('Alt'), key: key.toLowerCase() };
}

/** Whether the pressed keys are the shortcut. Signs such as `?` need Shift on some keyboards and not on others, so there it is free. */
export function matchesShortcut(press: KeyPress, shortcut: string, isMac: boolean): boolean {
  const chord = parseShortcut(shortcut);
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const otherMod = isMac ? press.ctrlKey : press.metaKey;
  const isSign = chord.key.length === 1 && !/[a-z0-9]/.test(chord.key);
  return press.key.toLowerCase() === chord.key && mod === chord.mod && !otherMod && press.altKey === chord.alt && (isSign || press.shiftKey === chord.shift);
}

const MAC_SIGNS: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };
const KEY_WORDS: Readonly<Record<string, string>> = {
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  escape: 'Esc',
  enter: 'Enter',
  ' ': 'Space',
};

/** The keys as they are written on the keyboard, in order: `['Ctrl', 'K']`, on a Mac `['⌘', 'K']`. */
export function shortcutKeys(shortcut: string, isMac: boolean): string[] {
  const chord = parseShortcut(shortcut);
  const keys: string[] = [];
  if (chord.mod) keys.push(isMac ? '⌘' : 'Ctrl');
  if (chord.alt) keys.push(isMac ? (MAC_SIGNS.Alt ?? 'Alt') : 'Alt');
  if (chord.shift) keys.push(isMac ? (MAC_SIGNS.Shift ?? 'Shift') : 'Shift');
  const word = KEY_WORDS[chord.key] ?? (chord.key.length === 1 ? chord.key.toUpperCase() : `${chord.key.charAt(0).toUpperCase()}${chord.key.slice(1)}`);
  return [...keys, word];
}
