import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { US_PER_HOUR } from '../../../src/platform/time.ts';
import { instrument, perpetual } from '../../exchange/margin/kit.ts';
import { Bench, order, PAPER, type BenchSetup } from './bench.ts';

const PERP = 'BTCUSDT_PERP';
const SETUP: BenchSetup = {
  instruments: [instrument(), perpetual()],
  balances: { USDT: '1000' },
};
const isolated = { mode: 'isolated' } as const;

/** A bot that is long 7 at 101 on isolated spot margin of 300, and short 5 in the perpetual of 200. */
async function trading(setup = SETUP): Promise<Bench> {
  const bench = await Bench.open(setup);
  bench.quote(99, 101);
  bench.quote(99, 101, 1);
  bench.fund('BTCUSDT', 'isolated', '300', '5');
  bench.fund(PERP, 'isolated', '200', '5');
  market(bench, 'order-long', 'buy', 7, 'BTCUSDT');
  market(bench, 'order-short', 'sell', 5, PERP);
  return bench;
}

function market(
  bench: Bench,
  id: string,
  side: 'buy' | 'sell',
  lots: number,
  symbol: string,
): void {
  bench.place(id, { symbol, side, lots, type: 'market', timeInForce: 'IOC', margin: isolated });
}

const accountOf = (bench: Bench, key: string) => {
  const found = bench.margin.get(key);
  if (found === undefined) throw new Error(`nothing was told of ${key}`);
  return found;
};

describe('a paper account on margin', () => {
  test('gets the fill first, then the account, then the balance, each with the same latency', async () => {
    const bench = await trading();
    bench.sequence.length = 0;
    market(bench, 'order-more', 'buy', 1, 'BTCUSDT');
    expect(bench.sequence).toEqual(['new', 'trade', 'openTrade', 'balance']);
    const trade = bench.received.findLast(({ kind }) => kind === 'trade');
    expect(bench.receivedOfMargin.at(-1)?.at).toBe(trade?.at);
  });

  test('takes its funds from the spot balance, and says no where they do not reach', async () => {
    const bench = await trading();
    expect(bench.balances.get('USDT')).toBe('500');
    bench.fund(PERP, 'isolated', '5000');
    expect(bench.receivedOfMargin.at(-1)).toMatchObject({ kind: 'marginRejected', symbol: PERP });
    expect(bench.account.margin?.prices.markPrice('BTCUSDT')?.toFixed()).toBe('100');
    expect(bench.account.margin?.prices.contract?.(PERP)?.fundingRate?.toFixed()).toBe('0.0001');
  });

  test('emits reports of both kinds early in their order', async () => {
    const bench = await trading();
    bench.sequence.length = 0;
    bench.send(
      order('order-more', { lots: 1, type: 'market', timeInForce: 'IOC', margin: isolated }),
    );
    bench.pass(300);
    expect(bench.sequence).toEqual([]);
    bench.account.deliverAll();
    expect(bench.sequence).toEqual(['new', 'trade', 'openTrade', 'balance']);
    bench.pass();
    expect(bench.sequence).toHaveLength(4);
  });

  test('reports the snapshot of it: what is open, what ended and what was paid', async () => {
    const bench = await trading();
    const id = accountOf(bench, 'isolated BTCUSDT').positions[0].id;
    market(bench, 'order-exit', 'sell', 7, 'BTCUSDT');
    // The next funding is at 16:00.
    bench.pass(6 * US_PER_HOUR);
    const { margin } = await bench.snapshot();
    expect(margin?.accounts).toEqual([...bench.margin.values()]);
    expect(margin?.ended).toMatchObject([
      { id, symbol: 'BTCUSDT', mode: 'isolated', end: 'closed' },
    ]);
    expect(margin?.ended[0].realizedPnl?.toFixed()).toBe('-14');
    const [short] = accountOf(bench, `isolated ${PERP}`).positions;
    expect(margin?.carries).toMatchObject([
      { positionId: short.id, symbol: PERP, carry: { kind: 'funding' } },
    ]);
    expect(margin?.carries[0].carry.amount.toFixed()).toBe(short.carry.toFixed());
    expect((await bench.snapshot(bench.scheduler.now())).margin).toMatchObject({
      ended: [],
      carries: [],
    });
  });

  test('has no margin where nothing is traded on any', async () => {
    const bench = await Bench.open();
    expect(bench.account.margin).toBeUndefined();
    expect((await bench.snapshot()).margin).toBeUndefined();
  });
});

