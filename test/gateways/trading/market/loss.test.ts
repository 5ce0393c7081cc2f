import { describe, expect, it } from 'vitest';
import { openVenue } from '../../../server/kit.ts';
import { cableTo } from './cable.ts';
import { listen, marketAt, orderOf, place, settled, trade, until, wantedOf } from './kit.ts';

const socket = '/api/3/ws/public';

describe('a market that is lost', () => {
  it(
    'emits a GAP row, then the loss, and starts again with a RESET',
    { tags: ['client:trading-v3.stream-public.reconnect'] },
    async () => {
      const venue = await openVenue();
      const cable = await cableTo(venue);
      const { market, ear } = marketAt(venue, cable.url);
      await place(venue, 'other', 'buy', '99.00', '1');
      await settled(venue, market.open([wantedOf(venue, 'BTCUSDT', { book: 'full' })], ear));
      await until(venue, () => ear.hearings.length === 1);
      cable.cut();
      await until(venue, () => ear.hearings.length === 2);
      expect(ear.kinds()).toEqual(['reset', 'level', 'gap']);
      expect(ear.isStale()).toBe(true);
      await place(venue, 'other', 'buy', '98.00', '2');
      await place(venue, 'other', 'sell', '98.00', '1');
      cable.mend();
      await until(venue, () => ear.hearings.length === 3);
      expect(ear.hearings).toEqual(['0 live', '0 lost', '0 live']);
      expect(ear.kinds()).toEqual(['reset', 'level', 'gap', 'reset', 'level']);
      expect(ear.book()).toEqual({ bids: [[9_800, 200_000]], asks: [] });
      expect(ear.isStale()).toBe(false);
      expect(ear.whys[0]).toContain('The socket ws://127.0.0.1');
    },
  );

  it('is lost by silence too', async () => {
    const venue = await openVenue();
    const cable = await cableTo(venue);
    const options = { backoffUs: 10_000, pingAfterUs: 300_000, pongWithinUs: 300_000 };
    const { market, ear } = marketAt(venue, cable.url, { socket: options });
    await settled(venue, market.open([wantedOf(venue, 'BTCUSDT', { book: 'full' })], ear));
    await until(venue, () => ear.hearings.length === 1);
    cable.freeze();
    await until(venue, () => ear.hearings.length === 3);
    expect(ear.hearings).toEqual(['0 live', '0 lost', '0 live']);
    expect(ear.whys[0]).toContain('has been silent for 0.6 s');
  });

  it('gets the trades that it missed in their order, before the live ones, none twice', async () => {
    const venue = await openVenue();
    const cable = await cableTo(venue);
    const { market, ear, warnings } = marketAt(venue, cable.url);
    await settled(venue, market.open([wantedOf(venue, 'BTCUSDT', { trades: true })], ear));
    await until(venue, () => ear.hearings.length === 1);
    await trade(venue, '100.00', '1');
    await until(venue, () => ear.of('trade').length === 1);
    cable.cut();
    await until(venue, () => ear.hearings.length === 2);
    const missed = ['100.01', '100.02', '100.03'];
    for (const price of missed) await trade(venue, price, '1');
    // A trade elsewhere takes a number too.
    await trade(venue, '50.000', '1', 'ETHUSDT');
    await trade(venue, '100.04', '1', 'BTCUSDT', 'sell');
    cable.mend();
    await until(venue, () => ear.hearings.length === 3);
    await trade(venue, '100.05', '1');
    await until(venue, () => ear.of('trade').length === 6);
    expect(ear.of('trade').map(({ price, side }) => `${side} ${price}`)).toEqual([
      ...['buy 10000', 'buy 10001', 'buy 10002', 'buy 10003', 'sell 10004', 'buy 10005'],
    ]);
    const ids = ear.of('trade').map(({ sequence }) => sequence);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    const received = (ear.reported[0] ?? []).map(({ receivedAt }) => receivedAt);
    expect(received).toEqual(received.toSorted((one, other) => one - other));
    expect(warnings).toEqual([]);
  });

  it('keeps live trades back until the missed ones have come', async () => {
    const venue = await openVenue({ faults: {} });
    const cable = await cableTo(venue);
    const { market, ear } = marketAt(venue, cable.url);
    await settled(venue, market.open([wantedOf(venue, 'BTCUSDT', { trades: true })], ear));
    await until(venue, () => ear.hearings.length === 1);
    await trade(venue, '100.00', '1');
    await until(venue, () => ear.of('trade').length === 1);
    cable.cut();
    await until(venue, () => ear.hearings.length === 2);
    await trade(venue, '100.01', '1');
    venue.faults?.play({
      ...venue.faults.state.plan,
      http: [
        {
          path: '/api/3/public/trades/BTCUSDT',
          when: 'before',
          skip: 0,
          probability: 1,
          count: 1,
          fault: { kind: 'delay', delayMs: 400 },
        },
      ],
    });
    const frames = ear.frames.length;
    cable.mend();
    await until(venue, () => ear.frames.length > frames);
    await trade(venue, '100.02', '1');
    await until(venue, () => ear.frames.length > frames + 1);
    expect(ear.of('trade')).toHaveLength(1);
    expect(ear.hearings).toEqual(['0 live', '0 lost']);
    await until(venue, () => ear.hearings.length === 3);
    expect(ear.of('trade').map(({ price }) => price)).toEqual([10_000, 10_001, 10_002]);
  });

  it('fetches more missed trades than a page has', async () => {
    const venue = await openVenue();
    const cable = await cableTo(venue);
    const { market, ear } = marketAt(venue, cable.url);
    await settled(venue, market.open([wantedOf(venue, 'BTCUSDT', { trades: true })], ear));
    await until(venue, () => ear.hearings.length === 1);
    await trade(venue, '100.00', '1');
    await until(venue, () => ear.of('trade').length === 1);
    cable.cut();
    await until(venue, () => ear.hearings.length === 2);
    const buyer = venue.join('buyer');
    await place(venue, 'other', 'sell', '100.00', '0.02201');
    for (let at = 0; at < 2_201; at += 1) {
      venue.trading.exchange.place(
        buyer,
        orderOf(`taker-order-${at}`, 'buy', 10_000, 1),
        venue.scheduler.now(),
      );
    }
    cable.mend();
    await until(venue, () => ear.hearings.length === 3);
    expect(ear.of('trade')).toHaveLength(2_202);
    expect(new Set(ear.of('trade').map(({ sequence }) => sequence)).size).toBe(2_202);
  });

  it('fetches missed trades again and again until the service answers', async () => {
    const venue = await openVenue({
      faults: {
        http: [
          { path: '/api/3/public/trades/*', count: 2, fault: { kind: 'answer', status: 503 } },
        ],
      },
    });
    const cable = await cableTo(venue);
    const { market, ear, warnings } = marketAt(venue, cable.url);
    await settled(venue, market.open([wantedOf(venue, 'BTCUSDT', { trades: true })], ear));
    await until(venue, () => ear.hearings.length === 1);
    await trade(venue, '100.00', '1');
    await until(venue, () => ear.of('trade').length === 1);
    cable.cut();
    await until(venue, () => ear.hearings.length === 2);
    await trade(venue, '100.01', '1');
    cable.mend();
    await until(venue, () => ear.hearings.length === 3);
    expect(ear.of('trade')).toHaveLength(2);
    expect(warnings.every(({ code }) => code === 'service-unavailable')).toBe(true);
  });

  it('gets the candles that it missed, and the one that was open as it ended', async () => {
    const venue = await openVenue();
    const cable = await cableTo(venue);
    const { market, ear } = marketAt(venue, cable.url);
    await settled(venue, market.open([wantedOf(venue, 'BTCUSDT', { candles: 'M1' })], ear));
    await until(venue, () => ear.hearings.length === 1);
    await trade(venue, '100.00', '1');
    await until(venue, () => ear.frames.length > 0);
    cable.cut();
    await until(venue, () => ear.hearings.length === 2);
    await trade(venue, '101.00', '1');
    venue.pass(60_000_000);
    await trade(venue, '102.00', '1');
    venue.pass(120_000_000);
    await trade(venue, '103.00', '1');
    cable.mend();
    await until(venue, () => ear.hearings.length === 3);
    const minute = 60_000_000;
    const [first] = ear.of('candle');
    const openedAt = first?.stampedAt ?? Number.NaN;
    expect(openedAt % minute).toBe(0);
    expect(ear.of('candle')).toMatchObject([
      { open: 10_000, askPrice: 10_100, askSize: 10_000, price: 10_100, size: 200_000 },
      { stampedAt: openedAt + minute, open: 10_200, price: 10_200, size: 100_000 },
    ]);
    venue.pass(minute);
    await until(venue, () => ear.of('candle').length === 3);
    expect(ear.of('candle')[2]).toMatchObject({ stampedAt: openedAt + 3 * minute, price: 10_300 });
  });

  it('is lost and found again when the service closes the socket in the middle', async () => {
    const venue = await openVenue({
      faults: {
        streams: [{ socket, topic: 'trades', count: 1, fault: { kind: 'close' } }],
      },
    });
    const { ear } = await listen(venue, [wantedOf(venue, 'BTCUSDT', { trades: true })]);
    await trade(venue, '100.00', '1');
    await until(venue, () => ear.hearings.length === 3);
    // The frame in whose place the socket was closed had the first trade there ever was.
    await trade(venue, '100.01', '1');
    await until(venue, () => ear.of('trade').some(({ price }) => price === 10_001));
    expect(ear.of('trade').map(({ price }) => price)).toEqual([10_000, 10_001]);
  });
});
