import { type MessagePort, parentPort } from 'node:worker_threads';
import { loadBundle } from '../loadBundle';
import { resourcePath } from '../resources';

/** Entry of every worker thread, which loads the program itself. */
if (parentPort === null) throw new Error('This file runs only as a worker thread.');
loadBundle<{ readonly serveTasks: (port: MessagePort) => void }>(resourcePath('dist/worker/serveTasks.cjs')).serveTasks(parentPort);
