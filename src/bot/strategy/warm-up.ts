import type { MarketSource } from '../../gateways/market-source.ts';
import type { EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { HandoverScheduler } from '../../platform/handover-scheduler.ts';
import { micros, US_PER_DAY, US_PER_HOUR, type Micros } from '../../platform/time.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { MarketHub } from '../account/market-hub.ts';
import { BASE_PERIOD } from '../account/subscriptions.ts';
import type { StrategySettings } from '../settings/settings.ts';

/** The history of one market: its hub, and the start of the requested span. */
export interface PastWanted {
  readonly hub: MarketHub;
  readonly source: MarketSource;
  readonly instrument: Instrument;
  readonly spanUs: number;
}

interface Past {
  readonly hub: MarketHub;
  readonly index: number;
  readonly columns: EventColumns;
  row: number;
}

/**
 * Start of a warm-up: at a full hour, or a full day if it takes days, so that the first candle of a longer
 * period is whole.
 */
export function warmUpStart(spanUs: number, now: Micros): Micros {
  const step = spanUs >= US_PER_DAY ? US_PER_DAY : US_PER_HOUR;
  return micros(Math.floor((now - spanUs) / step) * step);
}

/** The past that the strategies of each account want to have seen of its markets, the longest counts. */
export const pastWanted = (
  accounts: readonly AccountContext[],
  strategies: readonly StrategySettings[],
): readonly PastWanted[] =>
  accounts.flatMap(({ settings, hub, market }) =>
    hub.pulses.map(({ instrument }) => {
      const spans = strategies
        .filter(
          ({ account, symbols }) =>
            account === settings.name && symbols.includes(instrument.symbol),
        )
        .map(({ warmUpUs }) => warmUpUs);
      return { hub, source: market, instrument, spanUs: Math.max(0, ...spans) };
    }),
  );

/** Fetches the candles of all markets that strategies want to have seen. */
export async function fetchPast(
  wanted: readonly PastWanted[],
  now: Micros,
): Promise<readonly Past[]> {
  return await Promise.all(
    wanted
      .filter(({ spanUs }) => spanUs > 0)
      .map(async ({ hub, source, instrument, spanUs }) => ({
        hub,
        index: hub.indexOf(instrument.symbol),
        columns: await source.history(instrument, BASE_PERIOD, warmUpStart(spanUs, now), now),
        row: 0,
      })),
  );
}

/** Replays the histories through the strategies, all markets in one order of time. */
export function playPast(pasts: readonly Past[], clock: HandoverScheduler): void {
  for (;;) {
    let next: Past | undefined;
    for (const past of pasts) {
      if (past.row >= past.columns.length) continue;
      if (next === undefined || timeOf(past) < timeOf(next)) next = past;
    }
    if (next === undefined) return;
    clock.advanceTo(timeOf(next));
    next.hub.past(next.index, next.columns, next.row);
    next.row += 1;
  }
}

const timeOf = ({ columns, row }: Past): Micros => micros(columns.receivedAt[row]);
