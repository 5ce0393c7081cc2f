import { describe, expect, it } from 'vitest';
import { openVenue } from '../../../server/kit.ts';
import { listen, place, settled, trade, until, wantedOf, marketAt } from './kit.ts';

describe('a market of the service', () => {
  it('emits trades as rows of ticks and lots, none from before it was opened', async () => {
    const venue = await openVenue();
    await trade(venue, '100.00', '0.5');
    const { ear } = await listen(venue, [wantedOf(venue, 'BTCUSDT', { trades: true })]);
    await trade(venue, '100.25', '0.00002', 'BTCUSDT', 'buy');
    await trade(venue, '99.75', '3', 'BTCUSDT', 'sell');
    await until(venue, () => ear.of('trade').length === 2);
    expect(ear.reported[0]).toMatchObject([
      { kind: 'trade', side: 'buy', price: 10_025, size: 2, last: true },
      { kind: 'trade', side: 'sell', price: 9_975, size: 300_000, last: true },
    ]);
    const [first, second] = ear.of('trade');
    expect(second?.sequence).toBeGreaterThan(first?.sequence ?? Number.NaN);
    expect(first?.stampedAt).toBeLessThanOrEqual(first?.receivedAt ?? Number.NaN);
    expect(ear.hearings).toEqual(['0 live']);
  });

  it('hands the rows of one frame on in one call, the last of them marked', async () => {
    const venue = await openVenue();
    const { ear } = await listen(venue, [wantedOf(venue, 'BTCUSDT', { trades: true })]);
    await place(venue, 'other', 'sell', '100.00', '1');
    await place(venue, 'other', 'sell', '100.01', '1');
    await place(venue, 'demo', 'buy', '100.01', '2');
    await until(venue, () => ear.of('trade').length === 2);
    expect(ear.calls).toHaveLength(1);
    expect(ear.reported[0]?.map(({ price, last }) => [price, last])).toEqual([
      [10_000, false],
      [10_001, true],
    ]);
  });

  it(
    'begins a book with a RESET row and its levels, bids first, and goes on with changes',
    {
      tags: [
        'client:trading-v3.stream-public.book-sequence',
        'client:trading-v3.stream-public.book-zero-deletes',
      ],
    },
    async () => {
      const venue = await openVenue();
      await place(venue, 'other', 'sell', '101.00', '1');
      const bid = await place(venue, 'other', 'buy', '99.00', '2');
      const { ear } = await listen(venue, [wantedOf(venue, 'BTCUSDT', { book: 'full' })]);
      expect(ear.reported[0]).toMatchObject([
        { kind: 'reset', sequence: 2, last: false },
        { kind: 'level', side: 'buy', price: 9_900, size: 200_000, sequence: 2, last: false },
        { kind: 'level', side: 'sell', price: 10_100, size: 100_000, sequence: 2, last: true },
      ]);
      await venue.call('DELETE', `/api/3/spot/order/${bid}`, { as: 'other' });
      await place(venue, 'other', 'sell', '101.00', '0.5');
      await until(venue, () => ear.of('level').length === 4);
      expect(ear.of('level').slice(2)).toMatchObject([
        { side: 'buy', price: 9_900, size: 0, sequence: 3, last: true },
        { side: 'sell', price: 10_100, size: 150_000, sequence: 4, last: true },
      ]);
      expect(ear.book()).toEqual({ bids: [], asks: [[10_100, 150_000]] });
      expect(ear.isStale()).toBe(false);
    },
  );

  it('emits the best bid and ask as QUOTE rows, size 0 where a side is empty', async () => {
    const venue = await openVenue();
    const { ear } = await listen(venue, [wantedOf(venue, 'BTCUSDT', { book: 'top' })]);
    await place(venue, 'other', 'buy', '99.00', '2');
    await until(venue, () => ear.of('quote').at(-1)?.size === 200_000);
    await place(venue, 'other', 'sell', '101.00', '1');
    await until(venue, () => ear.of('quote').at(-1)?.askSize === 100_000);
    expect(ear.of('quote')).toMatchObject([
      { price: 0, size: 0, askPrice: 0, askSize: 0, last: true },
      { price: 9_900, size: 200_000, askPrice: 0, askSize: 0, last: true },
      { price: 9_900, size: 200_000, askPrice: 10_100, askSize: 100_000, last: true },
    ]);
  });

  it('keeps instruments apart by their place in what was wanted', async () => {
    const venue = await openVenue();
    const { ear } = await listen(venue, [
      wantedOf(venue, 'ETHUSDT', { trades: true, book: 'full' }),
      wantedOf(venue, 'BTCUSDT', { trades: true }),
    ]);
    await trade(venue, '100.00', '1', 'BTCUSDT');
    await trade(venue, '10.005', '1', 'ETHUSDT');
    await until(venue, () => ear.of('trade', 0).length + ear.of('trade', 1).length === 2);
    expect(ear.of('trade', 0)).toMatchObject([{ price: 10_005, size: 10_000 }]);
    expect(ear.of('trade', 1)).toMatchObject([{ price: 10_000, size: 100_000 }]);
    expect(ear.kinds(1)).toEqual(['trade']);
    expect(ear.hearings.toSorted()).toEqual(['0 live', '1 live']);
  });

  it('hands on each frame as it came', async () => {
    const venue = await openVenue();
    const { ear } = await listen(venue, [wantedOf(venue, 'BTCUSDT', { trades: true })]);
    await trade(venue, '100.25', '0.5');
    await until(venue, () => ear.frames.length === 1);
    expect(ear.frames.map((frame) => JSON.parse(frame) as unknown)).toMatchObject([
      { ch: 'trades', update: { BTCUSDT: [{ p: '100.25', q: '0.50000', s: 'buy' }] } },
    ]);
  });

  it('is refused where the service does not know an instrument', async () => {
    const venue = await openVenue();
    const elsewhere = await openVenue();
    const { market, ear } = marketAt(venue, venue.base);
    const wanted = wantedOf(elsewhere, 'ETHBTC', { book: 'full' });
    const { instrument } = wanted;
    Object.defineProperty(instrument, 'symbol', { value: 'NOWHERE' });
    const both = [wanted, wantedOf(venue, 'BTCUSDT', { book: 'full' })];
    await expect(settled(venue, market.open(both, ear))).rejects.toMatchObject({
      code: 'symbol-unknown',
      message: 'The service has no orderbook/full of NOWHERE.',
    });
  });
});
