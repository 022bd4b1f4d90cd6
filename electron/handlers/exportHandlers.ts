import { isAbsolute, resolve } from 'node:path';
import { CheckpointError } from '../../shared/contract/errors';
import type { Services } from '../services/createServices';
import { exportFolder, exportOptions, exportVersion } from '../services/exportVersion';
import type { Handlers } from './handlers';

type ExportMethods = 'export/options' | 'export/run';

/** What a version can be exported to, and the export itself. */
export function exportHandlers(services: Services): Pick<Handlers, ExportMethods> {
  return {
    'export/options': async ({ repository, commit, path }, { signal }) => {
      const opened = services.repository(repository);
      return exportOptions(await services.checkpoints.open(opened, { commit, path }, signal), exportFolder(opened.path));
    },
    'export/run': async ({ repository, commit, path, destination, format, overwrite }, { signal, onProgress }) => {
      // Relative to what, nobody at the window could tell.
      if (!isAbsolute(destination)) {
        throw new CheckpointError('invalid-request', 'The destination must be a complete path, from the root of the file system.', {
          place: { file: destination },
        });
      }
      const started = performance.now();
      const checkpoint = await services.checkpoints.open(services.repository(repository), { commit, path }, signal);
      const file = resolve(destination);
      const { bytes, groups, notes } = await exportVersion(checkpoint, { destination: file, format, overwrite, pool: services.pool, signal, onProgress });
      return { path: file, bytes, groups, notes: [...notes], seconds: (performance.now() - started) / 1000 };
    },
  };
}
