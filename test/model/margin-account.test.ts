import { describe, expect, test } from 'vitest';
import { decimal, ZERO } from '../../src/model/decimal.ts';
import {
  isSetting,
  marginAccountKey,
  marginAccountId,
  movedToMargin,
  resultOf,
  type MarginAccountReport,
  type MarginAccountState,
  type MarginReason,
  type VenuePosition,
} from '../../src/model/margin-account.ts';
import { micros } from '../../src/platform/time.ts';
import { instrument, perpetual } from '../exchange/margin/kit.ts';

const position = (change: Partial<VenuePosition> = {}): VenuePosition => ({
  id: 1,
  symbol: 'BTCUSDT',
  lots: 5,
  entryPrice: decimal('100'),
  entryValue: decimal('500'),
  realizedPnl: ZERO,
  fees: ZERO,
  carry: ZERO,
  createdAt: micros(1),
  updatedAt: micros(1),
  ...change,
});

const account = (balance: string, ...positions: readonly VenuePosition[]): MarginAccountState => ({
  ...marginAccountId(instrument(), 'isolated'),
  isOpen: true,
  balance: decimal(balance),
  reservedOrders: ZERO,
  reservedPositions: ZERO,
  positions,
});

const report = (
  state: MarginAccountState,
  more: Partial<MarginAccountReport> = {},
): MarginAccountReport => ({
  kind: 'marginAccount',
  at: micros(1),
  reason: 'marginChanged',
  account: state,
  ...more,
});

describe('the place of a margin account', () => {
  test('is that of a symbol, or of the currency that it settles in', () => {
    expect(marginAccountId(instrument(), 'isolated')).toEqual({
      mode: 'isolated',
      isContract: false,
      currency: 'USDT',
      symbol: 'BTCUSDT',
    });
    expect(marginAccountId(perpetual(), 'cross')).toEqual({
      mode: 'cross',
      isContract: true,
      currency: 'USDT',
      symbol: undefined,
    });
  });

  test('has a name of its own', () => {
    const places = [
      marginAccountId(instrument(), 'isolated'),
      marginAccountId(instrument(), 'cross'),
      marginAccountId(perpetual(), 'isolated'),
      marginAccountId(perpetual(), 'cross'),
      { mode: 'isolated', isContract: false, currency: 'USDT' } as const,
    ];
    expect(places.map(marginAccountKey)).toEqual([
      'isolated BTCUSDT',
      'cross spot USDT',
      'isolated BTCUSDT_PERP',
      'cross futures USDT',
      'isolated ',
    ]);
  });
});

describe('a setting', () => {
  const REASONS: readonly MarginReason[] = [
    ...(['created', 'reopened', 'marginChanged', 'openTrade', 'closeTrade'] as const),
    ...(['flipTrade', 'closed', 'liquidated', 'interestTaken', 'updated'] as const),
  ];

  test('is neither a trade nor a payment', () => {
    const settings = REASONS.filter((reason) => isSetting(report(account('1'), { reason })));
    expect(settings).toEqual(['created', 'reopened', 'marginChanged', 'closed']);
    expect(isSetting(report(account('1'), { reason: 'closed', position: position() }))).toBe(false);
    expect(isSetting(report(account('1'), { reason: 'created', position: position() }))).toBe(true);
  });

  test('moved what the funds changed by', () => {
    expect(movedToMargin(report(account('150')), account('100')).toFixed()).toBe('50');
    expect(movedToMargin(report(account('70')), account('100')).toFixed()).toBe('-30');
    expect(movedToMargin(report(account('70')), undefined).toFixed()).toBe('70');
  });

  test('moved what its report says, where it does', () => {
    const moved = decimal('7');
    expect(movedToMargin(report(account('150'), { moved }), account('100')).toFixed()).toBe('7');
  });

  test('is the only thing that moves funds', () => {
    const traded = report(account('150'), { reason: 'openTrade', moved: decimal('7') });
    expect(movedToMargin(traded, account('100')).toFixed()).toBe('0');
  });
});

describe('results of positions', () => {
  const results = { realizedPnl: decimal('20'), fees: decimal('3'), carry: decimal('-2') };

  test('are what was realized less fees, and what was paid or received', () => {
    expect(resultOf(results).toFixed()).toBe('15');
  });

  test('whose reports were missed were not moved', () => {
    const later = position({ ...results, updatedAt: micros(2) });
    const before = account('100', position({ realizedPnl: decimal('10') }));
    // 15 is its result now and 10 was it before.
    expect(movedToMargin(report(account('150', later)), before).toFixed()).toBe('45');
    // A position that was not known is all result.
    expect(movedToMargin(report(account('150', later)), account('100')).toFixed()).toBe('35');
    expect(movedToMargin(report(account('150', { ...later, id: 2 })), before).toFixed()).toBe('35');
  });

  test('of what nothing has happened to are only known better now', () => {
    const before = account('100', position());
    const same = position(results);
    expect(movedToMargin(report(account('150', same)), before).toFixed()).toBe('50');
    // Other lots: something has happened at the same time.
    expect(movedToMargin(report(account('150', { ...same, lots: 4 })), before).toFixed()).toBe(
      '35',
    );
  });
});
