import { describe, expect, it } from 'vitest';
import { US_PER_HOUR } from '../../../../src/platform/time.ts';
import { openVenue, OPENED } from '../../../server/kit.ts';
import { decimal } from '../../../../src/model/decimal.ts';
import { listen, until, wantedOf } from './kit.ts';
import { FUTURES, received, scene, T } from './harness.ts';

const info = (change: object = {}): object => ({
  contract_type: 'perpetual',
  mark_price: '97291.8249',
  index_price: '97298.61',
  funding_rate: '-0.000183473092423284',
  open_interest: '12.345',
  next_funding_time: '2026-01-05T16:00:00.000Z',
  indicative_funding_rate: '0.0001',
  premium_index: '0.0002',
  timestamp: '2026-01-05T10:00:00.250Z',
  ...change,
});
const wanted = { derivatives: true } as const;

describe('what the service says of a contract', () => {
  it('becomes rows of mark and index each time, of funding and open interest where they are new', async () => {
    const one = await scene(wanted);
    expect(one.service.asked).toEqual(['subscribe futures/info']);
    one.service.emit(FUTURES, 'data', info());
    one.service.emit(FUTURES, 'data', info({ timestamp: T + 1_000, mark_price: '97291.8' }));
    one.service.emit(FUTURES, 'update', info({ timestamp: T + 2_000, open_interest: '13' }));
    await received(one, 3);
    const funding = Date.parse('2026-01-05T16:00:00Z') * 1_000;
    expect(one.ear.calls).toMatchObject([
      [
        { kind: 'mark', price: 9_729_182, size: 490_000_000_000_000, last: false },
        { kind: 'index', price: 9_729_861, size: 0, last: false },
        { kind: 'funding', price: -183_473, size: -92_423_284, askPrice: funding, askSize: 0 },
        {
          kind: 'open interest',
          price: 0,
          size: 1_234_500,
          last: true,
          stampedAt: OPENED + 250_000,
        },
      ],
      [
        { kind: 'mark', price: 9_729_180, size: 0, stampedAt: (T + 1_000) * 1_000 },
        { kind: 'index', last: true },
      ],
      [{ kind: 'mark' }, { kind: 'index' }, { kind: 'open interest', size: 1_300_000, last: true }],
    ]);
    expect(one.warnings).toEqual([]);
  });

  it('has no price before one is known, and no funding where a contract ends', async () => {
    const one = await scene(wanted);
    const none = { mark_price: null, index_price: '0', funding_rate: undefined };
    one.service.emit(FUTURES, 'data', info({ ...none, next_funding_time: undefined }));
    one.service.emit(FUTURES, 'data', info({ ...none, open_interest: undefined }));
    await received(one, 2);
    expect(one.ear.reported[0]).toMatchObject([{ kind: 'open interest', last: true }]);
  });

  it('may be numbers, as far as JSON keeps them, and a rate without a time', async () => {
    const one = await scene(wanted);
    const numbers = { mark_price: 100.5, index_price: null, funding_rate: 1e-7 };
    one.service.emit(FUTURES, 'data', info({ ...numbers, next_funding_time: null }));
    await received(one, 1);
    expect(one.ear.reported[0]).toMatchObject([
      { kind: 'mark', price: 10_050, size: 0 },
      { kind: 'funding', price: 100, size: 0, askPrice: 0 },
      { kind: 'open interest' },
    ]);
  });

  it.each([
    ['is no object', 'text'],
    ['has no time', info({ timestamp: undefined })],
    ['has a price that is none', info({ mark_price: 'x' })],
    ['has a number that JSON has rounded', info({ open_interest: 1_234_567.890_123_456_7 })],
    ['has a time of funding that is none', info({ next_funding_time: 'soon' })],
  ])('is asked for again where it %s', async (_, payload) => {
    const one = await scene(wanted);
    one.service.emit(FUTURES, 'data', payload);
    await until(one.timed, () => one.service.asked.length === 3);
    expect(one.service.asked.slice(1)).toEqual([
      'unsubscribe futures/info',
      'subscribe futures/info',
    ]);
    expect(one.ear.reported[0]).toBeUndefined();
    expect(one.warnings.map(({ code }) => code)).toEqual(['answer-invalid']);
  });

  it('is left out where no row holds it exactly, with one warning', async () => {
    const one = await scene(wanted);
    const rate = '0.0000000000000000001';
    one.service.emit(FUTURES, 'data', info({ funding_rate: rate }));
    one.service.emit(FUTURES, 'data', info({ funding_rate: rate }));
    await received(one, 2);
    expect(one.ear.kinds()).toEqual(['mark', 'index', 'open interest', 'mark', 'index']);
    expect(one.warnings.map(({ code, field }) => [code, field])).toEqual([
      ['off-grid', 'funding rate'],
    ]);
  });

  it('is sent whole again after a lost connection', async () => {
    const one = await scene(wanted);
    one.service.received = ({ ch }) => {
      one.service.emit(ch, 'data', info());
    };
    one.service.emit(FUTURES, 'data', info());
    await received(one, 1);
    one.service.socket?.terminate();
    await until(one.timed, () => one.ear.of('funding').length === 2);
    expect(one.ear.kinds()).toEqual([
      ...['mark', 'index', 'funding', 'open interest', 'gap'],
      ...['mark', 'index', 'funding', 'open interest'],
    ]);
  });
});

it(
  'a perpetual of the venue has its mark price, funding and open interest beside its book',
  { tags: ['client:trading-v3.stream-public.futures-info'] },
  async () => {
    const venue = await openVenue();
    const { exchange } = venue.trading;
    venue.trading.act((_, now) => {
      exchange.margin.index(exchange.instrument('ETHUSDT_PERP'), decimal('2000'), now);
    });
    const { ear, warnings } = await listen(venue, [
      wantedOf(venue, 'ETHUSDT_PERP', { trades: true, book: 'full', derivatives: true }),
    ]);
    await until(venue, () => ear.of('mark').length > 1);
    const [mark] = ear.of('mark');
    const [index] = ear.of('index');
    // 10:00, with a rate of 0.01% and six hours of eight to go.
    expect(mark).toMatchObject({ price: 2_000_150, size: 0 });
    expect(index).toMatchObject({ price: 2_000_000, size: 0 });
    expect(ear.of('funding')).toMatchObject([
      { price: 100_000, size: 0, askPrice: OPENED + 6 * US_PER_HOUR, askSize: 0 },
    ]);
    expect(ear.of('open interest')).toMatchObject([{ size: 0 }]);
    expect(mark?.stampedAt).toBeLessThanOrEqual(mark?.receivedAt ?? Number.NaN);
    expect(warnings).toEqual([]);
  },
);
