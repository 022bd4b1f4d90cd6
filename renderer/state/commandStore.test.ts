import { describe, expect, it } from 'vitest';
import { type Command, createCommandStore } from './commandStore';

const NONE = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const ctrlK = { ...NONE, key: 'k', ctrlKey: true };
const plain = { isMac: false, inTextField: false, inDialog: false };

function command(id: string, more: Partial<Command> = {}): Command {
  return { id, title: id, section: 'Test', run: () => undefined, ...more };
}

function setUp() {
  const { getState } = createCommandStore();
  return {
    commands: getState(),
    find: (press: typeof ctrlK, situation: Partial<typeof plain> = {}) => getState().find(press, { ...plain, ...situation })?.id ?? null,
  };
}

describe('commandStore', () => {
  it('finds a command by its keys, and none for other keys', () => {
    const { commands, find } = setUp();
    commands.register(command('palette', { shortcut: 'Mod+K' }));
    expect(find(ctrlK)).toBe('palette');
    expect(find({ ...ctrlK, key: 'j' })).toBeNull();
    expect(find({ ...ctrlK, shiftKey: true })).toBeNull();
    expect(find({ ...ctrlK, ctrlKey: false })).toBeNull();
  });

  it.each([
    ['inTextField', 'inTextFields'],
    ['inDialog', 'inDialogs'],
  ] as const)('is silent %s unless the command says %s', (situation, mark) => {
    const { commands, find } = setUp();
    const registration = commands.register(command('a', { shortcut: 'Mod+K' }));
    expect(find(ctrlK, { [situation]: true })).toBeNull();
    registration.dispose();
    commands.register(command('b', { shortcut: 'Mod+K', [mark]: true }));
    expect(find(ctrlK, { [situation]: true })).toBe('b');
  });

  it('prefers the command registered last, and the one before once that is disposed or disabled', () => {
    const { commands, find } = setUp();
    commands.register(command('first', { shortcut: 'Mod+K' }));
    let enabled = true;
    const second = commands.register(command('second', { shortcut: 'Mod+K', enabled: () => enabled }));
    expect(find(ctrlK)).toBe('second');
    enabled = false;
    expect(find(ctrlK)).toBe('first');
    enabled = true;
    second.dispose();
    second.dispose();
    expect(find(ctrlK)).toBe('first');
  });

  it('runs by id and says whether it did', () => {
    const { commands } = setUp();
    const ran: string[] = [];
    commands.register(command('a', { run: () => ran.push('old') }));
    commands.register(command('a', { run: () => ran.push('new') }));
    commands.register(command('off', { enabled: () => false, run: () => ran.push('off') }));
    expect([commands.run('a'), commands.run('off'), commands.run('absent'), ran]).toEqual([true, false, false, ['new']]);
  });

  it('refuses a shortcut that nobody could press', () => {
    const { commands } = setUp();
    expect(() => commands.register(command('a', { shortcut: 'Control+K' }))).toThrow(TypeError);
  });
});
