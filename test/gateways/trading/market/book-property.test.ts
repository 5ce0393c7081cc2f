import { describe, expect, it } from 'vitest';
import { Random } from '../../../../src/platform/random.ts';
import { openVenue, type TestVenue } from '../../../server/kit.ts';
import { listen, orderOf, until, wantedOf, type Ear } from './kit.ts';

/** The venue's own book, best first, in ticks and lots. */
function bookOf(venue: TestVenue): ReturnType<Ear['book']> {
  const { bids, asks } = venue.trading.exchange.instruments
    .map((_, index) => venue.trading.look().books[index])[0]
    ?.snapshot() ?? { bids: [], asks: [] };
  const pairs = (levels: readonly { readonly ticks: number; readonly lots: number }[]) =>
    levels.map(({ ticks, lots }): [number, number] => [ticks, lots]);
  return { bids: pairs(bids), asks: pairs(asks) };
}

/** Places and cancels orders of a member by chance, in turns that the venue tells of one by one. */
function stir(venue: TestVenue, member: number, random: Random, turn: number): void {
  const { trading, scheduler } = venue;
  trading.act(() => {
    const side = random.chance(0.5) ? 'buy' : 'sell';
    const ticks = 10_000 + (side === 'buy' ? -1 : 1) * random.integer(-3, 20);
    const order = orderOf(`chance-order-${turn}`, side, ticks, random.integer(1, 50));
    trading.exchange.place(member, order, scheduler.now());
    if (random.chance(0.4)) {
      const other = `chance-order-${random.integer(Math.max(0, turn - 30), turn)}`;
      trading.exchange.cancel(member, other, scheduler.now());
    }
  });
}

describe('a book over a wire that loses frames', () => {
  it.each([
    [1, 'drop'],
    [2, 'reorder'],
    [3, 'duplicate'],
    [4, 'skip'],
    [5, 'close'],
  ] as const)('is that of the venue once it is whole (seed %d, %s)', async (seed, kind) => {
    const venue = await openVenue({
      faults: {
        seed,
        streams: [
          {
            socket: '/api/3/ws/public',
            topic: 'orderbook/full',
            skip: 1,
            probability: kind === 'close' ? 0.01 : 0.05,
            fault: { kind },
          },
        ],
      },
    });
    const member = venue.join('chance', { spot: { BTC: '1000', USDT: '10000000' } });
    const { ear } = await listen(venue, [wantedOf(venue, 'BTCUSDT', { book: 'full' })]);
    const random = new Random(seed);
    for (let turn = 0; turn < 600; turn += 1) {
      stir(venue, member, random, turn);
      if (turn % 20 === 0) await until(venue, () => ear.frames.length > 0);
    }
    const { state } = venue.faults ?? {};
    expect(state?.streams[0]?.strikes).toBeGreaterThan(0);
    venue.faults?.play({ ...venue.faults.state.plan, streams: [] });
    // One more change shows a gap that the last frames left.
    await until(venue, () => {
      stir(venue, member, random, 1_000_000 + ear.frames.length);
      return ear.hearings.at(-1) === '0 live' && !ear.isStale();
    });
    await until(venue, () => !ear.isStale() && same(ear, venue));
    expect(ear.book()).toEqual(bookOf(venue));
    expect(ear.of('gap').length > 0).toBe(kind !== 'duplicate');
  });
});

const same = (ear: Ear, venue: TestVenue): boolean =>
  JSON.stringify(ear.book()) === JSON.stringify(bookOf(venue));
