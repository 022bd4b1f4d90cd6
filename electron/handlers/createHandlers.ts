import type { Services } from '../services/createServices';
import { checkpointHandlers } from './checkpointHandlers';
import { compareHandlers } from './compareHandlers';
import { exportHandlers } from './exportHandlers';
import { graphHandlers } from './graphHandlers';
import type { Handlers, HostFacilities } from './handlers';
import { historyHandlers } from './historyHandlers';
import { hostHandlers } from './hostHandlers';
import { repositoryHandlers } from './repositoryHandlers';
import { timelineHandlers } from './timelineHandlers';
import { trackHandlers } from './trackHandlers';

/** Every method of the contract, over the services. */
export function createHandlers(services: Services, host: HostFacilities): Handlers {
  return {
    ...hostHandlers(services, host),
    ...repositoryHandlers(services),
    ...historyHandlers(services),
    ...checkpointHandlers(services),
    ...compareHandlers(services),
    ...exportHandlers(services),
    ...graphHandlers(services),
    ...timelineHandlers(services),
    ...trackHandlers(services),
  };
}
