import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { createStores } from '../state/createStores';
import { latest } from '../state/loadable';
import { fakeClient } from '../state/testing/fakeHost';
import { candidateOf, previewOf, repositoryWith, worktreeWith } from '../state/testing/samples';
import { type Dropped, mayBeCheckpoint } from './droppedEntries';
import { openDropped } from './openDropped';

interface Given {
  /** Paths by name, as the desktop knows them; a browser knows none. */
  readonly paths?: Readonly<Record<string, string>>;
  readonly status?: 'modified' | 'unmodified';
  readonly noRepository?: boolean;
}

function setUp({ paths, status = 'modified', noRepository = false }: Given) {
  const { host, client } = fakeClient({
    'repository/open': () => {
      if (noRepository) throw new CheckpointError('not-found', 'This folder is not in a git repository.');
      return repositoryWith({ checkpoints: [{ path: 'model.pt', storage: 'theta', format: 'pytorch', groups: 1, bytes: 1, status }] });
    },
    'repository/close': () => null,
    'worktree/status': () => worktreeWith(),
    'track/recognise': ({ sources }) => ({ candidates: sources.map((source) => candidateOf(source)), refused: [] }),
    'track/preview': ({ item }) => previewOf(item.path),
  });
  if (paths === undefined) Object.assign(host, { uploadFile: async (file: File) => `/uploads/${file.name}` });
  else Object.assign(host, { pathForFile: (file: File) => paths[file.name] ?? '' });
  const stores = createStores(client);
  return { host, stores, drop: (dropped: Partial<Dropped>) => openDropped({ client, stores }, { files: [], folders: [], ...dropped }) };
}

const file = (name: string) => new File(['x'], name);
const folder = (name: string, rest: Partial<Dropped['folders'][number]> = {}) => ({
  name,
  file: file(name),
  isRepository: false,
  checkpoints: [],
  hasMore: false,
  ...rest,
});

describe('on the desktop', () => {
  it('a repository is opened, also while another one is open', async () => {
    const { host, drop } = setUp({ paths: { repo: '/in/repo' } });
    await drop({ folders: [folder('repo', { isRepository: true })] });
    expect(host.inputs('repository/open')).toEqual([{ path: '/in/repo' }]);
    expect(host.inputs('track/recognise')).toEqual([]);
  });

  it('checkpoints and folders of them are tracked in the open repository', async () => {
    const { host, stores, drop } = setUp({ paths: { 'a.pt': '/in/a.pt', shards: '/in/shards', empty: '/in/empty' } });
    await stores.workspace.getState().openRepository('/repo');
    await drop({ files: [file('a.pt')], folders: [folder('shards', { checkpoints: [file('x.safetensors')] }), folder('empty')] });
    expect(host.inputs('track/recognise')).toEqual([{ repository: 'r1', sources: ['/in/a.pt', '/in/shards'] }]);
  });

  it('a folder without checkpoints is opened: it may lie in a repository', async () => {
    const { host, drop } = setUp({ paths: { sub: '/repo/sub' } });
    await drop({ folders: [folder('sub')] });
    expect(host.inputs('repository/open')).toEqual([{ path: '/repo/sub' }]);
  });

  it('a checkpoint opens the repository around it, and is tracked when it differs', async () => {
    const { host, stores, drop } = setUp({ paths: { 'model.pt': '/repo/model.pt' } });
    await drop({ files: [file('model.pt')] });
    expect(latest(stores.workspace.getState().repository)?.id).toBe('r1');
    expect(host.inputs('track/recognise')).toEqual([{ repository: 'r1', sources: ['/repo/model.pt'] }]);
  });

  it('a checkpoint as it is committed is only shown', async () => {
    const { host, stores, drop } = setUp({ paths: { 'model.pt': '/repo/model.pt' }, status: 'unmodified' });
    await drop({ files: [file('model.pt')] });
    expect(stores.workspace.getState().path).toBe('model.pt');
    expect(host.inputs('track/recognise')).toEqual([]);
  });

  it('a checkpoint in no repository leads to the offer to make one there', async () => {
    const { stores, drop } = setUp({ paths: { 'a.pt': '/in/a.pt' }, noRepository: true });
    await drop({ files: [file('a.pt')] });
    expect(stores.newRepository.getState().offered).toEqual({ sources: ['/in/a.pt'], folder: '/in' });
    expect(stores.workspace.getState().repository.kind).toBe('idle');
  });
});

describe('in a browser', () => {
  it('files, and the checkpoints of folders, are sent to the host', async () => {
    const { host, stores, drop } = setUp({});
    await stores.workspace.getState().openRepository('/repo');
    await drop({ files: [file('a.pt')], folders: [folder('shards', { checkpoints: [file('b.safetensors')] })] });
    expect(host.inputs('track/recognise')).toEqual([{ repository: 'r1', sources: ['/uploads/a.pt', '/uploads/b.safetensors'] }]);
  });

  it('a folder with more checkpoints than are looked at is said to be one', async () => {
    const { host, stores, drop } = setUp({});
    await stores.workspace.getState().openRepository('/repo');
    await drop({ folders: [folder('runs', { checkpoints: [file('b.safetensors')], hasMore: true })] });
    expect(host.inputs('track/recognise')).toHaveLength(1);
    expect(stores.notices.getState().notices).toMatchObject([{ kind: 'warning', title: 'A dropped folder holds more than can be looked at' }]);
  });

  it('a folder without checkpoints cannot be opened, and that is said', async () => {
    const { host, stores, drop } = setUp({});
    await drop({ folders: [folder('repo', { isRepository: true })] });
    expect(stores.notices.getState().notices).toMatchObject([{ kind: 'warning', action: { label: 'Open a folder' } }]);
    expect(host.calls).toEqual([]);
  });
});

it.each([
  ['model.safetensors', true],
  ['MODEL.PT', true],
  ['pytorch_model-00001-of-00002.bin', true],
  ['weights.npz', true],
  ['.hidden.pt', false],
  ['README.md', false],
  ['train.py', false],
  ['pt', false],
])('%s may be a checkpoint: %s', (name, expected) => {
  expect(mayBeCheckpoint(name)).toBe(expected);
});
