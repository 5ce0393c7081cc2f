import { MillraceError, type Warn } from '../../../model/errors.ts';
import { CANDLE, LAST } from '../../../model/events.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Period } from '../../../model/period.ts';
import { isoTime, micros } from '../../../platform/time.ts';
import type { TradingClient } from '../client/client.ts';
import type { EventRows } from '../../rows.ts';
import type { StepReader } from './step-reader.ts';

/** A candle in whole ticks and lots; times in microseconds. */
export interface CandleBar {
  readonly openedAt: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Reads the numbers of candles. */
export interface BarReader {
  readonly instrument: Instrument;
  readonly price: StepReader;
  readonly size: StepReader;
  readonly warn: Warn;
}

const PAGE = 1_000;

/** Adds the row of a candle. */
export function addBar(rows: EventRows, bar: CandleBar, receivedAt: number): void {
  const { openedAt, open, high, low, close, volume } = bar;
  rows.add(receivedAt, openedAt, CANDLE, LAST, 0, close, volume, high, low, open);
}

/** The service's candle history. */
export class CandleHistory {
  readonly #client: TradingClient;

  constructor(client: TradingClient) {
    this.#client = client;
  }

  /**
   * The candles that opened from `from` to `till`, both included, oldest first, page by page. Unreadable
   * ones are left out with a warning.
   */
  async between(
    reader: BarReader,
    period: Period,
    from: number,
    till: number,
  ): Promise<CandleBar[]> {
    const { symbol } = reader.instrument;
    const bars: CandleBar[] = [];
    for (let next = from; ;) {
      const page = await this.#client.rest.getCandlesOfSymbol({
        symbol,
        period,
        sort: 'ASC',
        limit: PAGE,
        from: micros(next),
        till: micros(till),
      });
      let latest = Number.NEGATIVE_INFINITY;
      for (const { timestamp: openedAt, open, max, min, close, volume } of page) {
        latest = Math.max(latest, openedAt);
        if (openedAt < next || openedAt > till) continue;
        const bar = {
          openedAt,
          open: reader.price.of(open),
          high: reader.price.of(max),
          low: reader.price.of(min),
          close: reader.price.of(close),
          volume: reader.size.of(volume),
        };
        if (Object.values(bar).every((value: number) => value >= 0)) bars.push(bar);
        else reader.warn(unreadable(symbol, period, openedAt));
      }
      if (page.length < PAGE || latest < next) return bars;
      // Bounds are read to the millisecond.
      next = latest + 1_000;
    }
  }
}

const unreadable = (symbol: string, period: Period, openedAt: number): MillraceError =>
  new MillraceError(
    'answer-invalid',
    `The ${period} candle of ${symbol} from ${isoTime(micros(openedAt))} has a number that cannot be; it was left out.`,
    { field: 'timestamp' },
  );
