import { expect, test } from 'vitest';
import { marginUnknownRejection } from '../../../src/risk/limits/margin-unknown.ts';
import { BTC, ETH } from '../margin/view.ts';
import { limitsOf, place, placeList } from '../view.ts';
import { at, checkedOf, position, REDUCE_ONLY, viewAt } from './view.ts';

const rejected = (
  request: Parameters<typeof checkedOf>[0],
  view: Parameters<typeof checkedOf>[1],
) => marginUnknownRejection(checkedOf(request, view, limitsOf()));

const why = (symbol: string) => ({
  code: 'risk-market-unknown',
  field: 'symbol',
  message: `An order that opens on margin needs a price of ${symbol}, and its market is not known or stale.`,
});

test('nothing is opened where there is no margin account', () => {
  expect(rejected(place(at('buy', 1, 'isolated')), viewAt([]))).toEqual({
    code: 'margin-account-unknown',
    field: 'symbol',
    message: 'There is no isolated margin account for BTCUSDT; give it a margin balance first.',
  });
  expect(rejected(place(at('buy', 1, 'cross')), viewAt([]))).toEqual({
    code: 'margin-account-unknown',
    field: 'currency',
    message: 'There is no cross margin account for USDT; give it a margin balance first.',
  });
});

test('nothing is opened in an account that was closed', () => {
  const view = viewAt([{ balance: '10' }]);
  const closed = { ...view.margin?.accounts[0], isOpen: false };
  const { margin } = view;
  if (margin === undefined) throw new Error('no margin');
  const find = () => closed as (typeof margin.accounts)[number];
  const request = place(at('buy', 1, 'isolated'));
  expect(rejected(request, view)).toBeUndefined();
  expect(rejected(request, { ...view, margin: { ...margin, find } })?.code).toBe('margin-account-unknown'); // prettier-ignore
});

test('nothing is opened while its own mark price is unknown', () => {
  const view = viewAt([{ balance: '10' }], {}, {});
  expect(rejected(place(at('buy', 1, 'isolated')), view)).toEqual(why('BTCUSDT'));
});

test('nothing is opened in an account while the mark price of another position is unknown', () => {
  const held = [
    { instrument: BTC, size: '1', entry: '100' },
    { instrument: ETH, size: '1', entry: '10' },
  ];
  const view = viewAt([{ mode: 'cross', balance: '10', held }], {}, { BTCUSDT: '100' });
  expect(rejected(place(at('buy', 1, 'cross')), view)).toEqual(why('ETHUSDT'));
  const known = viewAt([{ mode: 'cross', balance: '10', held }]);
  expect(rejected(place(at('buy', 1, 'cross')), known)).toBeUndefined();
});

test('what only closes passes, whatever is unknown', () => {
  const view = viewAt([position('-1')], {}, {});
  expect(rejected(place(at('buy', 1_000, 'isolated')), view)).toBeUndefined();
  expect(rejected(place(at('buy', 9_000, REDUCE_ONLY)), view)).toBeUndefined();
  expect(rejected(place(at('buy', 1_001, 'isolated')), view)).toEqual(why('BTCUSDT'));
});

test('each order of a list is judged', () => {
  const view = viewAt([position('-1')]);
  const list = placeList('allOrNone', at('buy', 1, REDUCE_ONLY), at('buy', 1, 'cross'));
  expect(rejected(list, view)?.code).toBe('margin-account-unknown');
});
