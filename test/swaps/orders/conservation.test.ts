import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, ZERO } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import { isDenial } from '../../../src/swaps/orders/denials.ts';
import type { ExchangeOrder, OrderState } from '../../../src/swaps/orders/order.ts';
import type { ExchangeOrderService } from '../../../src/swaps/orders/service.ts';
import { exchangeParts, type ExchangeParts } from '../../server/exchange-orders/kit.ts';
import { isConserved } from '../chains/harness.ts';
import { runs, seed } from '../../kit/size.ts';

const TICKERS = ['eth', 'btc', 'usdctro', 'sol', 'xrp'];
const CLIENT = { name: 'client', extraFee: new Decimal('0.1') };

/** The documented moves, written once more. */
const MOVES: ReadonlySet<string> = new Set([
  'waiting confirming',
  'waiting overdue',
  'waiting expired',
  'confirming exchanging',
  'confirming hold',
  'confirming failed',
  'exchanging sending',
  'exchanging hold',
  'exchanging failed',
  'hold exchanging',
  'hold failed',
  'hold refunded',
  'sending finished',
  'failed refunded',
]);

const step = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    fixed: fc.boolean(),
    from: fc.constantFrom(...TICKERS),
    to: fc.constantFrom(...TICKERS),
    value: fc.integer({ min: 5, max: 2_000 }),
    refund: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('pay' as const),
    which: fc.nat(),
    how: fc.constantFrom(
      'right' as const,
      'wrong' as const,
      'little' as const,
      'untagged' as const,
    ),
  }),
  fc.record({
    kind: fc.constant('hand' as const),
    which: fc.nat(),
    hand: fc.constantFrom('hold' as const, 'release' as const, 'fail' as const, 'refund' as const),
  }),
  fc.record({
    kind: fc.constant('pass' as const),
    seconds: fc.constantFrom(0, 1, 20, 60, 700, 1_300, 11_000),
  }),
  fc.record({ kind: fc.constant('market' as const), percent: fc.integer({ min: 50, max: 150 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function create(parts: ExchangeParts, given: Extract<Step, { kind: 'create' }>): void {
  const { service, chains, value } = parts;
  const { from, to, fixed, refund } = given;
  const given1 = service.currencies.of(from);
  const address = chains.addressOf(service.currencies.of(to).chain.code, 'payee');
  const amountFrom = new Decimal(given.value)
    .div(value[given1.terms.asset] ?? '1')
    .toDecimalPlaces(6, Decimal.ROUND_DOWN);
  const back = chains.addressOf(given1.chain.code, 'refunded');
  const managedOrder = {
    from,
    to,
    amountFrom,
    payoutAddress: address,
    ...(refund || fixed ? { refundAddress: back } : {}),
  };
  if (from === to) {
    service.createPrivate(CLIENT, { ...managedOrder, currency: from, amount: amountFrom });
    return;
  }
  if (!fixed) {
    service.createFloat(CLIENT, managedOrder);
    return;
  }
  const price = service.price(CLIENT, from, to, true);
  if (isDenial(price)) return;
  service.createFixed(CLIENT, { ...managedOrder, rateId: service.fix(CLIENT, price).id });
}

const FACTORS = { right: '1', wrong: '1.5', little: '0.01', untagged: '1' } as const;

function pay(
  { service, chains }: ExchangeParts,
  order: ExchangeOrder,
  how: keyof typeof FACTORS,
): void {
  const { terms, chain } = service.currencies.of(order.from);
  const amount = order.amountExpectedFrom.times(FACTORS[how]);
  const lots = BigInt(amount.times(new Decimal(10).pow(terms.decimals)).floor().toFixed());
  const memo = how === 'untagged' ? undefined : order.payinExtraId;
  if (lots === 0n) return;
  chains.transfer({
    token: terms.id,
    from: chains.addressOf(chain.code, 'user'),
    to: order.payinAddress,
    lots,
    memo,
  });
}

function act(parts: ExchangeParts, given: Step): void {
  const { service, scheduler, value } = parts;
  const pick = (which: number): ExchangeOrder | undefined =>
    service.orders()[which % Math.max(service.orders().length, 1)];
  switch (given.kind) {
    case 'create':
      create(parts, given);
      return;
    case 'pay': {
      const order = pick(given.which);
      if (order !== undefined) pay(parts, order, given.how);
      return;
    }
    case 'hand': {
      const order = pick(given.which);
      if (order === undefined) return;
      if (given.hand === 'fail') service.manualActions.fail(order.id, 'By hand.');
      else service.manualActions[given.hand](order.id);
      return;
    }
    case 'pass':
      scheduler.advanceTo(micros(scheduler.now() + given.seconds * 1_000_000));
      return;
    case 'market':
      value['ETH'] = String(30 * given.percent);
  }
}

/** What lies at payin addresses, by what was paid to them and what has become of it. */
function owedAt(service: ExchangeOrderService): Map<string, bigint> {
  const owed = new Map<string, bigint>();
  const add = (key: string, lots: bigint) => owed.set(key, (owed.get(key) ?? 0n) + lots);
  for (const { from, payinAddress, payin, payout, refundHash } of service.orders()) {
    const { terms } = service.currencies.of(from);
    const isHere = payout === undefined && refundHash === undefined;
    add(`${terms.id} ${payinAddress}`, isHere ? (payin?.lots ?? 0n) : 0n);
  }
  for (const { order, token, lots, returnHash } of service.strays()) {
    const found = service.order(CLIENT, order);
    if (isRejection(found)) throw new Error('a stray payment to nobody');
    add(`${token} ${found.payinAddress}`, returnHash === undefined ? lots : 0n);
  }
  return owed;
}

/** What the payee must have by now of each currency, and what went back. */
function paidOut(service: ExchangeOrderService): {
  readonly payee: Map<string, Decimal>;
  readonly refunded: Map<string, Decimal>;
} {
  const payee = new Map<string, Decimal>();
  const refunded = new Map<string, Decimal>();
  for (const { from, to, payin, payout, refundHash } of service.orders()) {
    if (payout !== undefined) {
      const { amountTo, networkFee } = payout.yield;
      payee.set(to, (payee.get(to) ?? ZERO).plus(amountTo).minus(networkFee));
    }
    if (refundHash !== undefined) {
      const unit = new Decimal(10).pow(service.currencies.of(from).terms.decimals);
      const amount = new Decimal(String(payin?.lots ?? 0n)).div(unit);
      refunded.set(from, (refunded.get(from) ?? ZERO).plus(amount));
    }
  }
  return { payee, refunded };
}

function check({ service, chains }: ExchangeParts): void {
  expect(isConserved(chains)).toBe(true);
  for (const [key, lots] of owedAt(service)) {
    const [token = '', address = ''] = key.split(' ');
    expect(chains.balance(Number(token), address)).toBe(lots);
  }
  const { payee, refunded } = paidOut(service);
  for (const ticker of TICKERS) {
    const { terms, chain } = service.currencies.of(ticker);
    const held = (owner: string) => {
      const lots = chains.balance(terms.id, chains.addressOf(chain.code, owner));
      return new Decimal(String(lots)).div(new Decimal(10).pow(terms.decimals)).toFixed();
    };
    expect(held('payee')).toBe((payee.get(ticker) ?? ZERO).toFixed());
    expect(held('refunded')).toBe((refunded.get(ticker) ?? ZERO).toFixed());
  }
}

describe('Any history of exchange orders', () => {
  it('conserves value at each step, pays once what its records say, and moves by documented moves alone', () => {
    const seen = new Set<OrderState>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const parts = exchangeParts();
        const moves: string[] = [];
        parts.service.follow(({ state }, before) => {
          seen.add(state);
          if (before !== undefined && before !== state) moves.push(`${before} ${state}`);
        });
        for (const each of steps) {
          act(parts, each);
          check(parts);
        }
        expect(moves.filter((move) => !MOVES.has(move))).toEqual([]);
        parts.service.close();
        parts.chains.close();
      }),
      { numRuns: runs(60), seed: seed(4) },
    );
    // It has not missed what it is about.
    expect([...seen].toSorted()).toEqual(
      [...MOVES, 'waiting']
        .map((move) => move.split(' ').at(-1))
        .filter((state, i, all) => all.indexOf(state) === i)
        .toSorted(),
    );
  });

  it('gives the same ids and hashes to the same requests', () => {
    const run = (seed: number): string => {
      const parts = exchangeParts({ seed });
      for (let i = 0; i < 3; i += 1) {
        create(parts, {
          kind: 'create',
          fixed: i === 1,
          from: 'eth',
          to: 'sol',
          value: 500,
          refund: true,
        });
        const order = parts.service.orders()[i];
        if (order !== undefined) pay(parts, order, 'right');
      }
      parts.scheduler.advanceTo(micros(parts.scheduler.now() + 200_000_000));
      const reported = parts.service
        .orders()
        .map(({ id, payout, payinAddress }) => [id, payout?.hash, payinAddress]);
      parts.service.close();
      parts.chains.close();
      return JSON.stringify(reported);
    };
    expect(run(1)).toBe(run(1));
    expect(run(1)).not.toBe(run(2));
  });
});
