import { expect, test } from 'vitest';
import { Guards } from '../../../src/bot/risk/guards.ts';
import { limitsOf, NOW } from '../view.ts';
import { accountOf, BTC, marginOf } from './view.ts';

/** A short that is liquidated at 24,740.59, at each of these mark prices; says which are told of. */
function reported(onLiquidationDistance: 'warn' | 'reduce', marks: readonly string[]): unknown[] {
  const guards = new Guards(limitsOf({ minLiquidationDistance: '0.1', onLiquidationDistance }));
  const held = [{ instrument: BTC, size: '-0.1', entry: '20000', liquidation: '24740.59' }];
  const accounts = [accountOf({ balance: '599', held })];
  return marks.map((mark) =>
    guards
      .liquidation(marginOf(accounts, mark === '' ? {} : { BTCUSDT: mark }))
      .map(({ symbol, mode, breach }) => [symbol, mode, breach?.to]),
  );
}

const WARNED = [['BTCUSDT', 'isolated', undefined]];

test('a position nearer than the limit is reported once, until it is back at twice the limit', () => {
  // 24,740.59 is 10 % above 22,491.44 and 20 % above 20,617.15.
  const marks = [
    '20000',
    '22491.44',
    '22491.45',
    '23000',
    '20617.16',
    '23000',
    '20617.15',
    '23000',
  ];
  expect(reported('warn', marks)).toEqual([[], [], WARNED, [], [], [], [], WARNED]);
});

test('an unknown mark price reports nothing, and ends no breach that was reported', () => {
  expect(reported('warn', ['23000', '', '23000'])).toEqual([WARNED, [], []]);
});

test('it leads to reducing where it is to', () => {
  expect(reported('reduce', ['23000'])).toEqual([[['BTCUSDT', 'isolated', 'reducing']]]);
});

test('a breach is reported again after a person resumes trading', () => {
  const guards = new Guards(limitsOf({ minLiquidationDistance: '0.1' }));
  const held = [{ instrument: BTC, size: '0.1', entry: '20000', liquidation: '15000' }];
  const near = marginOf([accountOf({ balance: '599', held })], { BTCUSDT: '16000' });
  expect(guards.liquidation(near)).toHaveLength(1);
  expect(guards.liquidation(near)).toHaveLength(0);
  guards.resumed(NOW);
  expect(guards.liquidation(near)).toEqual([
    {
      symbol: 'BTCUSDT',
      mode: 'isolated',
      why: 'The position in BTCUSDT is liquidated at 15000 and its mark price is 16000, nearer than 10 %.',
    },
  ]);
});
