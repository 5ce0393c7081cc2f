import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Job } from './runner.ts';
import type { ThreadSetup } from './pool.ts';

const { setup, isCached } = workerData as ThreadSetup;
// Before large imports: a thread does not inherit the compile cache of its process.
if (isCached) enableCompileCache();
const { TrialRunner: Runner } = await import('./runner.ts');

/** Start of a sweep's thread: runs the jobs it receives, and sends their outcomes. */
const runner = new Runner(setup);

parentPort?.on('message', (job: Job) => {
  void runner.run(job).then((outcome) => parentPort?.postMessage(outcome));
});
