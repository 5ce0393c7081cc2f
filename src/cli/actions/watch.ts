import { relative, resolve } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { interruptible } from '../../platform/interruption.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { internalError } from '../failure.ts';
import { exampleConfig } from '../own-config.ts';
import { paint, type Terminal } from '../terminal.ts';
import { BacktestThread } from '../watch/backtest-thread.ts';
import type { KeyFigures } from '../watch/figures.ts';
import { WatchedFiles } from '../watch/files.ts';
import type { BacktestFlags } from './backtest.ts';

/**
 * Runs a backtest after each change of its configuration, of the strategy's file and of what that
 * imports, until a signal ends it. Throws `usage` for a wrong call.
 */
export const watchBacktest = (
  configPath: string | undefined,
  flags: BacktestFlags,
  terminal: Terminal,
): Promise<void> =>
  interruptible(
    async (signal) => {
      const over = new AbortController();
      try {
        await watch(configPath, flags, terminal, AbortSignal.any([signal, over.signal]));
      } finally {
        over.abort();
      }
    },
    internalError,
    terminal.signals,
  );

async function watch(
  configPath: string | undefined,
  flags: BacktestFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const { err } = terminal;
  const scheduler = new SystemScheduler();
  const files = new WatchedFiles(scheduler);
  files.add(resolve(configPath ?? exampleConfig('backtest')));
  let before: KeyFigures | undefined;
  while (!signal.aborted) {
    files.begin();
    const onFile = (path: string): void => {
      files.add(path);
    };
    const thread = new BacktestThread({ configPath, flags, before }, onFile, scheduler, terminal);
    const changed = files.changed(signal);
    const end = await Promise.race([thread.ended, changed.then(() => undefined)]);
    if (end === undefined) await thread.stop();
    if (end?.usage !== undefined) throw new MillraceError('usage', end.usage);
    before = end?.figures ?? before;
    if (end !== undefined) {
      err.write(`${paint(err, 'dim', `Watching ${files.count} files; Ctrl-C ends.`)}\n`);
    }
    const paths = (await changed).map((path) => relative(process.cwd(), path));
    if (paths.length > 0) err.write(`\n${paint(err, 'bold', `${paths.join(', ')} changed`)}\n`);
  }
}
