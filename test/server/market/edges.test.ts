import { describe, expect, test } from 'vitest';
import { Instrument, type InstrumentTerms } from '../../../src/model/instrument.ts';
import type { MarginTerms } from '../../../src/model/margin-terms.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { IntervalScheduler } from '../../../src/server/trading/streams/market/interval-scheduler.ts';
import {
  TimedChannel,
  type Reading,
} from '../../../src/server/trading/streams/market/timed-channel.ts';
import { openVenue, OPENED } from '../kit.ts';
import { MarketHarness, receivedOn } from './harness.ts';

const SPOT: InstrumentTerms = {
  symbol: 'ETHBTC',
  type: 'spot',
  baseCurrency: 'ETH',
  quoteCurrency: 'BTC',
  tickSize: '0.000001',
  quantityIncrement: '0.0001',
  takeRate: '0.002',
  makeRate: '0.001',
  feeCurrency: 'BTC',
};

const terms = (change: Partial<InstrumentTerms>): Instrument =>
  new Instrument({ ...SPOT, ...change });

const QUARTERLY = terms({
  symbol: 'ETHBTC_260327',
  type: 'futures',
  contractType: 'cash_settled',
  expiry: '2026-03-27T08:00:00Z',
});

const closed: MarginTerms = {
  marginMode: 'isolated',
  marginCallLeverageMul: '1.50',
  liquidationLeverageMul: '2.00',
  maxInitialLeverage: '10',
  forceCloseFee: '0.05',
  enabled: false,
  active: true,
};

describe('symbols out of the ordinary', () => {
  test(
    'a cash-settled contract shows when it ends',
    { tags: ['server:trading-v3.public.symbol-type-values'] },
    async () => {
      const venue = await openVenue({ instruments: [terms({}), QUARTERLY] });
      const floor = new MarketHarness(venue);
      expect(await floor.get('/api/3/public/symbol')).toMatchObject({
        ETHBTC: { type: 'spot' },
        ETHBTC_260327: {
          type: 'futures',
          contract_type: 'cash_settled',
          expiry: '2026-03-27T08:00:00Z',
          underlying: 'ETH',
          base_currency: null,
          margin_trading: false,
        },
      });
    },
  );

  test('a contract without funding has no members of it', async () => {
    const venue = await openVenue({ instruments: [terms({}), QUARTERLY] });
    const info = await new MarketHarness(venue).get('/api/3/public/futures/info/ETHBTC_260327');
    expect(Object.keys(info as object)).toEqual([
      'contract_type',
      'mark_price',
      'index_price',
      'open_interest',
      'premium_index',
      'timestamp',
    ]);
  });

  test('a futures without contract terms has no contract type', async () => {
    const venue = await openVenue({
      instruments: [terms({}), terms({ symbol: 'F', type: 'futures' })],
    });
    const floor = new MarketHarness(venue);
    const symbol = await floor.get('/api/3/public/symbol/F');
    expect(symbol).toMatchObject({ type: 'futures', expiry: null, underlying: 'ETH' });
    expect(symbol).not.toHaveProperty('contract_type');
    expect(await floor.rejected('/api/3/public/futures/info/F')).toMatchObject({ code: 2001 });
    expect(await floor.rejected('/api/2/public/symbol/F')).toMatchObject({ code: 2001 });
  });

  test('a symbol whose margin terms are off is not traded on margin', async () => {
    const venue = await openVenue({ instruments: [terms({ margin: [closed] })] });
    const floor = new MarketHarness(venue);
    const v3 = await floor.get('/api/3/public/symbol/ETHBTC');
    expect(v3).toMatchObject({ margin_trading: false });
    expect(v3).not.toHaveProperty('max_initial_leverage');
    expect(await floor.get('/api/2/public/symbol/ETHBTC')).toMatchObject({ marginTrading: false });
  });
});

describe('rates without a target', () => {
  test('are in the quote currency of the first spot symbol where nothing is quoted in USDT', async () => {
    const floor = new MarketHarness(await openVenue({ instruments: [QUARTERLY, terms({})] }));
    expect(await floor.get('/api/3/public/price/rate')).toMatchObject({ ETH: { currency: 'BTC' } });
  });

  test('are refused where there is no spot symbol', async () => {
    const floor = new MarketHarness(await openVenue({ instruments: [QUARTERLY] }));
    for (const path of ['rate', 'history']) {
      expect(await floor.rejected(`/api/3/public/price/${path}`)).toEqual({
        status: 400,
        code: 10001,
        description: 'to is required',
      });
    }
  });
});

