import type { Observable } from 'rxjs';
import type { Instrument } from '../../src/model/instrument.ts';
import { isoTime } from '../../src/platform/time.ts';
import type { Context } from '../../src/strategy/context.ts';
import type { Strategy } from '../../src/strategy/define.ts';
import { fillLine, trackedLine, trackedListLine, type Line } from './canonical.ts';

/** What a strategy was shown, line by line, in the order in which it was shown. */
export interface Seen {
  readonly lines: Line[];
  /** How often each stream that is not written line by line emitted. */
  readonly emissions: Record<string, number>;
}

export const nothingSeen = (): Seen => ({ lines: [], emissions: {} });

export const seenLines = ({ lines, emissions }: Seen): Line[] => [...lines, { emissions }];

/**
 * A strategy that also writes down all that its account streams show. Equity and best prices move
 * with every row of the market: they are counted, and equity is written beside each fill.
 */
export const watched = (strategy: Strategy, symbols: readonly string[], seen: Seen): Strategy => ({
  ...strategy,
  run: (context) => {
    watch(context, symbols, seen);
    return strategy.run(context);
  },
});

/** Writes down what the account streams of a context show, from now on. */
export function watch(context: Context<unknown>, symbols: readonly string[], seen: Seen): void {
  const { account, clock, instrument } = context;
  const follow = <T>(stream: Observable<T>, line: (value: T) => Line | undefined): void => {
    // The strategy itself meets the error of a stream that cannot be had.
    const error = (): void => undefined;
    const next = (value: T): void => {
      const row = line(value);
      if (row !== undefined) seen.lines.push({ at: isoTime(clock.now()), ...row });
    };
    stream.subscribe({ next, error });
  };
  const count = (name: string): void => {
    seen.emissions[name] = (seen.emissions[name] ?? 0) + 1;
  };
  follow(account.orders(), (order) => ({
    seen: 'order',
    ...trackedLine(instrument(order.symbol), order),
  }));
  follow(account.lists(), (list) => ({ seen: 'list', ...trackedListLine(instrument, list) }));
  const equities = new Map<string, string>();
  follow(account.fills(), (fill) => ({
    seen: 'fill',
    ...fillLine(instrument(fill.symbol), fill),
    equity: Object.fromEntries(equities),
  }));
  const currencies = new Set<string>();
  for (const symbol of symbols) {
    const traded = instrument(symbol);
    currencies.add(traded.baseCurrency).add(traded.quoteCurrency);
    follow(account.position(symbol), (position) => ({
      seen: 'position',
      symbol,
      quantity: position.size.toFixed(),
      entry: entryOf(traded, position.entryTicks),
    }));
    follow(account.equity(symbol), (equity) => {
      count(`equity ${symbol}`);
      equities.set(symbol, equity.toFixed());
      return undefined;
    });
  }
  for (const currency of currencies) {
    follow(account.balances(currency), ({ available, reserved }) => ({
      seen: 'balance',
      currency,
      available: available.toFixed(),
      reserved: reserved.toFixed(),
    }));
  }
}

const entryOf = (instrument: Instrument, ticks: number): string | null =>
  Number.isNaN(ticks) ? null : (ticks * Number(instrument.tickSize)).toPrecision(12);
