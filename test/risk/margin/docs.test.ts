import { expect, test } from 'vitest';
import { decimal, ZERO, type Decimal } from '../../../src/model/decimal.ts';
import { usedBy, type MarginUse } from '../../../src/risk/limits/leverage.ts';
import { stopBound } from '../../../src/risk/limits/stop-price.ts';
import { shortestDistance } from '../../../src/risk/margin/distance.ts';
import { heldForOrders, heldForPositions } from '../../../src/risk/margin/reserves.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { limitsOf, marketOf, open, viewOf } from '../view.ts';
import { accountOf, BTC, ETH, marginOf, type Funds, type Held } from './view.ts';

const SHORT: Held = { instrument: BTC, size: '-0.1', entry: '20000' };

function viewAt(mark: string, funds: Funds) {
  const account = accountOf(funds);
  const markets = { BTCUSDT: marketOf(2_000_000, 2_000_000) };
  const margin = marginOf([account], { BTCUSDT: mark, ETHUSDT: '1520' });
  return { account, view: viewOf({ instruments: [BTC, ETH], markets, margin }) };
}

const held = (mark: string): Decimal =>
  heldForPositions(
    accountOf({ balance: '600', held: [SHORT] }),
    () => decimal(mark),
    () => BTC,
  );

function liquidation(size: string, balance: string): Decimal {
  const { account, view } = viewAt('20000', { balance, held: [{ ...SHORT, size: `-${size}` }] });
  const distance = shortestDistance(account, { view, limits: limitsOf(), orders: [] });
  if (distance === undefined || distance === 'unknown') throw new Error('no distance');
  return distance.liquidationPrice;
}

function heldForOrder(): Decimal {
  const { account, view } = viewAt('20000', { balance: '600' });
  const margin = { mode: 'isolated' } as const;
  const order = open({ side: 'sell', lots: 100, ticks: 2_000_000, margin });
  return heldForOrders(account, [order], view, limitsOf());
}

const PAIR: readonly Held[] = [
  { instrument: BTC, size: '0.1', entry: '20000' },
  { instrument: ETH, size: '-2', entry: '1500' },
];

function used(): MarginUse {
  const { account, view } = viewAt('19500', { mode: 'cross', balance: '1000', held: PAIR });
  const use = usedBy(account, [], view, new Map());
  if (isRejection(use)) throw new Error(use.message);
  return use;
}

const net = (): Decimal =>
  PAIR.map(({ size, instrument }) =>
    decimal(size).times(instrument === BTC ? '19500' : '1520'),
  ).reduce((sum, one) => sum.plus(one), ZERO);

/** What each figure is, by the rules. */
const FIGURES: Readonly<Record<string, () => Decimal>> = {
  'held for an order that sells 0.1': heldForOrder,
  'held for the position of it at 20,000': () => held('20000'),
  'held for the position of it at 21,000': () => held('21000'),
  'liquidation price of a short of 0.1 with funds of 600': () => liquidation('0.1', '600'),
  'liquidation price of a short of 0.25 with funds of 600': () => liquidation('0.25', '600'),
  'liquidation price of a short of 0.1 with funds of 599': () => liquidation('0.1', '599'),
  'last stop of that one': () => stopBound(decimal('20000'), liquidation('0.1', '599')),
  'gross value of 0.1 BTC at 19,500 and −2 ETH at 1,520': () => used().notional,
  'net value of the two': net,
  'what the two must keep': () => used().kept,
};

/** Leverage 10, f 0.0005, multipliers 1.5 and 2, a short of BTC sold at 20,000. */
const WORKED: Readonly<Record<string, string>> = {
  'held for an order that sells 0.1': '202.1',
  'held for the position of it at 20,000': '201.1',
  'held for the position of it at 21,000': '301.15',
  'liquidation price of a short of 0.1 with funds of 600': '24750.11',
  'liquidation price of a short of 0.25 with funds of 600': '21323.17',
  'liquidation price of a short of 0.1 with funds of 599': '24740.59',
  'last stop of that one': '24503.5605',
  'gross value of 0.1 BTC at 19,500 and −2 ETH at 1,520': '4990',
  'net value of the two': '-1090',
  'what the two must keep': '251.995',
};

test.each(Object.entries(WORKED))('%s is %s', (what, figure) => {
  expect(FIGURES[what]().toFixed()).toBe(figure);
});
