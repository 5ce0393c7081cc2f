import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Guards } from '../../src/bot/risk/guards.ts';
import { budgetRejection } from '../../src/risk/limits/budget.ts';
import { orderRejection } from '../../src/risk/order-rejection.ts';
import type { Order } from '../../src/model/order.ts';
import type { TradingState } from '../../src/risk/state.ts';
import type { OrderRequest } from '../../src/model/order-request.ts';
import { decimal, ZERO } from '../../src/model/decimal.ts';
import { micros } from '../../src/platform/time.ts';
import { marginFundsRejection } from '../../src/risk/limits/margin-funds.ts';
import type { MarginView } from '../../src/risk/view.ts';
import { onMargin } from '../exchange/margin/kit.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { accountOf, marginOf, type Held } from './margin/view.ts';
import {
  amounts,
  BTC,
  ETH,
  ETHBTC,
  limitsOf,
  marketOf,
  NOW,
  open,
  place,
  placeList,
  viewOf,
} from './view.ts';

/** The BTC of the examples, on margin too. */
const MARGIN_BTC = instrumentOf({ ...BTC.terms, margin: onMargin() });

/** The examples of docs/risk.md: `what is so: what is asked -> what becomes of it`. */
const SHOWN = [...readFileSync('docs/risk.md', 'utf8').matchAll(/```risk\n([^`]*)```/g)].flatMap(
  ([, block = '']) => block.trim().split('\n'),
);
/** The same orders just within their limit, and more cases of the same form. */
const WITHIN: readonly string[] = [
  'maxPosition 5, held BTC 2, open sell 2 at 120: buy 3.1 at 100 -> risk-position',
  'least value 50, market 99 101, held BTC 2: sell 0.1 at 100 -> sent',
  'maxMarginUse 0.12, margin 100: isolated sell 2.1 at 100 -> risk-margin-use',
  'maxPosition 4, margin 1000, position -2 at 100: isolated sell 2.1 at 110 -> risk-position',
  'budget USDT 505, fills USDT -101, fills BTC 1: sell 1 at 120 -> sent',
  'state halted: sell 1 at 100 -> trading-halted',
  'least value 50, market 99 101: buy 0.5 at 100 -> sent',
  'maxQuantity 1: buy 1 at 100 -> sent',
  'priceCollar 0.05, market 99 101: buy 1 at 105 -> sent',
  'maxNotional 100, market 99 101: buy 1 at 100 -> sent',
  'maxExposure 1000, market 99 101, held BTC 2, open buy 3 at 100: buy 5 at 100 -> sent',
  'margin 12.1: isolated sell 1 at 100 -> sent',
  'preventOwnCross, open sell 1 at 100: buy 1 at 99 -> sent',
  'state reducing, held BTC 2, open sell 0.6 at 120: sell 1.5 at 100 -> trading-reducing',
  'priceCollar 0.05, market 99 101: buy 1 stop 200 at 210 -> sent',
  'priceCollar 0.05, market 80 120: buy 1 at market -> risk-collar',
  'priceCollar 0.05, no market: buy 1 at 100 -> risk-market-unknown',
  'maxNotional 100, priceCollar 0.1, market 99 101: buy 1 at market -> risk-notional',
  'maxPosition 5: one cancels other (buy 5 at 90 | buy 4 stop 110 at 111) -> sent',
  'maxExposure 1000, no market, held BTC 2: buy 1 at 100 -> risk-market-unknown',
  'preventOwnCross, market 99 101, asks 3 at 101, open sell 1 at 106: buy 3 at market -> sent',
  'preventOwnCross, market 99 101, asks 3 at 101, open sell 1 at 106: buy 3.1 at market -> risk-own-cross',
  'no mark price, margin 1000, position -1 at 100: isolated buy 1 at 100 -> sent',
  'state reducing, margin 1000, position -2 at 100: isolated buy 2.1 at 100 -> trading-reducing',
  'state halted, margin 1000, position -2 at 100: isolated buy 1 at 100 reduce only -> trading-halted',
  'margin 0.1, position -1 at 100: isolated buy 1 at 100 -> sent',
  'maxPosition 4, margin 1000, position 2 at 100, held BTC 1: buy 1.1 at 100 -> risk-position',
  'minLiquidationDistance 0.2, margin 100: isolated sell 4 at 100 -> risk-liquidation-distance',
  'state reducing, held BTC 2, open sell 0.6 at 120: sell 1.4 at 100 -> sent',
  'maxPosition 5, held BTC 2, open buy 1.5 at 100: buy 1.5 at 100 -> sent',
  'maxPosition 5: one triggers other (buy 3 at 90 | buy 3 at 80) -> risk-position',
  'maxExposure 1000, no market, held BTC 2: sell 1 at 100 -> sent',
  'maxOpenOrders 2, open buy 1 at 90: buy 1 at 91 -> sent',
  'maxOrdersPerSecond 3, sent in the last second 2: buy 1 at 100 -> sent',
  'maxNotional 100, priceCollar 0.1, market 99 101: buy 0.9 at market -> sent',
  'preventOwnCross, open sell 1 at 100: buy 1 stop 105 at 106 -> sent',
  'no margin account: isolated buy 1 at 100 reduce only -> sent',
  'least value 50, market 99 101: buy 0.4 at market -> value-below-minimum',
  'least value 50, market 99 101: buy 0.5 at market -> sent',
  'least value 50, market 98 101: buy 0.5 at market -> sent',
  'least value 50, no market: buy 0.4 at market -> sent',
  'least value 50, market 99 101, margin 1000: isolated sell 0.4 at 100 -> value-below-minimum',
  'least value 50, market 99 101, margin 1000, position 0.4 at 100: isolated sell 0.4 at 100 reduce only -> sent',
  'state reducing, margin 1000, position -2 at 100, open isolated buy 1 at 90: isolated buy 2 at 100 reduce only -> sent',
  'maxPosition 4, margin 1000, position -2 at 100: isolated buy 6 at 90 -> sent',
  'maxNetExposure 100, margin 1000, position -2 at 100, held BTC 1: buy 2 at 100 -> sent',
  'maxLeverage 3, margin 100: isolated sell 3 at 100 -> sent',
  'minLiquidationDistance 0.2, margin 100: isolated sell 3 at 100 -> sent',
  'budget USDT 505, open buy 2 at 100: buy 3 at 100 -> sent',
  'stopBeyondLiquidation reject, margin 100, position -1 at 100 liquidated at 120: isolated buy 1 stop 119 at 125 reduce only -> sent',
];
const EXAMPLES = [...SHOWN, ...WITHIN].map((line) => {
  const match = /^(.*?): (.*) -> (.*)$/.exec(line);
  if (match === null) throw new Error(`no example: ${line}`);
  const [, given = '', asked = '', outcome = ''] = match;
  return { line, given: given.split(', '), asked, outcome };
});

interface Given {
  limits: Parameters<typeof limitsOf>[0];
  markets: NonNullable<Parameters<typeof viewOf>[0]>['markets'];
  state: TradingState;
  requestsInSecond: number;
  budget: Record<string, string> | undefined;
  readonly holdings: Record<string, string>;
  readonly fills: Record<string, string>;
  readonly orders: Order[];
  /** Funds of the isolated account. */
  funds: string | undefined;
  held: Held | undefined;
  isMarked: boolean;
  minNotional: string | undefined;
}

const BY_SYMBOL = ['maxQuantity', 'maxPosition', 'maxShort'];
const BY_CURRENCY = ['maxNotional', 'maxExposure', 'maxNetExposure', 'maxDailyLoss'];
const TEXTS = [
  'priceCollar',
  'maxDrawdown',
  'maxLeverage',
  'maxMarginUse',
  'minLiquidationDistance',
];
const NUMBERS = ['maxOpenOrders', 'maxOrdersPerSecond'];

function read(given: readonly string[]): Given {
  const read: Given = {
    limits: {},
    markets: undefined,
    state: 'running',
    requestsInSecond: 0,
    budget: undefined,
    holdings: {},
    fills: {},
    orders: [],
    funds: undefined,
    held: undefined,
    isMarked: true,
    minNotional: undefined,
  };
  for (const text of given) take(read, text);
  return read;
}

function take(read: Given, text: string): void {
  const [name = '', first = '', second = ''] = text.split(' ');
  if (BY_SYMBOL.includes(name)) limit(read, name, { BTCUSDT: first });
  else if (BY_CURRENCY.includes(name)) limit(read, name, { USDT: first });
  else if (TEXTS.includes(name)) limit(read, name, first);
  else if (NUMBERS.includes(name)) limit(read, name, Number(first));
  else if (name === 'preventOwnCross') limit(read, name, true);
  else if (name === 'state') read.state = first as TradingState;
  else if (name === 'held') read.holdings[first] = second;
  else if (name === 'fills') read.fills[first] = second;
  else if (name === 'budget') read.budget = { [first]: second };
  else if (text === 'no market') read.markets = {};
  else if (text === 'no mark price') read.isMarked = false;
  else if (text === 'no margin account') read.funds = undefined;
  else if (text.startsWith('least value ')) read.minNotional = text.split(' ')[2];
  else if (name === 'margin') read.funds = first;
  else if (name === 'position') read.held = heldOf(text);
  else if (name === 'stopBeyondLiquidation') limit(read, name, first);
  else if (name === 'market') read.markets = { BTCUSDT: marketOf(Number(first), Number(second)) };
  else if (name === 'asks') shown(read, Number(first), Number(text.split(' ')[3]));
  else if (name === 'open') read.orders.push(open(termsOf(text.slice('open '.length))));
  else if (text.startsWith('sent in the last second '))
    read.requestsInSecond = Number(text.split(' ')[5]);
  else throw new Error(`not known: ${text}`);
}

/** So many units are shown at an ask. */
function shown(read: Given, size: number, at: number): void {
  const { BTCUSDT } = read.markets ?? {};
  if (BTCUSDT === undefined) throw new Error('asks come after the market');
  const lotsBefore = (_: unknown, ticks: number): number => (at < ticks ? size * 10 : 0);
  read.markets = { BTCUSDT: { ...BTCUSDT, lotsBefore } };
}

function limit(read: Given, name: string, value: unknown): void {
  read.limits = { ...read.limits, [name]: value };
}

/** `position -1 at 100`, with `liquidated at 120` behind it. */
function heldOf(text: string): Held {
  const [, size = '', , entry = '', , , liquidation] = text.split(' ');
  const shown = liquidation === undefined ? {} : { liquidation };
  return { instrument: MARGIN_BTC, size, entry, ...shown };
}

/** `buy 1 at 100`, `isolated buy 1 stop 105 at 106 reduce only`, `sell 1 at market`. */
function termsOf(text: string): NonNullable<Parameters<typeof place>[0]> {
  const match =
    /^(isolated )?(buy|sell) ([\d.]+)(?: stop (\d+))? at (market|\d+)( reduce only)?$/.exec(text);
  if (match === null) throw new Error(`no order: ${text}`);
  const [, isolated, side, size = '', stop, price = '', reduces] = match;
  const lots = decimal(size).times(10).toNumber();
  const isMarket = price === 'market';
  const type = stop === undefined ? (isMarket ? 'market' : 'limit') : 'stopLimit';
  return {
    side: side === 'buy' ? 'buy' : 'sell',
    type,
    lots,
    ...(isMarket ? {} : { ticks: Number(price) }),
    ...(stop === undefined ? {} : { stopTicks: Number(stop) }),
    ...(isolated === undefined
      ? {}
      : { margin: { mode: 'isolated', ...(reduces === undefined ? {} : { reduceOnly: true }) } }),
  };
}

function requestOf(asked: string): OrderRequest {
  const list = /^one (cancels|triggers) other \((.*)\)$/.exec(asked);
  if (list === null) return place(termsOf(asked));
  const orders = (list[2] ?? '').split(' | ').map(termsOf);
  return placeList(list[1] === 'cancels' ? 'oneCancelOther' : 'oneTriggerOther', ...orders);
}

function equities(given: Given, asked: string): string {
  const guards = new Guards(limitsOf(given.limits));
  const values = asked.split(' ').slice(1);
  const breaches = values.map((value, index) =>
    guards.equity('USDT', decimal(value), micros(NOW + index)),
  );
  return breaches.map((breach) => breach?.limit ?? '-').join(' ');
}

function outcomeOf(given: Given, asked: string): string {
  if (asked.startsWith('equities ')) return equities(given, asked);
  const { markets, state, requestsInSecond, holdings, orders, fills, minNotional } = given;
  const view = viewOf({
    state,
    requestsInSecond,
    holdings,
    orders,
    markets,
    instruments: [instrumentOf({ ...MARGIN_BTC.terms, minNotional }), ETH, ETHBTC],
    margin: marginIn(given),
  });
  const limits = limitsOf(given.limits);
  const request = requestOf(asked);
  const budget =
    given.budget === undefined
      ? undefined
      : {
          amounts: amounts(given.budget),
          change: (currency: string) => amounts(fills).get(currency) ?? ZERO,
        };
  const rejection =
    orderRejection(request, view, limits) ??
    marginFundsRejection(request, view, limits) ??
    (budget === undefined ? undefined : budgetRejection(request, view, budget, limits));
  return rejection?.code ?? 'sent';
}

function marginIn({ funds, held, isMarked }: Given): MarginView {
  const positions = held === undefined ? [] : [held];
  const account = accountOf({ balance: funds ?? '0', instrument: MARGIN_BTC, held: positions });
  return marginOf(funds === undefined ? [] : [account], isMarked ? { BTCUSDT: '100' } : {});
}

test.each(EXAMPLES)('$line', ({ given, asked, outcome }) => {
  expect(outcomeOf(read(given), asked)).toBe(outcome);
});

test('every limit of an order has an example that passes and one that does not', () => {
  const codes = new Set(EXAMPLES.map(({ outcome }) => outcome));
  for (const code of [
    ...['trading-halted', 'trading-reducing', 'risk-quantity', 'risk-collar', 'risk-notional'],
    ...['risk-position', 'risk-exposure', 'risk-open-orders', 'risk-order-rate'],
    ...['risk-own-cross', 'risk-market-unknown', 'budget-exceeded', 'sent'],
    'value-below-minimum',
    ...['risk-short', 'risk-net-exposure', 'risk-leverage', 'risk-margin-use', 'risk-stop-price'],
    ...['risk-liquidation-distance', 'funds-insufficient', 'margin-account-unknown'],
  ]) {
    expect(codes, code).toContain(code);
  }
});