describe('after a restart', () => {
  test('the snapshot is reported at once, with the positions as reported', async () => {
    const bench = await trading();
    const next = await bench.restart();
    expect(next.sequence).toEqual(['balance', 'balance', 'updated', 'updated']);
    expect(
      [...next.margin.values()].flatMap(({ positions }) => positions.map(({ id }) => id)),
    ).toEqual([...bench.margin.values()].flatMap(({ positions }) => positions.map(({ id }) => id)));
    expect(next.warnings).toEqual([]);
  });

  test('an order that closes a position waits on, and closes what there is when its price comes', async () => {
    const bench = await trading();
    const stop = {
      side: 'sell',
      type: 'stopMarket',
      timeInForce: 'GTC',
      stopTicks: 95,
      lots: 0,
    } as const;
    bench.place('order-stop', { ...stop, margin: { ...isolated, closePosition: true } });
    const next = await bench.restart();
    next.quote(99, 101);
    expect(next.order('order-stop')).toMatchObject({
      status: 'suspended',
      lots: 0,
      filledLots: 0,
      stopTicks: 95,
      margin: { mode: 'isolated', closePosition: true },
    });
    next.quote(94, 96);
    next.trade(95, 1);
    next.pass();
    expect(next.order('order-stop')).toMatchObject({ status: 'filled', filledLots: 7 });
    expect(accountOf(next, 'isolated BTCUSDT').positions).toEqual([]);
  });

  test('and it ends as at the exchange where the position is gone', async () => {
    const bench = await trading();
    const stop = {
      side: 'sell',
      type: 'stopMarket',
      timeInForce: 'GTC',
      stopTicks: 95,
      lots: 0,
    } as const;
    bench.place('order-stop', { ...stop, margin: { ...isolated, closePosition: true } });
    market(bench, 'order-exit', 'sell', 7, 'BTCUSDT');
    const next = await bench.restart();
    next.quote(94, 96);
    next.trade(95, 1);
    next.pass();
    expect(next.reported('order-stop').at(-1)).toBe('canceled canceled 0/0');
  });

  test('an order that only reduces does so, and lists keep their terms', async () => {
    const bench = await trading();
    const reduces = { ...isolated, reduceOnly: true } as const;
    bench.list(
      'oneCancelOther',
      order('order-target', { side: 'sell', ticks: 110, lots: 9, margin: reduces }),
      order('order-stop-loss', {
        side: 'sell',
        type: 'stopMarket',
        timeInForce: 'GTC',
        stopTicks: 90,
        lots: 9,
        margin: reduces,
      }),
    );
    const next = await bench.restart();
    next.quote(99, 101);
    expect(next.order('order-target')).toMatchObject({
      margin: reduces,
      orderListId: 'order-target',
    });
    next.quote(111, 113);
    next.pass();
    // No more than the position has.
    expect(next.order('order-target')).toMatchObject({ status: 'canceled', filledLots: 7 });
    expect(next.order('order-stop-loss').status).toBe('canceled');
  });

  test('a position beyond its liquidation price is liquidated by the first price, and its orders end', async () => {
    const bench = await trading();
    bench.place('order-exit', {
      side: 'sell',
      ticks: 120,
      lots: 3,
      margin: { ...isolated, reduceOnly: true },
    });
    const next = await bench.restart();
    next.pass();
    next.quote(60, 62);
    next.pass();
    expect(next.sequence).toContain('liquidated');
    expect(accountOf(next, 'isolated BTCUSDT').positions).toEqual([]);
    expect(next.order('order-exit').status).toBe('canceled');
  });

  test('that took hours, no funding is charged for them, which is said once', async () => {
    const bench = await trading();
    const before = accountOf(bench, `isolated ${PERP}`).positions[0].carry.toFixed();
    const next = await bench.restart((life) => life, { downUs: 7 * US_PER_HOUR });
    next.quote(99, 101);
    next.quote(99, 101, 1);
    expect(next.warnings).toEqual([
      expect.stringContaining(
        `No funding and no interest was charged on BTCUSDT, ${PERP} from 2026-01-05T10:00:00`,
      ),
    ]);
    expect(accountOf(next, `isolated ${PERP}`).positions[0].carry.toFixed()).toBe(before);
    // The next one, at 00:00, is charged again.
    next.pass(8 * US_PER_HOUR);
    expect(
      next.receivedOfMargin.filter(
        (one) => one.kind === 'marginAccount' && one.carry?.kind === 'funding',
      ),
    ).toHaveLength(1);
  });

  test('what cannot be restored is reported and logged, and its funds are there', async () => {
    const bench = await trading();
    const [short] = accountOf(bench, `isolated ${PERP}`).positions;
    const next = await bench.restart((life) => life, {
      setup: { ...SETUP, instruments: [instrument()] },
    });
    const rejected = {
      kind: 'marginRejected',
      symbol: PERP,
      rejection: { code: 'symbol-unknown' },
    };
    expect(next.receivedOfMargin.slice(-4)).toMatchObject([
      rejected,
      {
        reason: 'closed',
        end: 'cleared',
        position: { id: short.id, lots: 0 },
        account: { isOpen: false },
      },
      rejected,
      { reason: 'closed', account: { isOpen: false, positions: [] } },
    ]);
    expect(next.warnings.join(' ')).toContain(`isolated margin in ${PERP} does not go on`);
    const funds = accountOf(bench, `isolated ${PERP}`).balance;
    expect(next.balances.get('USDT')).toBe(funds.plus('500').toFixed());
  });

  test('the same where nothing is traded on margin any more', async () => {
    const bench = await trading();
    const next = await bench.restart((life) => life, { setup: { ...SETUP, instruments: [PAPER] } });
    expect(next.account.margin).toBeUndefined();
    expect([...next.margin.values()].map(({ isOpen }) => isOpen)).toEqual([false, false]);
    const funds = [...bench.margin.values()].reduce(
      (sum, { balance }) => sum.plus(balance),
      decimal('500'),
    );
    expect(next.balances.get('USDT')).toBe(funds.toFixed());
  });
});
