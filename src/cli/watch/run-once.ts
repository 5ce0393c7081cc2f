import { MillraceError } from '../../model/errors.ts';
import { Stopped } from '../../platform/interruption.ts';
import type { BacktestFlags } from '../actions/backtest.ts';
import { reportFailure } from '../failure.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import type { RunEnd } from './backtest-thread.ts';
import { differences, keyFigures, type KeyFigures } from './figures.ts';

/**
 * Runs the backtest and shows how its figures differ from the previous run's; never throws. A failure is
 * shown; a wrong call is returned, as no change of a file fixes it.
 */
export async function runOnce(
  configPath: string | undefined,
  flags: BacktestFlags,
  before: KeyFigures | undefined,
  terminal: Terminal,
): Promise<RunEnd> {
  try {
    const { backtest } = await import('../actions/backtest.ts');
    const now = keyFigures(await backtest(configPath, flags, terminal));
    if (before !== undefined && flags.json !== true) {
      terminal.out.write(`\n${comparison(before, now)}\n`);
    }
    return { figures: now };
  } catch (error) {
    if (error instanceof Stopped) return {};
    if (error instanceof MillraceError && error.code === 'usage') return { usage: error.message };
    reportFailure(error, terminal, flags.json === true);
    return {};
  }
}

function comparison(before: KeyFigures, now: KeyFigures): string {
  if (before.hash === now.hash) return 'The result is that of the run before, with the same hash.';
  const rows = differences(before, now);
  return rows.length === 0
    ? 'The key figures are those of the run before; the hash differs.'
    : table(rows, { head: ['compared', 'before', 'now', 'change'], right: [1, 2, 3] });
}
