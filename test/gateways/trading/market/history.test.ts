import { describe, expect, it } from 'vitest';
import { micros, type Micros } from '../../../../src/platform/time.ts';
import { OPENED, openVenue, type TestVenue } from '../../../server/kit.ts';
import { instrumentOf, marketAt, orderOf, rowsOf, settled } from './kit.ts';

const MINUTE = 60_000_000;

const minute = (count: number): Micros => micros(OPENED + count * MINUTE);

/** Trades once in each of these minutes, at a price that tells the minute. */
function tradeIn(venue: TestVenue, minutes: readonly number[]): void {
  const { exchange } = venue.trading;
  const member = venue.join('trader');
  minutes.forEach((at, index) => {
    venue.scheduler.advanceTo(minute(at));
    for (const side of ['sell', 'buy'] as const) {
      const order = orderOf(`${side}-order-${index}`, side, 10_000 + at, 7);
      const rejection = exchange.place(member, order, venue.scheduler.now());
      if (rejection !== undefined) throw new Error(rejection.message);
    }
  });
}

describe('the history of candles', () => {
  it('has the finished candles of a span, none of periods without trades', async () => {
    const venue = await openVenue();
    tradeIn(venue, [0, 1, 2, 4, 5, 6]);
    const { market } = marketAt(venue, venue.base);
    const instrument = instrumentOf(venue, 'BTCUSDT');
    const columns = await settled(
      venue,
      market.history(instrument, 'M1', minute(1), micros(minute(6) + MINUTE / 2)),
    );
    expect(rowsOf(columns)).toMatchObject(
      [1, 2, 4, 5].map((at) => ({
        kind: 'candle',
        last: true,
        stampedAt: minute(at),
        receivedAt: minute(at + 1),
        open: 10_000 + at,
        askPrice: 10_000 + at,
        askSize: 10_000 + at,
        price: 10_000 + at,
        size: 7,
        sequence: 0,
      })),
    );
  });

  it('is empty where nothing was traded', async () => {
    const venue = await openVenue();
    const { market } = marketAt(venue, venue.base);
    const instrument = instrumentOf(venue, 'BTCUSDT');
    const columns = await settled(venue, market.history(instrument, 'M1', minute(0), minute(9)));
    expect(columns.length).toBe(0);
  });

  it('is read page by page', async () => {
    const venue = await openVenue();
    tradeIn(
      venue,
      Array.from({ length: 2_105 }, (_, at) => at),
    );
    const { market } = marketAt(venue, venue.base);
    const instrument = instrumentOf(venue, 'BTCUSDT');
    const columns = await settled(
      venue,
      market.history(instrument, 'M1', minute(1), minute(2_104)),
    );
    expect(rowsOf(columns).map(({ stampedAt }) => stampedAt)).toEqual(
      Array.from({ length: 2_103 }, (_, at) => minute(at + 1)),
    );
  });

  it('adds longer periods up as the service does', async () => {
    const venue = await openVenue();
    tradeIn(venue, [0, 4, 5, 14, 15]);
    const { market } = marketAt(venue, venue.base);
    const instrument = instrumentOf(venue, 'BTCUSDT');
    const columns = await settled(venue, market.history(instrument, 'M5', minute(0), minute(15)));
    expect(rowsOf(columns)).toMatchObject([
      { stampedAt: minute(0), open: 10_000, price: 10_004, size: 14 },
      { stampedAt: minute(5), open: 10_005, price: 10_005, size: 7 },
      { stampedAt: minute(10), open: 10_014, price: 10_014, size: 7 },
    ]);
  });
});
