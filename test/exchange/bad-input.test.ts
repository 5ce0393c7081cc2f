import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { NewList } from '../../src/exchange/stages/guard.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { REJECTIONS, type Rejection } from '../../src/model/rejections.ts';
import { micros } from '../../src/platform/time.ts';
import type { NewOrder } from '../../src/model/order.ts';
import type { OrderChange } from '../../src/rules/order-change.ts';
import type { ChangeForm, ListForm, OrderForm } from '../../src/rules/order-form.ts';
import { DeepState } from '../kit/deep-state.ts';
import { Floor, idOf, instrumentOf } from './kit.ts';
import { runs, seed } from '../kit/size.ts';

const HISTORIES = runs(18);

/**
 * All but what is measured again whenever it is needed, what was asked for last, and the turns in
 * which balances were noted.
 */
const state = new DeepState([
  ...[
    'Amount',
    'FillEstimate',
    'DirtyBalances.#turn',
    'DirtyBalances.#noted',
    'DirtyBalances.#cells',
  ],
  ...['ClientOrderIds.#account', 'ClientOrderIds.#clientOrderId', 'ClientOrderIds.#hash'],
  ...['ClientOrderIds.#vacancy', 'ClientOrderIds.#vacantHash', 'RecentClientOrderIds.until'],
  ...['Symbols.#symbol', 'Symbols.#index'],
  ...['RecordedSide.key', 'RecordedSide.open', 'RecordedSide.#rank'],
]);
afterAll(() => {
  state.close();
});

const LONG = 'x'.repeat(100_000);
const garbage = fc.constantFrom<unknown>(
  ...[undefined, null, Number.NaN, Infinity, -Infinity, -0, 0, 0.5, -1, 1.5, 2 ** 53, 2 ** 60],
  ...[1e308, 5e-324, '', 'a', 'limit ', 'GTC\u0000', LONG, 'ümläut-ß', '\ud800', '1', '1e3'],
  ...[true, false, 10n, Symbol('s'), {}, [], [1], Object.create(null), () => 1, new Date(0)],
  ...[new Decimal(Number.NaN), new Decimal(Infinity), new Decimal('-0'), new Decimal('1e-40')],
  ...[new Decimal('1e9000000'), new Decimal('1e-9000000'), new Decimal('0.4'), new Decimal(-3)],
);

const decimal = fc.constantFrom(...['1', '2', '3', '2.5', '0.5', '7'].map((t) => new Decimal(t)));
const count = fc.constantFrom(1, 2, 3, 5);
const name = fc.constantFrom(...['a', 'b', 'c', 'd', 'e'].map(idOf));
const symbol = fc.constantFrom('BTCUSDT', 'ETHUSDT');
const side = fc.constantFrom('buy', 'sell');

/** An order of one kind, with fields that it may have besides, in lots or as a form. */
const orderOf = (size: object, price: object, stop: object): fc.Arbitrary<object> => {
  const base = { symbol, side, clientOrderId: name, postOnly: fc.constant(false), ...size };
  const kind = (type: string, timeInForce: string, more: object): fc.Arbitrary<object> =>
    fc.record({ ...base, type: fc.constant(type), timeInForce: fc.constant(timeInForce), ...more });
  const rates = { takeRate: fc.constant(new Decimal('0.004')) };
  return fc.oneof(
    kind('limit', 'GTC', { ...price, ...rates }),
    kind('limit', 'GTD', { ...price, expireAt: fc.constant(1_000_000) }),
    kind('market', 'IOC', {}),
    kind('stopLimit', 'Day', { ...price, ...stop }),
    kind('takeProfitMarket', 'FOK', stop),
  );
};
const lotsOrder = orderOf({ lots: count }, { ticks: count }, { stopTicks: count });
const formOrder = orderOf({ quantity: decimal }, { price: decimal }, { stopPrice: decimal });

const FIELDS = [
  ...['symbol', 'side', 'type', 'timeInForce', 'clientOrderId', 'newClientOrderId', 'postOnly'],
  ...['lots', 'ticks', 'stopTicks', 'quantity', 'price', 'stopPrice', 'expireAt', 'takeRate'],
  ...['makeRate', 'strictValidate', 'contingencyType', 'orderListId', 'orders', 'margin'],
];

/** The same with a field or two that hold anything. */
const spoiled = (arbitrary: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    arbitrary,
    fc
      .tuple(
        arbitrary,
        fc.array(fc.tuple(fc.constantFrom(...FIELDS), garbage), { minLength: 1, maxLength: 2 }),
      )
      .map(([value, fields]) => ({ ...value, ...Object.fromEntries(fields) })),
  );
