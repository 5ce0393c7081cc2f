import { describe, expect, it, test } from 'vitest';
import { micros } from '../../../../src/platform/time.ts';
import { OPENED } from '../../../server/kit.ts';
import { until } from './kit.ts';
import { bar, BOOK, book, CANDLES, received, levels, scene, T, trade } from './harness.ts';

describe('a book', () => {
  it(
    'goes stale at a gap of its numbers, is asked for again, and is whole again with the snapshot',
    { tags: ['client:trading-v3.stream-public.book-gap'] },
    async () => {
      const all = await scene();
      const { service, ear, timed } = all;
      service.received = () => undefined;
      service.emit(BOOK, 'update', book(6, levels([101, 2])));
      service.emit(BOOK, 'update', book(8, levels([102, 3])));
      service.emit(BOOK, 'update', book(9, levels([103, 4])));
      await received(all, 4);
      expect(ear.kinds()).toEqual(['reset', 'level', 'gap']);
      expect(ear.of('gap')).toMatchObject([{ sequence: 7, last: true }]);
      expect(ear.isStale()).toBe(true);
      expect(ear.book().bids).toEqual([
        [10_100, 200_000],
        [10_000, 100_000],
      ]);
      await until(timed, () => service.asked.length === 3);
      expect(service.asked).toEqual([
        `subscribe ${BOOK}`,
        `unsubscribe ${BOOK}`,
        `subscribe ${BOOK}`,
      ]);
      service.emit(BOOK, 'update', book(10, levels([104, 5])));
      service.emit(BOOK, 'snapshot', book(10, levels([104, 5])));
      service.emit(BOOK, 'update', book(11, levels([105, 6])));
      await received(all, 7);
      expect(ear.book().bids).toEqual([
        [10_500, 600_000],
        [10_400, 500_000],
      ]);
      expect(ear.isStale()).toBe(false);
      expect(ear.hearings).toEqual(['0 live']);
    },
  );

  it(
    'leaves out updates that are not above the last',
    { tags: ['client:trading-v3.stream-public.book-gap'] },
    async () => {
      const all = await scene();
      const { service, ear } = all;
      service.emit(BOOK, 'update', book(6, levels([100, 2])));
      service.emit(BOOK, 'update', book(6, levels([100, 3])));
      service.emit(BOOK, 'update', book(4, levels([100, 4])));
      service.emit(BOOK, 'update', book(7, levels([99, 1])));
      await received(all, 5);
      expect(ear.book().bids).toEqual([
        [10_000, 200_000],
        [9_900, 100_000],
      ]);
      expect(service.asked).toEqual([`subscribe ${BOOK}`]);
    },
  );

  it('leaves out levels of quantity 0 in a snapshot, and takes one that comes unasked', async () => {
    const all = await scene();
    const { service, ear } = all;
    service.emit(BOOK, 'snapshot', book(3, levels([90, 0], [91, 1]), levels([92, 0])));
    service.emit(BOOK, 'update', book(4, levels([91, 0]), levels([93, 1])));
    await received(all, 3);
    expect(ear.book()).toEqual({ bids: [], asks: [[9_300, 100_000]] });
    expect(ear.reported[0]?.slice(2, 4)).toMatchObject([
      { kind: 'reset', sequence: 3, last: false },
      { kind: 'level', price: 9_100, last: true },
    ]);
  });

  test.each([
    ['a level without a quantity', { ...book(6, []), b: [['1']] }],
    ['a price that is no number', book(6, [['x', '1']])],
    ['a negative quantity', book(6, [['1', '-1']])],
    ['a level that is none', { ...book(6, []), a: [null] }],
    ['no number', { ...book(6, []), s: 'x' }],
    ['no time', { ...book(6, []), t: {} }],
    ['no levels', { t: T, s: 6 }],
    ['nothing', null],
  ])('starts again after a frame with %s', async (_, payload) => {
    const all = await scene();
    const { service, ear, timed, warnings } = all;
    service.emit(BOOK, 'update', payload);
    await until(timed, () => ear.of('reset').length === 2);
    expect(ear.kinds()).toEqual(['reset', 'level', 'gap', 'reset', 'level']);
    expect(warnings.map(({ code }) => code)).toEqual(['answer-invalid']);
    expect(ear.isStale()).toBe(false);
  });

  it('is asked for once a second at most', async () => {
    const all = await scene();
    const { service, ear, timed } = all;
    service.received = ({ method }) => {
      if (method !== 'subscribe') return;
      service.emit(BOOK, 'snapshot', book(5, levels([100, 1])));
      service.emit(BOOK, 'update', book(7, levels([100, 1])));
    };
    const before = timed.scheduler.now();
    service.emit(BOOK, 'update', book(9, []));
    await until(timed, () => ear.of('reset').length === 4);
    expect(timed.scheduler.now() - before).toBeGreaterThanOrEqual(2_000_000);
  });

  it('is asked for again where no snapshot comes', async () => {
    const all = await scene();
    const { service, ear, timed, warnings } = all;
    const answer = service.received;
    service.received = () => undefined;
    service.emit(BOOK, 'update', book(9, []));
    await until(timed, () => service.asked.length === 3);
    service.received = answer;
    await until(timed, () => ear.of('reset').length === 2);
    expect(warnings.map(({ code }) => code)).toEqual(['service-unavailable']);
    expect(service.asked).toHaveLength(5);
  });
});

