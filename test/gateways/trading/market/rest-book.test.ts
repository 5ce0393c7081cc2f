import { expect, it } from 'vitest';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import { openVenue } from '../../../server/kit.ts';
import { listen, place, until, wantedOf } from './kit.ts';

it(
  'keeps a book that is the one of REST at the same moment',
  { tags: ['client:trading-v3.stream-public.book-consistency'] },
  async () => {
    const venue = await openVenue();
    await place(venue, 'other', 'sell', '101.00', '1');
    const { ear } = await listen(venue, [wantedOf(venue, 'BTCUSDT', { book: 'full' })]);
    const canceled = await place(venue, 'other', 'buy', '98.00', '2');
    for (const [side, price, quantity] of [
      ['buy', '99.00', '0.00007'],
      ['buy', '98.50', '3'],
      ['sell', '102.00', '0.4'],
      ['buy', '101.00', '0.25'],
      ['sell', '100.99', '1.00001'],
    ] as const) {
      await place(venue, 'other', side, price, quantity);
    }
    await venue.call('DELETE', `/api/3/spot/order/${canceled}`, { as: 'other' });
    const client = new TradingClient({ url: venue.base });
    const { bid, ask } = await client.rest.getOrderBook({ symbol: 'BTCUSDT', depth: 0 });
    const inSteps = (levels: typeof bid): [number, number][] =>
      levels.map(([price, size]) => [price.times(100).toNumber(), size.times(100_000).toNumber()]);
    const snapshot = { bids: inSteps(bid), asks: inSteps(ask) };
    expect(snapshot).toEqual({
      bids: [
        [9_900, 7],
        [9_850, 300_000],
      ],
      asks: [
        [10_099, 100_001],
        [10_100, 75_000],
        [10_200, 40_000],
      ],
    });
    await until(venue, () => JSON.stringify(ear.book()) === JSON.stringify(snapshot));
    expect(ear.isStale()).toBe(false);
    await client.close();
  },
);
