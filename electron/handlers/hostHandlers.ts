import { CheckpointError } from '../../shared/contract/errors';
import type { Services } from '../services/createServices';
import { listFolder } from '../services/folders/listFolder';
import type { Handlers, HostFacilities } from './handlers';

type HostMethods =
  | 'app/describe'
  | 'recent/list'
  | 'recent/forget'
  | 'sample/unpack'
  | 'folders/list'
  | 'dialog/pickFiles'
  | 'dialog/pickFolder'
  | 'dialog/pickSaveFile'
  | 'shell/reveal';

/** What the host itself offers: who it is, dialogs, folders, recent repositories, the sample. */
export function hostHandlers(services: Services, host: HostFacilities): Pick<Handlers, HostMethods> {
  const unavailable = () => new CheckpointError('invalid-request', 'This host has no native dialogs.');
  return {
    'app/describe': async () => ({
      version: host.version,
      host: host.kind,
      platform: process.platform,
      canUseNativeDialogs: host.pickFolder !== null && host.pickSaveFile !== null,
      canReveal: host.reveal !== null,
      homeFolder: host.homeFolder,
      initialFolder: host.initialFolder,
    }),
    'recent/list': () => services.recent.list(),
    'recent/forget': async ({ path }) => {
      await services.recent.forget(path);
      return null;
    },
    'sample/unpack': async () => ({ path: await services.unpackSample() }),
    'folders/list': ({ path, showHidden }) => listFolder(path ?? host.homeFolder, showHidden),
    'dialog/pickFolder': async ({ title }) => {
      if (host.pickFolder === null) throw unavailable();
      return { path: await host.pickFolder(title) };
    },
    'dialog/pickFiles': async ({ title }) => {
      if (host.pickFiles === null) throw unavailable();
      return { paths: [...(await host.pickFiles(title))] };
    },
    'dialog/pickSaveFile': async ({ title, suggestedPath }) => {
      if (host.pickSaveFile === null) throw unavailable();
      return { path: await host.pickSaveFile(title, suggestedPath) };
    },
    'shell/reveal': async ({ path }) => {
      if (host.reveal === null) throw new CheckpointError('invalid-request', 'This host has no file manager.');
      await host.reveal(path);
      return null;
    },
  };
}
