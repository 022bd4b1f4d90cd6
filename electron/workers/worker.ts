import { parentPort } from 'node:worker_threads';
import { serveTasks } from './serveTasks';

/** Entry of the worker bundle. */
if (parentPort === null) throw new Error('This file runs only as a worker thread.');
serveTasks(parentPort);
