import fc from 'fast-check';
import { expect, test } from 'vitest';
import { marginAccountKey, type MarginAccountState } from '../../../src/model/margin-account.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import { isActive, type Side } from '../../../src/model/order.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { instrument, onMargin, perpetual } from '../../exchange/margin/kit.ts';
import { runs, seed } from '../../kit/size.ts';
import { Bench, order, type BenchSetup } from './bench.ts';

/** What is liquidated pays nothing to the insurance fund, which no life hands on to the next. */
const margin = onMargin({ forceCloseFee: '0' });
const SETUP: BenchSetup = {
  instruments: [
    instrument({ margin }),
    instrument({ margin, symbol: 'ETHUSDT', baseCurrency: 'ETH' }),
    perpetual({ margin }),
  ],
  balances: { USDT: '2000' },
};
const SYMBOLS = SETUP.instruments.map(({ symbol }) => symbol);

interface Place {
  readonly symbol: number;
  readonly mode: MarginMode;
  readonly side: Side;
  readonly lots: number;
  readonly ticks: number;
  readonly reduceOnly: boolean;
}
type Step =
  | { readonly kind: 'set'; readonly symbol: number; readonly mode: MarginMode; readonly balance: number; readonly leverage: number | undefined } // prettier-ignore
  | (Place & { readonly kind: 'market' | 'limit' | 'stop' | 'close' })
  | (Place & { readonly kind: 'exits' | 'entry' })
  | { readonly kind: 'replace' | 'cancel'; readonly which: number; readonly lots: number; readonly ticks: number } // prettier-ignore
  | { readonly kind: 'quote'; readonly symbol: number; readonly bid: number }
  | { readonly kind: 'restart' };

const symbol = fc.nat({ max: SYMBOLS.length - 1 });
const mode = fc.constantFrom('isolated' as const, 'cross' as const);
const level = fc.integer({ min: 85, max: 115 });
const place = {
  symbol,
  mode,
  ticks: level,
  side: fc.constantFrom('buy' as const, 'sell' as const),
  lots: fc.integer({ min: 1, max: 30 }),
  reduceOnly: fc.boolean(),
};

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      symbol,
      mode,
      balance: fc.constantFrom(0, 100, 200, 300, 500),
      leverage: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('market', 'market', 'limit', 'stop', 'close', 'exits', 'entry'),
      ...place,
    }) as fc.Arbitrary<Step>,
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('replace' as const, 'cancel' as const),
      which: fc.nat({ max: 9 }),
      lots: place.lots,
      ticks: level,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('quote' as const),
      symbol,
      bid: fc.integer({ min: 60, max: 140 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

/** One of two bots that are told the same, of which one comes back again and again. */
class Lives {
  bench: Bench;
  readonly quotes = SYMBOLS.map(() => 99);
  #named = 0;

  private constructor(bench: Bench) {
    this.bench = bench;
  }

  static async open(): Promise<Lives> {
    const lives = new Lives(await Bench.open(SETUP));
    lives.#showAll();
    for (const at of SYMBOLS) {
      lives.bench.fund(at, 'isolated', '300', '5');
      lives.bench.fund(at, 'cross', '300');
    }
    return lives;
  }

  /** Dies and comes back, or waits for as long; then the market is shown again. */
  async restart(dies: boolean): Promise<void> {
    if (dies) this.bench = await this.bench.restart((life) => life, { downUs: 1_000 });
    else this.bench.pass();
    this.bench.pass();
    this.#showAll();
  }

  #showAll(): void {
    for (const index of SYMBOLS.keys())
      this.bench.quote(this.quotes[index], this.quotes[index] + 2, index);
  }

  take(it: Exclude<Step, { kind: 'restart' }>): void {
    const { bench } = this;
    switch (it.kind) {
      case 'set':
        bench.fund(SYMBOLS[it.symbol], it.mode, String(it.balance), text(it.leverage));
        return;
      case 'quote':
        this.quotes[it.symbol] = it.bid;
        bench.quote(it.bid, it.bid + 2, it.symbol);
        return;
      case 'replace':
      case 'cancel':
        this.#change(it);
        return;
      case 'exits':
        bench.list('oneCancelOther', ...this.#exits(it, it.side));
        return;
      case 'entry':
        bench.list('oneTriggerOther', this.#limit(it), this.#exits(it, other(it.side))[1]);
        return;
      default:
        bench.send(this.#order(it, it.kind));
        bench.pass();
    }
  }

  #order(it: Place, kind: 'market' | 'limit' | 'stop' | 'close') {
    const { side, mode: on, reduceOnly } = it;
    const terms = { mode: on, ...(reduceOnly ? { reduceOnly } : {}) };
    const common = { symbol: SYMBOLS[it.symbol], side, lots: it.lots };
    if (kind === 'limit') return this.#limit(it);
    if (kind === 'market') {
      return order(this.#name(), { ...common, type: 'market', timeInForce: 'IOC', margin: terms });
    }
    const stop = {
      ...common,
      type: 'stopMarket',
      timeInForce: 'GTC',
      stopTicks: it.ticks,
    } as const;
    return kind === 'stop'
      ? order(this.#name(), { ...stop, margin: terms })
      : order(this.#name(), { ...stop, lots: 0, margin: { mode: on, closePosition: true } });
  }

  #limit({ side, mode: on, symbol: at, lots: size, ticks: price, reduceOnly }: Place) {
    const terms = { mode: on, ...(reduceOnly ? { reduceOnly } : {}) };
    return order(this.#name(), {
      symbol: SYMBOLS[at],
      side,
      lots: size,
      ticks: price,
      margin: terms,
    });
  }

  /** A target beyond the price and a stop before it, which only reduce. */
  #exits({ symbol: at, mode: on, lots: size, ticks: price }: Place, side: Side) {
    const sign = side === 'sell' ? 1 : -1;
    const common = {
      symbol: SYMBOLS[at],
      side,
      lots: size,
      margin: { mode: on, reduceOnly: true },
    } as const;
    return [
      order(this.#name(), { ...common, ticks: price + 4 * sign }),
      order(this.#name(), {
        ...common,
        type: 'stopMarket',
        timeInForce: 'GTC',
        stopTicks: price - 4 * sign,
      }),
    ] as const;
  }

  /** The same order for both bots: the one of that place among the open ones by name. Lists stay as they are. */
  #change({
    kind,
    which,
    lots: size,
    ticks: price,
  }: Extract<Step, { kind: 'replace' | 'cancel' }>): void {
    const { bench } = this;
    const plain = this.open().filter(({ orderListId }) => orderListId === undefined);
    const found = plain.at(which % Math.max(1, plain.length));
    if (found === undefined) return;
    const { clientOrderId, symbol: on, filledLots, stopTicks, ticks: limit } = found;
    const asked = {
      clientOrderId,
      symbol: on,
      ...(found.margin === undefined ? {} : { margin: found.margin.mode }),
    };
    if (kind === 'cancel') bench.send({ kind, ...asked });
    else if (found.margin?.closePosition !== true) {
      bench.send({
        kind,
        ...asked,
        newClientOrderId: this.#name(),
        lots: lots(filledLots + size),
        ...(limit === undefined ? {} : { ticks: ticks(price) }),
        ...(stopTicks === undefined ? {} : { stopTicks }),
      });
    }
    bench.pass();
  }

  /** Open orders as the bot knows them, by name. */
  open() {
    return [...this.bench.orders.values()]
      .flatMap(({ venueOrder }) =>
        venueOrder !== undefined && isActive(venueOrder.status) ? [venueOrder] : [],
      )
      .sort((a, b) => (a.clientOrderId < b.clientOrderId ? -1 : 1));
  }

  #name(): string {
    this.#named += 1;
    return `order-${String(this.#named).padStart(6, '0')}`;
  }
}

