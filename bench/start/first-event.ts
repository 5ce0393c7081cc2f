import { exit } from 'node:process';
import { defineStrategy, z } from 'millrace';
import { ignoreElements, take, tap } from 'rxjs';

/** Ends its process at the first trade, as what a backtest takes from there on is of no interest. */
export default defineStrategy({
  name: 'first-event',
  summary: 'Waits for the first trade.',
  parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
  run: ({ market, parameters }) =>
    market.trades(parameters.symbol).pipe(
      take(1),
      tap(() => exit()),
      ignoreElements(),
    ),
});
