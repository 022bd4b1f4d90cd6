import { describe, expect, it } from 'vitest';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { ParameterGroup } from '../../../shared/model/checkpoint';
import type { CommitHash } from '../../../shared/model/commit';
import type { Command } from '../../state/commandStore';
import { paletteSections } from './paletteEntries';

const commit = 'a'.repeat(40) as CommitHash;
const repository: RepositoryDescription = {
  id: 'r',
  path: '/r',
  name: 'r',
  bare: false,
  shallow: false,
  backend: 'native',
  head: { kind: 'branch', name: 'main', commit },
  refs: [
    { kind: 'branch', name: 'main', commit },
    { kind: 'tag', name: 'main-1', commit },
    { kind: 'remote-branch', name: 'origin/main', commit },
  ],
  remotes: [],
  submodules: [],
  checkpoints: [{ path: 'main.pt', storage: 'theta', format: 'pytorch', groups: 1, bytes: 1, status: 'unmodified' }],
  notices: [],
};

function group(name: string): ParameterGroup {
  return { name, dtype: 'float32', shape: [1], bytes: 4, updateType: 'dense', storedBytes: 4, oid: null, tiedTo: null, error: null };
}

function command(id: string, more: Partial<Command> = {}): Command {
  return { id, title: `Do ${id}`, section: 'Window', run: () => undefined, ...more };
}

describe('paletteSections', () => {
  it('offers commands and what there is before anything is typed, but not the long lists', () => {
    const sections = paletteSections({ commands: [command('x')], repository, groups: [group('a')] }, '');
    expect(sections.map(({ title }) => title)).toEqual(['Window', 'Checkpoints', 'Branches']);
  });

  it('finds the same text in every kind of thing', () => {
    const sections = paletteSections({ commands: [command('main')], repository, groups: [group('domain/weight')] }, 'main');
    expect(sections.map(({ title }) => title)).toEqual(['Window', 'Checkpoints', 'Branches', 'Remote branches', 'Tags', 'Parameter groups']);
  });

  it('begins with what holds the words, not with what only has their letters', () => {
    const commands = [
      command('sample', { title: 'Open the sample', section: 'Repository' }),
      command('dark', { title: 'Use the dark theme' }),
      command('light', { title: 'Use the light theme' }),
    ];
    const sections = paletteSections({ commands, repository: undefined, groups: [] }, 'theme');
    expect(sections.map(({ title, entries }) => [title, entries.length])).toEqual([
      ['Window', 2],
      ['Repository', 1],
    ]);
  });

  it('leaves out disabled commands, itself, and commands that another one replaced', () => {
    const commands = [command('a', { title: 'Old' }), command('a', { title: 'New' }), command('off', { enabled: () => false }), command('palette.open')];
    expect(paletteSections({ commands, repository: undefined, groups: [] }, '').flatMap(({ entries }) => entries.map(({ text }) => text))).toEqual(['New']);
  });

  it('keeps commands and their headings in order of registration', () => {
    const commands = [command('a', { section: 'One' }), command('b', { section: 'Two' }), command('c', { section: 'One' })];
    const sections = paletteSections({ commands, repository: undefined, groups: [] }, '');
    expect(sections.map(({ title, entries }) => [title, entries.map(({ text }) => text)])).toEqual([
      ['One', ['Do a', 'Do c']],
      ['Two', ['Do b']],
    ]);
  });

  it('shows the best 30 of 40,000 parameter groups', () => {
    const groups = Array.from({ length: 40_000 }, (_, index) => group(`layer${index}/weight`));
    const [section] = paletteSections({ commands: [], repository: undefined, groups: [...groups, group('weight')] }, 'weight');
    expect(section?.entries).toHaveLength(30);
    expect(section?.entries[0]?.text).toBe('weight');
  });

  it('gives entries of one name different ids', () => {
    const entries = paletteSections({ commands: [], repository, groups: [group('main')] }, 'main').flatMap((section) => section.entries);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });
});