describe('trades', () => {
  it('are reported once, whatever is repeated', async () => {
    const all = await scene({ trades: true });
    const { service, ear } = all;
    service.emit('trades', 'update', [trade(7), trade(9)]);
    service.emit('trades', 'update', [trade(9), trade(10)]);
    service.emit('trades', 'update', [trade(7)]);
    await received(all, 4);
    expect(ear.of('trade').map(({ sequence }) => sequence)).toEqual([7, 9, 10]);
  });

  it('that cannot be read are fetched', async () => {
    const all = await scene({ trades: true });
    const { service, ear, timed, warnings } = all;
    const reported = { price: '100.00', qty: '1', side: 'sell', timestamp: '2026-01-05T10:00:01Z' };
    service.answers.set('/api/3/public/trades/BTCUSDT', [
      { id: 8, ...reported },
      { id: 9, ...reported },
    ]);
    service.received = ({ method }) => {
      if (method === 'subscribe') service.emit('trades', 'snapshot', [trade(9)]);
    };
    service.emit('trades', 'update', [trade(7), trade(8, 'much')]);
    await until(timed, () => ear.of('trade').length === 3);
    expect(ear.of('trade').map(({ sequence, side }) => `${side} ${sequence}`)).toEqual([
      ...['buy 7', 'sell 8', 'sell 9'],
    ]);
    expect(service.targets[0]).toBe(
      '/api/3/public/trades/BTCUSDT?sort=ASC&limit=1000&by=id&from=8&till=9',
    );
    expect(warnings.map(({ code }) => code)).toEqual(['answer-invalid']);
  });

  it('that the service does not list are given up after a while, with a warning', async () => {
    const all = await scene({ trades: true });
    const { service, ear, timed, warnings } = all;
    service.answers.set('/api/3/public/trades/BTCUSDT', []);
    service.emit('trades', 'update', [trade(7)]);
    await received(all, 2);
    service.received = ({ method }) => {
      if (method === 'subscribe') service.emit('trades', 'snapshot', [trade(9)]);
    };
    service.socket?.terminate();
    await until(timed, () => ear.hearings.length === 3);
    service.emit('trades', 'update', [trade(10)]);
    await until(timed, () => ear.of('trade').length === 2);
    expect(ear.of('trade').map(({ sequence }) => sequence)).toEqual([7, 10]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'The service does not list its trade 9 of BTCUSDT; trades after 7 may be missing.',
    ]);
  });

  it('of a service that restarts its numbers are reported, with a warning', async () => {
    const all = await scene({ trades: true });
    const { service, ear, warnings } = all;
    service.emit('trades', 'update', [trade(700)]);
    service.emit('trades', 'update', [trade(1, '101.00', T + 5_000)]);
    service.emit('trades', 'update', [trade(2, '102.00', T + 6_000)]);
    await received(all, 4);
    expect(ear.of('trade').map(({ sequence }) => sequence)).toEqual([700, 1, 2]);
    expect(warnings).toHaveLength(1);
  });
});

describe('candles', () => {
  it('are emitted when a later one begins, or half a second after their end', async () => {
    const all = await scene({ candles: 'M1' });
    const { service, ear, timed } = all;
    service.emit(CANDLES, 'update', [bar(0, '101')]);
    service.emit(CANDLES, 'update', [bar(0, '102', '2')]);
    await received(all, 3);
    timed.scheduler.advanceTo(micros(OPENED + 60_300_000));
    service.emit(CANDLES, 'update', [bar(0, '103', '3'), bar(1, '104')]);
    await received(all, 4);
    expect(ear.of('candle')).toMatchObject([
      { stampedAt: OPENED, price: 10_300, size: 300_000, open: 10_000, last: true },
    ]);
    expect(ear.of('candle')[0]).toMatchObject({ askPrice: 11_000, askSize: 9_000 });
    timed.scheduler.advanceTo(micros(OPENED + 120_400_000));
    expect(ear.of('candle')).toHaveLength(1);
    timed.scheduler.advanceTo(micros(OPENED + 120_600_000));
    const second = ear.of('candle')[1];
    expect(second).toMatchObject({ stampedAt: OPENED + 60_000_000, price: 10_400 });
    // The clock of the service was read to about ten milliseconds.
    expect(second?.receivedAt).toBeGreaterThan(OPENED + 120_450_000);
    expect(second?.receivedAt).toBeLessThan(OPENED + 120_550_000);
  });

  it('of periods without trades are not there', async () => {
    const all = await scene({ candles: 'M1' });
    const { service, ear } = all;
    service.emit(CANDLES, 'update', [bar(0, '101')]);
    service.emit(CANDLES, 'update', [bar(4, '102')]);
    await received(all, 3);
    expect(ear.of('candle').map(({ stampedAt }) => stampedAt)).toEqual([OPENED]);
  });

  it('that the service changes later are warned of once, and not reported again', async () => {
    const all = await scene({ candles: 'M1' });
    const { service, ear, warnings } = all;
    service.emit(CANDLES, 'update', [bar(0, '101'), bar(1, '102')]);
    service.emit(CANDLES, 'update', [bar(0, '101')]);
    service.emit(CANDLES, 'update', [bar(0, '105')]);
    await received(all, 4);
    expect(ear.of('candle')).toHaveLength(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      'The service changed the M1 candle of BTCUSDT from 2026-01-05T10:00:00.000Z after it was sent as complete.',
    ]);
  });

  it('that ended before the market was opened are left to the history', async () => {
    const all = await scene({ candles: 'M1' });
    const { service, ear, warnings } = all;
    service.emit(CANDLES, 'snapshot', [bar(-2, '101'), bar(-1, '102')]);
    service.emit(CANDLES, 'update', [bar(0, '103'), bar(1, '104')]);
    await received(all, 3);
    expect(ear.of('candle').map(({ price }) => price)).toEqual([10_300]);
    expect(warnings).toEqual([]);
  });
});
