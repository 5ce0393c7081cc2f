import { describe, expect, it, test } from 'vitest';
import { until } from './kit.ts';
import { bar, BOOK, book, CANDLES, received, levels, scene, T, TOP, trade } from './harness.ts';

describe('what comes in numbers, or in a form that it should not have', () => {
  it('a book of thousands of levels is read whole', async () => {
    const all = await scene();
    const { service, ear } = all;
    const side = (from: number): readonly string[][] =>
      levels(...Array.from({ length: 1_500 }, (_, at) => [from + at, at + 1] as const));
    service.emit(BOOK, 'snapshot', book(9, side(1_000).toReversed(), side(3_000)));
    await received(all, 2);
    expect(ear.calls.at(-1)).toHaveLength(3_001);
    const { bids, asks } = ear.book();
    expect([bids.length, asks.length]).toEqual([1_500, 1_500]);
    expect([bids[0], asks[0]]).toEqual([
      [249_900, 150_000_000],
      [300_000, 100_000],
    ]);
    expect(ear.calls.at(-1)?.filter(({ last }) => last)).toHaveLength(1);
  });

  it('live trades beyond ten thousand that wait for missed ones are fetched with them', async () => {
    const all = await scene({ trades: true });
    const { service, ear, timed } = all;
    service.emit('trades', 'update', [trade(1)]);
    await received(all, 2);
    const listed = Array.from({ length: 10_101 }, (_, at) => ({
      id: at + 1,
      price: '100.00',
      qty: '1',
      side: 'buy',
      timestamp: '2026-01-05T10:00:20Z',
    }));
    service.answers.set('/api/3/public/trades/BTCUSDT', []);
    service.received = ({ method }) => {
      if (method !== 'subscribe') return;
      service.emit('trades', 'snapshot', [trade(100)]);
      service.emit(
        'trades',
        'update',
        Array.from({ length: 10_001 }, (_, at) => trade(at + 101)),
      );
      // What is asked for first is listed once all of that has come.
      service.answers.set('/api/3/public/trades/BTCUSDT', listed.slice(0, 100));
      service.next.push(
        listed.slice(0, 100),
        ...Array.from({ length: 10 }, (_, at) =>
          listed.slice(at * 1_000 + 100, at * 1_000 + 1_100),
        ),
      );
      service.answers.set('/api/3/public/trades/BTCUSDT', listed.slice(10_100));
    };
    service.socket?.terminate();
    await until(timed, () => ear.hearings.length === 3);
    expect(ear.of('trade').map(({ sequence }) => sequence)).toEqual(listed.map(({ id }) => id));
  });

  it('the first update of trades counts where no snapshot came before it', async () => {
    const all = await scene({ trades: true });
    const { service, ear, timed } = all;
    service.received = ({ method }) => {
      if (method === 'subscribe') service.emit('trades', 'update', [trade(9)]);
    };
    service.answers.set('/api/3/public/trades/BTCUSDT', []);
    service.emit('trades', 'update', [trade(8)]);
    await received(all, 2);
    service.socket?.terminate();
    await until(timed, () => ear.hearings.length === 3);
    expect(ear.of('trade').map(({ sequence }) => sequence)).toEqual([8, 9]);
  });

  test.each([
    ['trades', { trades: true }, 'update', {}],
    ['trades', { trades: true }, 'snapshot', [{ ...trade(1), s: 'none' }]],
    ['trades', { trades: true }, 'update', [null]],
    ['trades', { trades: true }, 'update', [{ ...trade(1), s: 'none' }]],
    [TOP, { book: 'top' }, 'data', { t: T, a: 'x', A: '1', b: null, B: null }],
    [TOP, { book: 'top' }, 'data', { t: 'x', a: null, A: null, b: null, B: null }],
    [TOP, { book: 'top' }, 'data', null],
    [CANDLES, { candles: 'M1' }, 'update', {}],
    [CANDLES, { candles: 'M1' }, 'update', [null]],
    [CANDLES, { candles: 'M1' }, 'update', [{ ...bar(0, '1'), v: 'much' }]],
  ] as const)(
    'a frame of %s that cannot be read is warned of (%#)',
    async (ch, of, part, given) => {
      const { service, timed, warnings, ear } = await scene(of);
      service.emit(ch, part, given);
      await until(timed, () => warnings.length === 1);
      await until(timed, () => service.asked.length === 3);
      expect(service.asked).toEqual([`subscribe ${ch}`, `unsubscribe ${ch}`, `subscribe ${ch}`]);
      expect(warnings[0]?.message).toContain(`A frame of ${ch} for BTCUSDT cannot be read`);
      expect([...ear.of('trade'), ...ear.of('candle')]).toEqual([]);
    },
  );

  it('a frame that is no JSON, and one of a channel that nobody asked for, are warned of', async () => {
    const { service, timed, warnings } = await scene();
    service.say('{"ch":"orderbook/full","update":{');
    service.say({ ch: 'nowhere', update: {} });
    await until(timed, () => warnings.length === 2);
    expect(warnings.every(({ code }) => code === 'answer-invalid')).toBe(true);
  });
});
