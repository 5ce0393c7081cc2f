import { describe, expect, test } from 'vitest';
import { Amount } from '../../../src/model/amount.ts';
import { decimal, ZERO } from '../../../src/model/decimal.ts';
import type {
  MarginAccountReport,
  MarginAccountState,
  VenuePosition,
} from '../../../src/model/margin-account.ts';
import type { Fill } from '../../../src/model/report.ts';
import { lots as asLots, ticks as asTicks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import {
  cashOf,
  filledShare,
  foreignPart,
  inheritedParts,
  NO_PARTS,
  sharedReport,
  shareOf,
  type SharedParts,
  type Sharing,
} from '../../../src/rules/margin/shared-account.ts';
import { perpetual } from '../../exchange/margin/kit.ts';

/** Ticks of 1, lots of 1: 10 lots at 100 cost 1,000. */
const PERP = perpetual();
const { symbol } = PERP;
const AT = micros(1_000);

const account = (balance: string, ...positions: readonly VenuePosition[]): MarginAccountState => ({
  mode: 'cross',
  isContract: true,
  currency: 'USDT',
  isOpen: true,
  leverage: decimal('10'),
  balance: decimal(balance),
  reservedOrders: ZERO,
  reservedPositions: ZERO,
  positions,
});

const position = (lots: number, entryValue: string, change: Partial<VenuePosition> = {}) =>
  ({
    id: 1,
    symbol,
    lots,
    entryPrice: decimal('100'),
    entryValue: decimal(entryValue),
    realizedPnl: ZERO,
    fees: ZERO,
    carry: ZERO,
    createdAt: AT,
    updatedAt: AT,
    ...change,
  }) satisfies VenuePosition;

const OTHER = position(3, '30', { symbol: 'ETHUSDT_PERP' });

const partsOf = (
  whole: MarginAccountState,
  states: Readonly<Record<string, MarginAccountState>>,
): SharedParts => {
  const shares = Object.entries(states).map(([strategy, state]) => ({ strategy, state }));
  return { shares, foreign: foreignPart(whole, shares) };
};

const report = (
  parts: SharedParts,
  whole: MarginAccountState,
  more: Partial<MarginAccountReport> = {},
  sharing: Partial<Sharing> = {},
) =>
  sharedReport(
    parts,
    { kind: 'marginAccount', at: AT, reason: 'updated', account: whole, ...more },
    {
      requester: undefined,
      instrument: (name) => (name === symbol ? PERP : undefined),
      ...sharing,
    },
  );

/** The balances of the strategies, and the cash of nobody last. */
const funds = ({ shares, foreign }: SharedParts): string[] => [
  ...shares.map(({ strategy, state }) => `${strategy} ${state.balance.toFixed()}`),
  `nobody ${foreign.cash.toFixed()}`,
];

describe('a report', () => {
  const before = account('1000');
  const parts = partsOf(before, { A: account('400'), B: account('600') });

  test('that changes nothing has no event', () => {
    expect(report(parts, before).events).toEqual([]);
  });

  test('of funds that a strategy asked for gives them to it, and says so', () => {
    const { parts: after, events } = report(
      parts,
      account('1050'),
      { reason: 'marginChanged' },
      { requester: 'A' },
    );
    expect(funds(after)).toEqual(['A 450', 'B 600', 'nobody 0']);
    expect(events).toMatchObject([{ strategy: 'A', isRequested: true, moved: decimal('50') }]);
    expect(events[0]?.before.balance.toFixed()).toBe('400');
  });

  test('of a setting that brought nothing is an answer to who asked', () => {
    const { events } = report(parts, before, { reason: 'marginChanged' }, { requester: 'B' });
    expect(events).toMatchObject([{ strategy: 'B', isRequested: true, moved: ZERO }]);
  });

  test('of a setting whose amount is known leaves the rest to nobody', () => {
    const moved = decimal('50');
    const { parts: after } = report(
      parts,
      account('1060'),
      { reason: 'created' },
      { requester: 'C', moved },
    );
    expect(funds(after)).toEqual(['A 400', 'B 600', 'C 50', 'nobody 10']);
  });

  test('of funds that somebody else brought gives nobody any', () => {
    const { parts: after, events } = report(parts, account('1060'), { reason: 'marginChanged' });
    expect(funds(after)).toEqual(['A 400', 'B 600', 'nobody 60']);
    expect(events).toEqual([]);
  });

  test('of funds that somebody else took is no loss of a strategy', () => {
    const { parts: after, events } = report(parts, account('900'), { reason: 'marginChanged' });
    expect(funds(after)).toEqual(['A 400', 'B 600', 'nobody -100']);
    expect(events).toEqual([]);
  });

  test('of another leverage tells each strategy', () => {
    const leverage = decimal('5');
    const { events } = report(parts, { ...before, leverage });
    expect(
      events.map(({ strategy, after, isRequested }) => [
        strategy,
        after.leverage?.toFixed(),
        isRequested,
      ]),
    ).toEqual([
      ['A', '5', false],
      ['B', '5', false],
    ]);
    expect(report(parts, { ...before, leverage: undefined }).events).toHaveLength(2);
    expect(report(parts, { ...before, leverage: decimal('10.0') }).events).toEqual([]);
  });

  test('of an account without a leverage of its own is no other leverage', () => {
    const none = { ...before, leverage: undefined };
    const without = partsOf(none, { A: { ...account('1000'), leverage: undefined } });
    expect(report(without, none).events).toEqual([]);
    expect(report(without, before).events).toHaveLength(1);
  });

  test('of a closed account gives each strategy back what it has', () => {
    const closed = { ...account('0'), isOpen: false };
    const { parts: after, events } = report(parts, closed, { reason: 'closed' });
    expect(funds(after)).toEqual(['A 0', 'B 0', 'nobody 0']);
    expect(
      events.map(({ strategy, moved, after: { isOpen } }) => [strategy, moved.toFixed(), isOpen]),
    ).toEqual([
      ['A', '-400', false],
      ['B', '-600', false],
    ]);
  });

  test('of an account that was closed with more takes no more than each has', () => {
    const rich = account('1500');
    const { parts: after, events } = report(
      partsOf(rich, { A: account('400'), B: account('600') }),
      { ...account('0'), isOpen: false },
      { reason: 'closed' },
    );
    expect(funds(after)).toEqual(['A 0', 'B 0', 'nobody 0']);
    expect(events.map(({ moved }) => moved.toFixed())).toEqual(['-400', '-600']);
  });

  test('of a position that was closed is no setting', () => {
    const { parts: after } = report(parts, account('900'), {
      reason: 'closed',
      position: position(0, '0'),
    });
    expect(funds(after)).toEqual(['A 400', 'B 600', 'nobody -100']);
  });

  test('of what others paid gives it to those whose funds are below zero', () => {
    const low = partsOf(account('500'), {
      A: account('-100', position(1, '100')),
      B: account('-300', position(1, '100')),
      C: account('900'),
    });
    const positions = [position(2, '200')];
    const { parts: after, events } = report(
      low,
      { ...account('700'), positions },
      { covered: decimal('200') },
    );
    expect(funds(after)).toEqual(['A -50', 'B -150', 'C 900', 'nobody 0']);
    expect(events.map(({ strategy, moved }) => [strategy, moved.toFixed()])).toEqual([
      ['A', '0'],
      ['B', '0'],
    ]);
    const { parts: more } = report(
      low,
      { ...account('1000'), positions },
      { covered: decimal('500') },
    );
    expect(funds(more)).toEqual(['A 0', 'B 0', 'C 900', 'nobody 100']);
  });
});

describe('what a strategy without a position lost beyond its funds', () => {
  const nothing = { reason: 'updated' } as const;

  test('is borne by no funds of nobody while those hold a position', () => {
    const whole = account('500', position(5, '50'));
    const parts = partsOf(whole, { A: account('-100'), B: account('300') });
    expect(parts.foreign.cash.toFixed()).toBe('250');
    expect(funds(report(parts, whole, nothing).parts)).toEqual(['A 0', 'B 200', 'nobody 250']);
  });

  test('stays with it where nobody can bear it', () => {
    const whole = account('-70');
    const parts = partsOf(whole, { A: account('-100'), B: account('30'), C: account('0') });
    expect(funds(report(parts, whole, nothing).parts)).toEqual(['A -70', 'B 0', 'C 0', 'nobody 0']);
  });

  test('is borne in their order where several lost it', () => {
    const whole = account('-50');
    const parts = partsOf(whole, { A: account('-60'), B: account('-40'), C: account('50') });
    expect(funds(report(parts, whole, nothing).parts)).toEqual([
      'A -10',
      'B -40',
      'C 0',
      'nobody 0',
    ]);
  });
});

describe('a forced close', () => {
  const before = account('1000', position(30, '3000'), OTHER);
  const parts = partsOf(before, {
    A: account('500', OTHER, position(20, '2000')),
    B: account('500', position(10, '1000')),
    C: { ...account('0'), isOpen: false },
  });
  /** 15 lots sold at 90, for a fee of 3. */
  const after = account('847', position(15, '1500'), OTHER);

  test.each<[string, Partial<MarginAccountReport>]>([
    ['a liquidation', { reason: 'liquidated' }],
    ['the end of a liquidation', { end: 'liquidated' }],
    ['a deleveraging', { end: 'deleveraged' }],
    ['a settlement', { end: 'settled' }],
    [
      'a trade of the venue',
      { forced: { side: 'sell', ticks: asTicks(90), lots: asLots(15), fee: ZERO } },
    ],
  ])('is %s', (_, more) => {
    const { parts: shared, events } = report(parts, after, {
      position: after.positions[0],
      ...more,
    });
    expect(shared.shares.map(({ state }) => state.positions.map(({ lots }) => lots))).toEqual([
      [3, 10],
      [5],
      [],
    ]);
    expect(funds(shared)).toEqual(['A 398', 'B 449', 'C 0', 'nobody 0']);
    expect(events.map(({ strategy, forced }) => [strategy, forced?.lots])).toEqual([
      ['A', 10],
      ['B', 5],
    ]);
  });

  test('keeps when the position was changed, and adds its fee and result', () => {
    const updatedAt = micros(2_000);
    const { events } = report(parts, after, {
      position: position(15, '1500', { updatedAt }),
      reason: 'liquidated',
      forced: { side: 'sell', ticks: asTicks(90), lots: asLots(15), fee: decimal('3') },
    });
    expect(
      events.map(({ forced }) => [
        forced?.updatedAt,
        forced?.fees.toFixed(),
        forced?.realizedPnl.toFixed(),
      ]),
    ).toEqual([
      [updatedAt, '2', '-100'],
      [updatedAt, '1', '-50'],
    ]);
  });

  test('of an instrument that is not known, or of none, is foreign', () => {
    const instrument = (): undefined => undefined;
    const more = { position: after.positions[0], reason: 'liquidated' } as const;
    const { parts: unknown, events } = report(parts, after, more, { instrument });
    expect(unknown.foreign.lots).toEqual({ [symbol]: -15 });
    expect(events).toEqual([]);
    expect(report(parts, after, { reason: 'liquidated' }).parts.foreign.lots).toEqual({
      [symbol]: -15,
    });
  });

  test('that is known already changes nothing', () => {
    const more = { position: before.positions[0], reason: 'liquidated' } as const;
    const { parts: same, events } = report(parts, before, more);
    expect(events).toEqual([]);
    expect(funds(same)).toEqual(['A 500', 'B 500', 'C 0', 'nobody 0']);
  });
});

describe('funding', () => {
  const held = account('1000', position(30, '3000'), OTHER);
  const parts = partsOf(held, {
    A: account('500', OTHER, position(20, '2000')),
    B: account('500', position(10, '1000')),
  });
  const paid = (more: Partial<MarginAccountReport>) =>
    report(parts, account('997', position(30, '3000'), OTHER), {
      carry: { kind: 'funding', amount: decimal('-3') },
      ...more,
    });

  test('is paid by the lots of each, and noted at the position', () => {
    const { parts: after, events } = paid({ position: position(30, '3000') });
    expect(funds(after).slice(0, 2)).toEqual(['A 498', 'B 499']);
    expect(
      after.shares[0]?.state.positions.map((one) => [one.symbol, one.carry.toFixed()]),
    ).toEqual([
      [OTHER.symbol, '0'],
      [symbol, '-2'],
    ]);
    expect(events.map(({ carry }) => [carry?.kind, carry?.amount.toFixed()])).toEqual([
      ['funding', '-2'],
      ['funding', '-1'],
    ]);
  });

  test('of an isolated account is that of its symbol', () => {
    const isolated = { ...held, mode: 'isolated', symbol } as const;
    const { parts: after } = report(
      parts,
      { ...isolated, balance: decimal('997') },
      {
        carry: { kind: 'funding', amount: decimal('-3') },
      },
    );
    expect(funds(after).slice(0, 2)).toEqual(['A 498', 'B 499']);
  });

  test("without a symbol is nobody's", () => {
    expect(funds(paid({}).parts)).toEqual(['A 500', 'B 500', 'nobody -3']);
  });

  test('of an ended position is shared by what is held', () => {
    expect(funds(paid({ position: position(0, '0') }).parts).slice(0, 2)).toEqual([
      'A 498',
      'B 499',
    ]);
  });

  test('of opposite positions without price and rate is shared by none', () => {
    const flat = account('1000');
    const opposite = partsOf(flat, {
      A: account('500', position(10, '1000')),
      B: account('500', position(-10, '1000')),
    });
    const carry = { kind: 'funding', amount: decimal('-3') } as const;
    const { parts: after } = report(opposite, account('997'), {
      carry,
      position: position(0, '0'),
    });
    expect(funds(after)).toEqual(['A 500', 'B 500', 'nobody -3']);
  });
});

describe('a fill', () => {
  const fill: Fill = {
    id: 7,
    clientOrderId: 'A-1',
    symbol,
    side: 'buy',
    at: AT,
    ticks: asTicks(100),
    lots: asLots(5),
    fee: Amount.of(decimal('2')),
    feeCurrency: 'USDT',
    taker: true,
    margin: 'cross',
  };

  test('changes the position of its symbol alone, under its own number', () => {
    const { state } = filledShare({ strategy: 'A', state: account('500', OTHER) }, PERP, fill);
    expect(state.positions.map(({ id, symbol: name, lots }) => [id, name, lots])).toEqual([
      [1, OTHER.symbol, 3],
      [7, symbol, 5],
    ]);
    expect(state.balance.toFixed()).toBe('498');
  });

  test('whose fee is taken elsewhere costs the account nothing', () => {
    const { state } = filledShare({ strategy: 'A', state: account('500') }, PERP, {
      ...fill,
      feeCurrency: 'BTC',
    });
    expect(state.balance.toFixed()).toBe('500');
  });

  test('that was foreign goes to its strategy, with what it cost', () => {
    const whole = account('1000', position(8, '800'), OTHER);
    const parts = partsOf(whole, { A: account('400') });
    expect(parts.foreign.lots).toEqual({ [symbol]: 8, [OTHER.symbol]: 3 });
    const after = inheritedParts(parts, whole, 'A', PERP, { ...fill, fee: Amount.of(ZERO) });
    expect(after.foreign.lots).toEqual({ [symbol]: 3, [OTHER.symbol]: 3 });
    expect(after.foreign).toEqual(foreignPart(whole, after.shares));
    const all = inheritedParts(after, whole, 'B', PERP, {
      ...fill,
      lots: asLots(3),
      fee: Amount.of(ZERO),
    });
    expect(all.foreign.lots).toEqual({ [OTHER.symbol]: 3 });
    expect(all.foreign).toEqual(foreignPart(whole, all.shares));
    // A part that sells has what it sold for more.
    const sold = inheritedParts(NO_PARTS, account('0'), 'A', PERP, { ...fill, side: 'sell' });
    expect(sold.foreign.lots).toEqual({ [symbol]: 5 });
    expect(sold.foreign.cash.toFixed()).toBe(cashOf(sold.shares[0].state).negated().toFixed());
  });

  test('opens a part of its own for a strategy that had none', () => {
    const { state } = shareOf(NO_PARTS, 'A', account('1000'));
    expect(state).toMatchObject({ currency: 'USDT', isOpen: false, balance: ZERO, positions: [] });
  });
});