describe('books', () => {
  test('a reader for whom more has changed at once than is kept gets a new snapshot', async () => {
    const venue = await openVenue({ exchange: { marketData: { bookChangesKept: 1 } } });
    const floor = new MarketHarness(venue);
    const socket = await venue.socket('/api/3/ws/public');
    const ch = 'orderbook/full';
    await socket.request('subscribe', { symbols: ['BTCUSDT'] }, { ch });
    const account = venue.trading.members.key('demo')?.account ?? -1;
    venue.trading.act((exchange, now) => {
      for (let i = 1; i <= 300; i += 1) {
        const order = {
          clientOrderId: `level-${String(i).padStart(8, '0')}`,
          symbol: 'BTCUSDT',
          side: 'buy',
          type: 'limit',
          timeInForce: 'GTC',
          postOnly: false,
          ticks: i as Ticks,
          lots: 1 as Lots,
        } as const;
        expect(exchange.place(account, order, now)).toBeUndefined();
      }
    });
    floor.rest('BTCUSDT', 'buy', '100', '1');
    await socket.settle();
    expect(receivedOn(socket, ch)).toMatchObject([
      { snapshot: { BTCUSDT: { s: 0, b: { length: 0 } } } },
      { snapshot: { BTCUSDT: { s: 300, b: { length: 300 } } } },
      { update: { BTCUSDT: { s: 301, b: [['100.00', '1.00000']] } } },
    ]);
  });
});

describe('channels that look from time to time', () => {
  const follower = () => {
    const received: string[] = [];
    return {
      received,
      send: (frame: string | { readonly text: string }) => {
        received.push(typeof frame === 'string' ? frame : frame.text);
      },
    };
  };

  test('read nothing while a mark stays, and nothing at all when nobody follows', async () => {
    const venue = await openVenue();
    let mark = 1;
    let reads = 0;
    const channel = new TimedChannel({
      beats: new IntervalScheduler(venue.trading),
      everyMs: 1_000,
      batch: false,
      read: (): Reading => {
        reads += 1;
        return { text: String(reads), content: String(reads) };
      },
      mark: () => mark,
      write: (records) => JSON.stringify(records),
    });
    const [one, other] = [follower(), follower()];
    channel.leave(one, ['a']);
    channel.join(one, ['a', 'b']);
    expect(reads).toBe(2);
    venue.pass(2 * US_PER_SECOND);
    expect(reads).toBe(2);
    mark = 2;
    venue.pass(2 * US_PER_SECOND);
    expect(reads).toBe(4);
    channel.leave(other, ['a']);
    channel.leave(one, ['a', 'x']);
    mark = 3;
    venue.pass(US_PER_SECOND);
    expect(reads).toBe(5);
    channel.leave(one, ['b']);
    mark = 4;
    venue.pass(2 * US_PER_SECOND);
    expect(reads).toBe(5);
    expect(one.received).toEqual([
      '[["a","1"]]',
      '[["b","2"]]',
      '[["a","3"]]',
      '[["b","4"]]',
      '[["b","5"]]',
    ]);
  });

  test('share one timer for each interval, at its whole multiples', async () => {
    const venue = await openVenue();
    const beats = new IntervalScheduler(venue.trading);
    const times: [string, number][] = [];
    const note = (name: string) => () => {
      times.push([name, (venue.scheduler.now() - OPENED) / US_PER_SECOND]);
    };
    venue.pass(0.5 * US_PER_SECOND);
    const stopA = beats.every(1_000, note('a'));
    const stopB = beats.every(1_000, note('b'));
    beats.every(2_000, note('c'));
    venue.pass(2 * US_PER_SECOND);
    stopA();
    stopA();
    venue.pass(US_PER_SECOND);
    stopB();
    venue.pass(US_PER_SECOND);
    expect(times).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['a', 2],
      ['b', 2],
      ['b', 3],
      ['c', 4],
    ]);
  });
});
