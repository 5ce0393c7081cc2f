import { enableCompileCache } from 'node:module';
import { Writable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, WatchedRun } from './backtest-thread.ts';

const { configPath, flags, before, isCached, outIsTerminal, errIsTerminal } =
  workerData as WatchedRun;
// Before all that is large is loaded: a thread does not have the cache of its process by itself.
if (isCached) enableCompileCache();

const [{ onUserFile }, { guardedTerminal }, { hideWarnings }, { runOnce }] = await Promise.all([
  import('../../modules/own-modules.ts'),
  import('../terminal.ts'),
  import('../warnings.ts'),
  import('./run-once.ts'),
]);
hideWarnings();

const send = (message: FromThread): void => {
  parentPort?.postMessage(message);
};

/** The command writes through the process, which knows whether it has a terminal. */
const output = (to: 'out' | 'err', isTTY: boolean): Writable =>
  Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        send({ kind: 'text', to, text: String(chunk) });
        done();
      },
    }),
    { isTTY },
  );

onUserFile((path) => {
  send({ kind: 'file', path });
});
// Only the process receives signals, and reports here that the run should stop.
parentPort?.on('message', () => {
  process.emit('SIGTERM', 'SIGTERM');
});

const terminal = guardedTerminal({
  out: output('out', outIsTerminal),
  err: output('err', errIsTerminal),
  env: process.env,
  signals: process,
});
send({ kind: 'ended', ...(await runOnce(configPath, flags, before, terminal)) });