const order = spoiled(lotsOrder);
const form = spoiled(formOrder);
const listOf = (member: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  spoiled(
    fc.record({
      contingencyType: fc.constantFrom('oneCancelOther', 'oneTriggerOther'),
      orders: fc.oneof(
        fc.tuple(member, member),
        fc.array(fc.oneof<fc.Arbitrary<unknown>[]>(member, member, garbage), { maxLength: 4 }),
      ),
    }),
  );
const ids = { clientOrderId: name, newClientOrderId: name };
const change = spoiled(fc.record({ ...ids, lots: count, ticks: count }));
const changeForm = spoiled(fc.record({ ...ids, quantity: decimal, price: decimal }));

const whole = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary }, { weight: 1, arbitrary: garbage });
const request = fc.oneof(
  fc.record({ kind: fc.constant('place'), value: whole(order) }),
  fc.record({ kind: fc.constant('placeForm'), value: whole(form) }),
  fc.record({ kind: fc.constant('list'), value: whole(listOf(order)) }),
  fc.record({ kind: fc.constant('listForm'), value: whole(listOf(form)) }),
  fc.record({ kind: fc.constant('replace'), value: whole(change) }),
  fc.record({ kind: fc.constant('replaceForm'), value: whole(changeForm) }),
  fc.record({
    kind: fc.constant('cancel'),
    value: fc.oneof<fc.Arbitrary<unknown>[]>(name, garbage),
  }),
);
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

/** Takes a request to the door, whatever it is. */
function ask(
  { exchange, at }: Floor,
  account: number,
  { kind, value }: Request,
): Rejection | undefined {
  const now = micros(at);
  switch (kind) {
    case 'place':
      return exchange.place(account, value as NewOrder, now);
    case 'placeForm':
      return exchange.forms.place(account, value as OrderForm, now);
    case 'list':
      return exchange.placeList(account, value as NewList, now);
    case 'listForm':
      return exchange.forms.placeList(account, value as ListForm, now);
    case 'replace':
      return exchange.replace(account, value as OrderChange, now);
    case 'replaceForm':
      return exchange.forms.replace(account, value as ChangeForm, now);
    case 'cancel':
      return exchange.cancel(account, value as string, now);
  }
}

/** Rejections that are about no single field. */
const WHOLE = new Set(['order-limit-reached', 'order-unchanged', 'request-invalid']);

test('whatever comes is refused with a code, a field and a sentence, and changes nothing', () => {
  let rejected = 0;
  let taken = 0;
  const codes = new Set<string>();
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 25, size: 'max' }), (requests) => {
      const floor = new Floor(
        [instrumentOf(), instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH' })],
        { limits: { perAccount: 6, perSymbol: 5 }, nameHoldUs: 0 },
      );
      const account = floor.account({ USDT: '60', BTC: '15', ETH: '15' });
      floor.account({ USDT: '60' });
      floor.snapshot([
        ['bid', 2, 3],
        ['ask', 4, 3],
      ]);
      // What happens by time starts with the first time of all.
      floor.pass(0);
      let before = state.of(floor.exchange);
      for (const one of requests) {
        const reported = floor.log.length;
        const rejection = ask(floor, account, one);
        if (rejection === undefined) {
          taken += 1;
          // The records of ended orders are cleared away a few at each request.
          floor.at += 1;
          for (let i = 0; i < 9; i += 1) floor.cancel(account, 'none');
          before = state.of(floor.exchange);
          continue;
        }
        rejected += 1;
        codes.add(rejection.code);
        expect(Object.keys(REJECTIONS)).toContain(rejection.code);
        if (!WHOLE.has(rejection.code)) expect(rejection.field).toMatch(/^[a-zA-Z[\]0-9.]+$/);
        expect(rejection.message).toMatch(/^[^\n]{10,400}$/);
        expect(floor.log.length).toBe(reported);
        const after = state.of(floor.exchange);
        if (after.join() !== before.join()) expect(after).toEqual(before);
      }
    }),
    { numRuns: HISTORIES, seed: seed(9) },
  );
  // Else nothing was tried.
  expect(rejected).toBeGreaterThan(6 * HISTORIES);
  expect(taken).toBeGreaterThan(HISTORIES);
  expect(codes.size).toBeGreaterThan(10);
}, 60_000);

test('the reading of a state sees private fields, and what differs', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '1000' });
  const before = state.of(floor.exchange);
  expect(before.length).toBeGreaterThan(500);
  expect(before.some((line) => line.includes('index.names.#shards'))).toBe(true);
  floor.place(account, 'one', { side: 'buy', lots: 1, ticks: 10 });
  floor.cancel(account, 'one');
  const names = state.of(floor.exchange).filter((line) => line.includes('"one-----"'));
  expect(names.length).toBeGreaterThan(0);
  expect(before.some((line) => line.includes('"one-----"'))).toBe(false);
});
