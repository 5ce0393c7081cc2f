import { describe, expect, test } from 'vitest';
import {
  Instrument,
  LAST,
  micros,
  MillraceError,
  EventRows,
  ticks,
  lots,
  TRADE,
  type AccountListener,
  type Gateway,
  type MarketListener,
  type OrderRequest,
  type Report,
  type AccountSnapshot,
} from '../../../src/gateway.ts';
import { madeGateway } from '../../../src/gateways/own/gateway.ts';
import { Random } from '../../../src/platform/random.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { SPOT } from '../../exchange/margin/kit.ts';

const PATH = '/venue.ts';
const instrument = new Instrument(SPOT);
const place: OrderRequest = {
  kind: 'place',
  clientOrderId: 'a-00000001',
  symbol: SPOT.symbol,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  ticks: ticks(5),
  lots: lots(1),
  postOnly: false,
};
const { kind: _, ...order } = place;
const sound: Report = {
  kind: 'new',
  at: micros(1),
  order: {
    ...order,
    id: 1,
    status: 'new',
    filledLots: lots(0),
    createdAt: micros(1),
    updatedAt: micros(1),
  },
};

/** A gateway whose listeners a test plays with, and what a bot hears of it. */
async function stage(change: (gateway: Gateway) => object = () => ({})) {
  const scheduler = new VirtualScheduler(micros(0));
  const received: unknown[] = [];
  const warned: string[] = [];
  let account!: AccountListener;
  let market!: MarketListener;
  const plain: Gateway = {
    account: {
      instruments: [instrument],
      open: (listener) => {
        account = listener;
        return Promise.resolve();
      },
      send: () => undefined,
      snapshot: () =>
        Promise.resolve({ at: micros(1), orders: [], ended: [], fills: [], balances: [] }),
      clockSkewUs: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    },
    market: {
      open: (_wanted, listener) => {
        market = listener;
        return Promise.resolve();
      },
      history: () => Promise.resolve(new EventRows().columns),
      close: () => Promise.resolve(),
    },
  };
  const made = { ...plain, ...change(plain) };
  const log = { debug: () => undefined, info: () => undefined, warn: (line: string) => void warned.push(line) }; // prettier-ignore
  const gateway = await madeGateway(
    { path: PATH, factory: () => made, settings: {}, secrets: {} },
    { scheduler, random: new Random(1), log },
  );
  await gateway.account.open({
    report: (report) => void received.push(report),
    margin: (report) => void received.push(report),
    connectionState: (...connectionState) => void received.push(connectionState),
  });
  await gateway.market.open([{ instrument, trades: true, book: 'none' }], {
    rows: (index, { length }) => void received.push([index, length]),
    connectionState: (...connectionState) => void received.push(connectionState),
  });
  return { gateway, account, market, received, warned, scheduler };
}

const failing = async (work: () => unknown): Promise<MillraceError> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('a gateway of a module', () => {
  test('hands on what is sound', async () => {
    const { account, market, received } = await stage();
    account.connectionState('live');
    account.report(sound);
    const rows = new EventRows();
    rows.add(1, 1, TRADE, LAST, 1, 5, 1, 0, 0, 0);
    market.rows(0, rows.columns);
    expect(received).toEqual([['live', undefined], sound, [0, 1]]);
  });

  test.each<[string, object]>([
    ['lots: must be', { order: { ...sound.order, lots: 0.5 } }],
    ['order.status', { order: { ...sound.order, status: 'open' } }],
    ['kind', { kind: 'filled' }],
  ])('is disconnected after a report with a fault (%s)', async (_what, change) => {
    const { account, received, warned } = await stage();
    account.report({ ...sound, ...change });
    account.connectionState('live');
    expect(received).toEqual([
      ['lost', expect.stringContaining(`the gateway by ${PATH} sent a report`)],
    ]);
    expect(warned).toHaveLength(1);
  });

  test.each([
    [1, 5.5, 'price of row 0 is 5.5'],
    [11, 5, 'kind of row 0 is 11'],
  ])(
    'has a market that is lost for good after a row of kind %d at %d',
    async (kind, price, why) => {
      const { market, received } = await stage();
      const rows = new EventRows();
      rows.add(1, 1, kind, LAST, 1, price, 1, 0, 0, 0);
      market.rows(0, rows.columns);
      market.connectionState(0, 'live');
      expect(received).toEqual([[0, 'lost', expect.stringContaining(why)]]);
    },
  );

  test.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['breaks its promise', () => Promise.reject(new Error('no'))],
  ])('reports outcome-unknown for a request whose send %s', async (_what, send) => {
    const { gateway, received, scheduler, warned } = await stage(({ account }) => ({
      account: { ...account, send },
    }));
    gateway.account.send(place);
    expect(received).toEqual([]);
    await Promise.resolve();
    scheduler.advanceTo(micros(1));
    expect(received).toMatchObject([
      { kind: 'outcome-unknown', request: 'place', clientOrderId: 'a-00000001' },
    ]);
    expect(warned).toEqual([`The gateway by ${PATH} threw as it sent a place: no`]);
  });

  test('rejects a snapshot of another form', async () => {
    const snapshot = () => Promise.resolve({ at: 1, orders: [], ended: [], fills: [{}], balances: [] } as unknown as AccountSnapshot); // prettier-ignore
    const { gateway } = await stage(({ account }) => ({ account: { ...account, snapshot } }));
    const error = await failing(() => gateway.account.snapshot(micros(0)));
    expect(error).toMatchObject({ code: 'answer-invalid', message: expect.stringContaining('fills.0.id') }); // prettier-ignore
  });

  test.each<[string, (gateway: Gateway) => object]>([
    ['makes a gateway without market', () => ({ market: undefined })],
    ['makes a gateway account without send', ({ account }) => ({ account: { ...account, send: 1 } })], // prettier-ignore
    ['makes a gateway whose close is no function', () => ({ close: 1 })],
    ['makes a gateway without instruments', () => ({ instruments: [] })],
  ])('is config-invalid where the module %s', async (sentence, change) => {
    const error = await failing(() => stage(change));
    expect(error).toMatchObject({ code: 'config-invalid', message: expect.stringContaining(sentence) }); // prettier-ignore
  });

  test('has each symbol once', async () => {
    const error = await failing(() =>
      stage(({ account }) => ({ account: { ...account, instruments: [instrument, instrument] } })),
    );
    expect(error).toMatchObject({ code: 'answer-invalid', message: expect.stringContaining('twice') }); // prettier-ignore
  });
});
