import { MillraceError } from '../../model/errors.ts';
import { Stopped } from '../../platform/interruption.ts';
import type { BacktestFlags } from '../actions/backtest.ts';
import { explainFailure } from '../failure.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import type { RunEnd } from './backtest-thread.ts';
import { differences, keyFigures, type KeyFigures } from './figures.ts';

/**
 * Runs the backtest, shows how its figures differ from those of the run before, and never throws: what
 * failed is shown, and a wrong call is handed back, as no change of a file mends it.
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
    explainFailure(error, terminal, flags.json === true);
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