const text = (count: number | undefined): string | undefined =>
  count === undefined ? undefined : String(count);

const other = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

/** All that must be the same, to the last digit; a life numbers what is new for itself. */
async function shown({ bench, open }: Lives, lives: Lives) {
  const { margin: reported, balances } = await bench.snapshot();
  return {
    accounts: Object.fromEntries(
      (reported?.accounts ?? []).map((account) => [
        marginAccountKey(account),
        {
          ...account,
          positions: account.positions.map(({ id: _, updatedAt: __, ...rest }) => rest),
        },
      ]),
    ),
    balances,
    orders: open.call(lives).map(({ id: _, updatedAt: __, createdAt: ___, ...rest }) => rest),
  };
}

const idsOf = (accounts: Iterable<MarginAccountState>): readonly number[] =>
  [...accounts].flatMap(({ positions }) => positions.map(({ id }) => id)).sort((a, b) => a - b);

test('a margin account that comes back again and again is, to the last digit, one that was never away', async () => {
  const seen = { restarts: 0, positions: 0, orders: 0, liquidations: 0, closing: 0, lists: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }),
      async (steps) => {
        const stays = await Lives.open();
        const dies = await Lives.open();
        const ids = new Set<number>();
        for (const it of steps) {
          if (it.kind === 'restart') {
            const before = idsOf(dies.bench.margin.values());
            for (const id of before) ids.add(id);
            seen.restarts += 1;
            seen.positions += before.length;
            seen.orders += dies.open().length;
            seen.lists += dies.open().filter(({ orderListId }) => orderListId !== undefined).length;
            seen.closing += dies
              .open()
              .filter(({ margin: on }) => on?.closePosition === true).length;
            await stays.restart(false);
            await dies.restart(true);
            // A position is the same one to everybody, and a new one has a number that none ever had.
            expect(idsOf(dies.bench.margin.values())).toEqual(before);
            expect(dies.bench.warnings).toEqual([]);
          } else {
            stays.take(it);
            dies.take(it);
            for (const report of dies.bench.receivedOfMargin.splice(0)) {
              if (report.kind === 'marginRejected') continue;
              if (report.reason === 'liquidated') seen.liquidations += 1;
              for (const { id, createdAt } of report.account.positions) {
                if (createdAt === report.at) expect(ids.has(id)).toBe(false);
              }
            }
          }
          expect(await shown(dies, dies)).toEqual(await shown(stays, stays));
        }
      },
    ),
    { numRuns: runs(300), seed: seed(9) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
}, 120_000);
