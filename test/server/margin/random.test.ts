import { expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { Random } from '../../../src/platform/random.ts';
import { bitcoin, openHarness, perpetual, type Body, type MarginHarness } from './harness.ts';

/**
 * Two members do at random what members do on margin, over HTTP. After each step the money is all
 * there, and what one account is told in its histories adds up to what it is told that it has.
 */

const MEMBERS = ['demo', 'other'] as const;
const SYMBOLS = ['BTCUSDT', 'BTCUSDT_PERP'] as const;
const STEPS = 45;
const HOUR = 3_600_000_000;

const marketOf = (symbol: string): string => (symbol === 'BTCUSDT' ? 'margin' : 'futures');
const amount = (value: unknown): Decimal => new Decimal(String(value));
const sum = (found: readonly Body[], member: string): Decimal =>
  found.reduce((total, one) => total.plus(amount(one[member])), new Decimal(0));

/** All that there is of a currency, whoever has it and wherever. */
function priceOf({ venue }: MarginHarness, currency: string): string {
  const { ledger, wallets, derivatives } = venue.trading.exchange;
  let total = new Decimal(0);
  for (const { balances, accounts } of [ledger, wallets, derivatives]) {
    const budget = balances.find((one) => one.currency === currency);
    for (let row = 0; row < accounts; row += 1) {
      for (const pocket of [0, 1, 2, 3]) {
        total = total.plus(budget?.amount(row, pocket) ?? 0);
      }
    }
  }
  return total.toFixed();
}

class Walk {
  readonly #floor: MarginHarness;
  readonly #random: Random;
  #middle = 10_000;
  /** Requests that were done, and those that were refused. */
  done = 0;
  rejected = 0;

  constructor(floor: MarginHarness, random: Random) {
    this.#floor = floor;
    this.#random = random;
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)];
  }

  #below(count: number): number {
    return this.#random.integer(0, count - 1);
  }

  quote(): void {
    this.#middle += this.#below(301) - 150;
    for (const symbol of SYMBOLS) {
      const [bid, ask] = [this.#middle - 1, this.#middle + 1].map((price) => price.toFixed(2));
      this.#floor.quote(bid, ask, symbol, '5');
    }
  }

  async step(): Promise<void> {
    this.#floor.as = this.#pick(MEMBERS);
    const symbol = this.#pick(SYMBOLS);
    const market = marketOf(symbol);
    const chance = this.#below(100);
    if (chance < 20) this.quote();
    else if (chance < 25) this.#floor.venue.pass(3 * HOUR);
    else if (chance < 75) await this.#ask('POST', `/${market}/order`, this.#order(symbol));
    else if (chance < 85) await this.#ask('DELETE', `/${market}/position/isolated/${symbol}`);
    else if (chance < 92) await this.#ask('DELETE', `/${market}/order`);
    else await this.#ask('DELETE', `/${market}/position`);
  }

  async #ask(method: string, path: string, json?: unknown): Promise<void> {
    const ask = { as: this.#floor.as, json };
    const { status } = await this.#floor.venue.call(method, `/api/3${path}`, ask);
    expect([200, 400]).toContain(status);
    if (status === 200) this.done += 1;
    else this.rejected += 1;
  }

  #order(symbol: string): Body {
    const type = this.#pick(['limit', 'limit', 'market', 'stopMarket']);
    const price = (this.#middle + this.#below(21) - 10).toFixed(2);
    return {
      symbol,
      side: this.#pick(['buy', 'sell']),
      type,
      quantity: this.#pick(['0.5', '1', '2.5', '6']),
      reduce_only: this.#below(5) === 0,
      ...(type === 'limit' ? { price } : {}),
      ...(type === 'stopMarket' ? { stop_price: price } : {}),
    };
  }
}

/** What a member is told of an account adds up; gives how much there was of each kind. */
async function audit(
  floor: MarginHarness,
  symbol: string,
  funded: string,
): Promise<readonly number[]> {
  const market = marketOf(symbol);
  const history = (what: string) =>
    floor.done<readonly Body[]>('GET', `/${market}/history/${what}?limit=1000`);
  const trades = await history('trade');
  const closed = await history('positions');
  const carried = (await history('clearing')).filter(({ rate }) => rate !== undefined);
  const account = await floor.done<{
    currencies: readonly [Body];
    positions: readonly Body[] | null;
  }>('GET', `/${market}/account/isolated/${symbol}`);
  const reported = amount(funded)
    .plus(sum(trades, 'pnl'))
    .minus(sum(trades, 'fee'))
    .plus(sum(carried, 'amount'));
  expect(account.currencies[0]['margin_balance']).toBe(reported.toFixed());
  const held = trades.reduce((total, { side, quantity }) => {
    return side === 'buy' ? total.plus(amount(quantity)) : total.minus(amount(quantity));
  }, new Decimal(0));
  expect(sum(account.positions ?? [], 'quantity').toFixed()).toBe(held.toFixed());
  const fees = sum(closed, 'fee_cumulative').plus(sum(account.positions ?? [], 'fee_cumulative'));
  expect(fees.toFixed()).toBe(sum(trades, 'fee').toFixed());
  for (const { id, pnl } of closed) {
    const own = trades.filter(({ position_id: of }) => of === id);
    expect(sum(own, 'pnl').toFixed()).toBe(amount(pnl).toFixed());
  }
  return [trades.length, closed.length, carried.length];
}

test.each([7, 8, 9])('reports of margin add up to the account (seed %i)', async (seed) => {
  const floor = await openHarness({
    instruments: [bitcoin(), perpetual()],
    exchange: { margin: { dailyRates: { USDT: '0.0004', BTC: '0.0003' } } },
  });
  const walk = new Walk(floor, new Random(seed));
  walk.quote();
  for (const as of MEMBERS) {
    floor.as = as;
    floor.derive('100000');
    await floor.fund('20000', 'BTCUSDT', { leverage: '10' });
    await floor.fund('20000', 'BTCUSDT_PERP', { leverage: '10' });
  }
  const seen = [0, 0, 0];
  const before = ['USDT', 'BTC'].map((currency) => priceOf(floor, currency));
  for (let count = 0; count < STEPS; count += 1) {
    await walk.step();
    expect(['USDT', 'BTC'].map((currency) => priceOf(floor, currency))).toEqual(before);
  }
  for (const as of MEMBERS) {
    floor.as = as;
    for (const symbol of SYMBOLS) {
      const counts = await audit(floor, symbol, '20000');
      counts.forEach((count, kind) => (seen[kind] += count));
    }
  }
  const [trades, closed, carried] = seen;
  expect(trades).toBeGreaterThan(15);
  expect(closed).toBeGreaterThan(1);
  expect(carried).toBeGreaterThan(1);
  expect(walk.done).toBeGreaterThan(STEPS / 2);
  expect(walk.rejected).toBeGreaterThan(1);
});
