import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { loadBundle } from '../loadBundle';

/** Entry of every worker thread, which loads the program itself from beside it. */
if (parentPort === null) throw new Error('This file runs only as a worker thread.');
const program = join(dirname(fileURLToPath(import.meta.url)), 'serveTasks.cjs');
loadBundle<{ readonly serveTasks: (port: MessagePort) => void }>(program).serveTasks(parentPort);
