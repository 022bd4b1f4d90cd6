import { join } from 'node:path';
import { Emitter } from '../shared/base/emitter';
import { createHandlers } from './handlers/createHandlers';
import type { Handlers, HostEvent, HostFacilities } from './handlers/handlers';
import { filterCommand, lastingProgram } from './programCommand';
import { resourcePath } from './resources';
import { createServices } from './services/createServices';
import { userFolders } from './services/folders/userFolders';
import { createWorkerPool } from './workers/createWorkerPool';

/** What both hosts put behind their transport. */
export interface Host {
  readonly handlers: Handlers;
  readonly events: Emitter<HostEvent>;
  /** Ends workers and watchers; what still runs is cancelled. */
  dispose(): Promise<void>;
}

/** Builds the services of this user and the handlers over them. */
export function createHost(facilities: HostFacilities): Host {
  const folders = userFolders();
  const services = createServices({
    dataFolder: folders.data,
    cacheFolder: folders.cache,
    filterCommand: filterCommand(),
    program: lastingProgram(),
    sampleArchive: join(resourcePath('assets'), 'sample', 'digits.zip'),
    createPool: (size) => createWorkerPool({ script: resourcePath('dist/worker/worker.cjs'), size }),
  });
  const events = new Emitter<HostEvent>();
  services.onRepositoryChanged.on((data) => events.emit({ name: 'repository/changed', data }));
  return { handlers: createHandlers(services, facilities), events, dispose: () => services.dispose() };
}
