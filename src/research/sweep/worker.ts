import { parentPort, workerData } from 'node:worker_threads';
import { Runner, type Job, type RunnerSetup } from './runner.ts';

/** What a thread of a sweep starts with: it runs the jobs that come, and sends what came of each. */
const runner = new Runner(workerData as RunnerSetup);

parentPort?.on('message', (job: Job) => {
  void runner.run(job).then((outcome) => parentPort?.postMessage(outcome));
});
