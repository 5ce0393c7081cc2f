import type { z } from 'zod';
import { replayBefore, type Replay, type ReplayOptions } from '../../engine/test-kit/replay.ts';
import { TestVenue } from '../../engine/test-kit/venue.ts';
import { SimulatedVenue } from '../../gateways/simulated.ts';
import { decimal } from '../../model/decimal.ts';
import type { StrategyDefinition } from '../../strategy/define.ts';

/**
 * Runs a strategy on the real engine, on test events, against a venue that accepts every order:
 *
 *     replay(emaCross, { fast: 2, slow: 3 }).candles('M5', [10, 10, 10, 12, 9])
 *     // [at('00:20', target('BTCUSDT', 0.5)), at('00:25', target('BTCUSDT', 0))]
 *
 * Absent parameters have their defaults. Throws the errors of the strategy.
 */
export function replay<S extends z.ZodObject>(
  strategy: StrategyDefinition<S>,
  parameters: z.input<S> = {} as z.input<S>,
  options: ReplayOptions = {},
): Replay {
  const { fills = false } = Object(options) as ReplayOptions;
  return replayBefore(
    (instrument, scheduler, balances) =>
      fills === 'exchange'
        ? new SimulatedVenue({
            venue: 'simulated',
            instruments: [instrument],
            scheduler,
            latency: { orderUs: 0, reportUs: 0 },
            balances: new Map(
              Object.entries(balances).map(([currency, amount]) => [
                currency,
                decimal(amount, currency),
              ]),
            ),
          })
        : new TestVenue(instrument, scheduler, balances, fills),
    strategy,
    parameters,
    options,
  );
}
