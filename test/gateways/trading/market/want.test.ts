import { describe, expect, test } from 'vitest';
import { micros, US_PER_SECOND } from '../../../../src/platform/time.ts';
import { openVenue } from '../../../server/kit.ts';
import { listen, place, settled, trade as tradeAt, until, wantedOf } from './kit.ts';
import { bar, BOOK, book, CANDLES, levels, scene, TOP, type Scene } from './harness.ts';

const quote = (bid: string, ask: string) => ({ t: 1, b: bid, B: '1', a: ask, A: '1' });

/** Changes what is wanted of the only instrument. */
async function want({ market, wanted, timed }: Scene, of: Partial<Scene['wanted']>): Promise<void> {
  const { instrument } = wanted;
  await settled(timed, market.want([{ instrument, trades: false, book: 'none', ...of }]));
}

describe('what is wanted of a market', () => {
  test('begins and ends on the wire as it changes, one request for each channel', async () => {
    const venue = await openVenue();
    const symbols = ['BTCUSDT', 'ETHUSDT'];
    const of = (change: Parameters<typeof wantedOf>[2]) =>
      symbols.map((symbol) => wantedOf(venue, symbol, change));
    const { market, ear } = await listen(venue, of({ trades: true }));
    await settled(venue, market.want(of({ book: 'full' })));
    await until(venue, () => ear.of('reset', 0).length + ear.of('reset', 1).length === 2);
    await tradeAt(venue, '100.00', '1');
    await place(venue, 'other', 'buy', '99.00', '2');
    await until(venue, () => ear.book().bids.length === 1);
    expect(ear.of('trade')).toEqual([]);
    await settled(venue, market.want(of({ trades: true })));
    expect(ear.isStale()).toBe(true);
    await tradeAt(venue, '100.25', '1');
    await until(venue, () => ear.of('trade').length === 1);
    expect(ear.of('trade')).toMatchObject([{ price: 10_025 }]);
    expect(ear.hearings.toSorted()).toEqual(['0 live', '1 live']);
  });

  test('that is empty is disconnected, and is connected when something comes', async () => {
    const venue = await openVenue();
    const { market, ear } = await listen(venue, []);
    expect(ear.hearings).toEqual([]);
    await market.close();
    const stage = await scene({ trades: true });
    await want(stage, {});
    await want(stage, { book: 'full' });
    await until(stage.timed, () => !stage.ear.isStale());
    expect(stage.service.asked).toEqual([
      'subscribe trades',
      'unsubscribe trades',
      `subscribe ${BOOK}`,
    ]);
  });

  test('leaves no moment without a best bid and ask where the whole book takes the place of the best', async () => {
    const stage = await scene({ book: 'top' });
    const { service, ear } = stage;
    service.received = () => undefined;
    await want(stage, { book: 'full' });
    expect(service.asked).toEqual([`subscribe ${TOP}`, `subscribe ${BOOK}`]);
    service.emit(TOP, 'data', quote('100', '101'));
    await until(stage.timed, () => ear.of('quote').at(-1)?.price === 10_000);
    const calls = ear.calls.length;
    service.emit(BOOK, 'snapshot', book(5, levels([99, 1])));
    await until(stage.timed, () => service.asked.length === 3);
    expect(service.asked[2]).toBe(`unsubscribe ${TOP}`);
    // The gap and what ends it come with one frame.
    expect(ear.calls.slice(calls).map((rows) => rows.map(({ kind }) => kind))).toEqual([
      ['gap'],
      ['reset', 'level'],
    ]);
    service.emit(TOP, 'data', quote('50', '51'));
    service.emit(BOOK, 'update', book(6, levels([98, 1])));
    await until(stage.timed, () => ear.book().bids.length === 2);
    expect(ear.of('quote').at(-1)?.price).toBe(10_000);
  });

  test('goes back to the best alone, and forth again before that has come', async () => {
    const stage = await scene({ book: 'full' });
    const { service, ear } = stage;
    const { received: answer } = service;
    service.received = () => undefined;
    await want(stage, { book: 'top' });
    expect(ear.isStale()).toBe(false);
    await want(stage, { book: 'full' });
    service.emit(BOOK, 'update', book(6, levels([99, 1])));
    await until(stage.timed, () => ear.book().bids.length === 2);
    service.received = answer;
    await want(stage, { book: 'top' });
    await until(stage.timed, () => ear.of('quote').length === 1);
    expect(ear.isStale()).toBe(true);
    await until(stage.timed, () => service.asked.length === 5);
    expect(service.asked).toEqual([
      `subscribe ${BOOK}`,
      `subscribe ${TOP}`,
      `unsubscribe ${TOP}`,
      `subscribe ${TOP}`,
      `unsubscribe ${BOOK}`,
    ]);
  });

  test('of candles alone is alive on a quiet market, as its silence asks for candles', async () => {
    const stage = await scene({ candles: 'M1' }, { silentUs: US_PER_SECOND });
    stage.service.received = () => undefined;
    const alive = stage.ear.aliveAt.length;
    await until(stage.timed, () => stage.service.asked.length > 6);
    expect(new Set(stage.service.asked)).toEqual(
      new Set([`subscribe ${CANDLES}`, `unsubscribe ${CANDLES}`]),
    );
    expect(stage.ear.aliveAt.length).toBeGreaterThan(alive + 2);
    expect(stage.ear.hearings).toEqual(['0 live']);
  });

  test('that is nothing keeps its connection, as nothing can be missed', async () => {
    const stage = await scene({ trades: true }, { silentUs: US_PER_SECOND });
    await want(stage, {});
    const asked = stage.service.asked.length;
    const from = stage.timed.scheduler.now();
    await until(stage.timed, () => stage.timed.scheduler.now() > from + 20 * US_PER_SECOND);
    expect(stage.service.asked).toHaveLength(asked);
    expect(stage.ear.hearings).toEqual(['0 live']);
  });

  test('has the candles that ended between a history and the subscription', async () => {
    const stage = await scene({ trades: true });
    const { service, ear, timed } = stage;
    const minute = 60 * US_PER_SECOND;
    const from = micros(Math.floor(timed.scheduler.now() / minute) * minute);
    service.answers.set('/api/3/public/candles/BTCUSDT', [
      {
        timestamp: new Date(from / 1_000).toISOString(),
        open: '100',
        close: '105',
        min: '90',
        max: '110',
        volume: '1',
        volume_quote: '1',
      },
    ]);
    service.received = ({ ch }) => {
      service.emit(ch, 'snapshot', [{ ...bar(1, '107'), t: (from + minute) / 1_000 }]);
    };
    await until(timed, () => timed.scheduler.now() > from + 61 * US_PER_SECOND);
    await want(stage, { trades: true, candles: 'M1', candlesFrom: from });
    await until(timed, () => ear.of('candle').length === 1);
    expect(ear.of('candle')).toMatchObject([{ stampedAt: from, price: 10_500 }]);
  });
});
