import { describe, expect, test } from 'vitest';
import { LiquidationGuard } from '../../../src/risk/guards/liquidation.ts';
import { limitsOf } from '../view.ts';
import { accountOf, BTC, ETH, marginOf, type Funds, type Held } from '../margin/view.ts';

type Leads = 'warn' | 'reduce' | undefined;

const guardOf = (onLiquidationDistance?: Leads, minLiquidationDistance = '0.1') =>
  new LiquidationGuard(limitsOf({ minLiquidationDistance, onLiquidationDistance }));

const SHORT: Held = { instrument: BTC, size: '-0.1', entry: '20000', liquidation: '24740.59' };
const LONG: Held = { instrument: BTC, size: '0.1', entry: '20000', liquidation: '15000' };

/** Looks at one account at a mark price of BTC, unknown where empty; gives what is reported. */
function reported(guard: LiquidationGuard, held: Held, mark: string, more: Partial<Funds> = {}) {
  const accounts = [accountOf({ balance: '599', held: [held], ...more })];
  return guard.check(marginOf(accounts, mark === '' ? {} : { BTCUSDT: mark }));
}

/** Whether something is reported at each of these mark prices. */
const isReported = (guard: LiquidationGuard, held: Held, ...marks: string[]): boolean[] =>
  marks.map((mark) => reported(guard, held, mark).length > 0);

describe('a position nearer to its liquidation than the limit', () => {
  test('is reported once as a short, until its mark price is back at twice the limit', () => {
    // 24,740.59 is 10 % above 22,491.44 and 20 % above 20,617.15.
    const guard = guardOf();
    expect(isReported(guard, SHORT, '20000', '22491.44', '22491.45', '23000')).toEqual([
      ...[false, false, true, false],
    ]);
    expect(isReported(guard, SHORT, '20617.16', '23000', '20617.15', '23000')).toEqual([
      ...[false, false, false, true],
    ]);
  });

  test('is reported once as a long, until its mark price is back at twice the limit', () => {
    // 15,000 is 10 % below 16,666.67 and 20 % below 18,750.
    const guard = guardOf();
    expect(isReported(guard, LONG, '20000', '16666.67', '16666.66', '16000')).toEqual([
      ...[false, false, true, false],
    ]);
    expect(isReported(guard, LONG, '18749.99', '16000', '18750', '16000')).toEqual([
      ...[false, false, false, true],
    ]);
  });

  test('is reported where the mark price is beyond the liquidation already', () => {
    expect(isReported(guardOf(), SHORT, '25000')).toEqual([true]);
    expect(isReported(guardOf(), LONG, '14000')).toEqual([true]);
  });

  test('is a warning alone where nothing else is set', () => {
    const warning = {
      symbol: 'BTCUSDT',
      mode: 'isolated',
      why: 'The position in BTCUSDT is liquidated at 15000 and its mark price is 16000, nearer than 10 %.',
    };
    expect(reported(guardOf(), LONG, '16000')).toEqual([warning]);
    expect(reported(guardOf('warn'), LONG, '16000')).toEqual([warning]);
  });

  test('leads to reducing where it is to, and is to come back to twice the limit', () => {
    const [near] = reported(guardOf('reduce'), LONG, '16000', { mode: 'cross' });
    expect(near).toMatchObject({
      symbol: 'BTCUSDT',
      mode: 'cross',
      breach: { limit: 'liquidation-distance', to: 'reducing', why: near.why },
    });
    expect(near.distance?.toFixed()).toBe('0.2');
  });

  test('is nothing where no distance is set', () => {
    const guard = new LiquidationGuard(limitsOf());
    expect(reported(guard, LONG, '15001')).toEqual([]);
  });
});

test('an unknown mark price reports nothing, and a report that was made stays valid', () => {
  expect(isReported(guardOf(), SHORT, '23000', '', '23000')).toEqual([true, false, false]);
});

test('a position that no price liquidates is never near, and a report of it is over', () => {
  const guard = guardOf();
  const { liquidation: _, ...safe } = LONG;
  expect(isReported(guard, LONG, '16000')).toEqual([true]);
  expect(isReported(guard, safe, '0.01', '16000')).toEqual([false, false]);
  expect(isReported(guard, LONG, '16000')).toEqual([true]);
});

test('a position that has ended is forgotten, and the next one is reported', () => {
  const guard = guardOf();
  expect(isReported(guard, LONG, '16000')).toEqual([true]);
  expect(guard.check(marginOf([accountOf({ balance: '599' })], { BTCUSDT: '16000' }))).toEqual([]);
  expect(isReported(guard, LONG, '16000', '16000')).toEqual([true, false]);
});

test('each position of each account is reported for itself', () => {
  const guard = guardOf();
  const eth = { instrument: ETH, size: '2', entry: '1500', liquidation: '1400' };
  const isolated = accountOf({ balance: '599', held: [LONG] });
  const cross = accountOf({ mode: 'cross', balance: '599', held: [SHORT, eth] });
  const at = (btc: string, ethMark: string) =>
    guard
      .check(marginOf([isolated, cross], { BTCUSDT: btc, ETHUSDT: ethMark }))
      .map(({ symbol, mode }) => `${mode} ${symbol}`);
  expect(at('16000', '1600')).toEqual(['isolated BTCUSDT']);
  expect(at('16000', '1500')).toEqual(['cross ETHUSDT']);
  expect(at('23000', '1500')).toEqual(['cross BTCUSDT']);
  expect(at('16000', '1500')).toEqual(['isolated BTCUSDT']);
});

describe('a position that was reported and changes while it is too near', () => {
  const held = (size: string): Held => ({ ...SHORT, size });
  const sizes = (guard: LiquidationGuard, ...all: string[]): boolean[] =>
    all.map((size) => reported(guard, held(size), '23000').length > 0);

  test('is reported again where it was reduced and is to be reduced', () => {
    expect(sizes(guardOf('reduce'), '-0.1', '-0.1', '-0.099', '-0.099')).toEqual([
      ...[true, false, true, false],
    ]);
  });

  test('is not reported again where it became larger, and then smaller than that', () => {
    expect(sizes(guardOf('reduce'), '-0.1', '-0.2', '-0.1', '-0.099')).toEqual([
      ...[true, false, false, true],
    ]);
  });

  test('is not reported again where a warning is all that there is', () => {
    expect(sizes(guardOf('warn'), '-0.1', '-0.05')).toEqual([true, false]);
  });
});

test('an order that closed nothing lets its position be reported again, and no other', () => {
  const guard = guardOf('reduce');
  const accounts = [
    accountOf({ balance: '599', held: [LONG] }),
    accountOf({ mode: 'cross', balance: '599', held: [LONG] }),
  ];
  const margin = marginOf(accounts, { BTCUSDT: '16000' });
  expect(guard.check(margin)).toHaveLength(2);
  guard.again('BTCUSDT', 'cross');
  expect(guard.check(margin).map(({ mode }) => mode)).toEqual(['cross']);
});

test('every position is reported again after a person resumes trading', () => {
  const guard = guardOf();
  expect(isReported(guard, LONG, '16000', '16000')).toEqual([true, false]);
  guard.resumed();
  expect(isReported(guard, LONG, '16000')).toEqual([true]);
});
