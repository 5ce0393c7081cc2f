import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Job } from './runner.ts';
import type { ThreadSetup } from './pool.ts';

const { setup, isCached } = workerData as ThreadSetup;
// Before all that is large is loaded: a thread does not have the cache of its process by itself.
if (isCached) enableCompileCache();
const { TrialRunner: Runner } = await import('./runner.ts');

/** What a thread of a sweep starts with: it runs the jobs that come, and sends what came of each. */
const runner = new Runner(setup);

parentPort?.on('message', (job: Job) => {
  void runner.run(job).then((outcome) => parentPort?.postMessage(outcome));
});
