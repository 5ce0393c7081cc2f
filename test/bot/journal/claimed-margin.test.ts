import { expect, test } from 'vitest';
import { decimal, ZERO } from '../../../src/model/decimal.ts';
import { marginAccountId, type MarginAccountReport } from '../../../src/model/margin-account.ts';
import { micros } from '../../../src/platform/time.ts';
import { BTC, desk, START } from './kit.ts';

const report = (
  seconds: number,
  balance: string,
  more: Partial<MarginAccountReport> = {},
): MarginAccountReport => ({
  kind: 'marginAccount',
  at: micros(START + seconds * 1_000_000),
  reason: 'marginChanged',
  account: {
    ...marginAccountId(BTC, 'isolated'),
    isOpen: true,
    balance: decimal(balance),
    leverage: decimal('5'),
    positions: [],
    reservedOrders: ZERO,
    reservedPositions: ZERO,
    isCalled: false,
  },
  ...more,
});

test('an account that is taken over while journal and venue are apart is taken from the budget once', () => {
  const { journal } = desk();
  journal.receivedMargin(report(1, '400', { reason: 'updated' }), START);
  journal.reconciled({ at: micros(START + 2_000_000) });
  // Reports may be missing from here on, so what was known before is kept beside what comes.
  journal.missing();
  journal.receivedMargin(report(3, '400', { reason: 'updated' }), START);
  journal.intendMargin('ema', {
    kind: 'setMargin',
    symbol: 'BTCUSDT',
    mode: 'isolated',
    balance: decimal('400'),
  });
  const taken = (): readonly string[] =>
    journal.holdings('ema').map(({ currency, change }) => `${change.toFixed()} ${currency}`);
  expect(taken()).toEqual(['-400 USDT']);
  journal.receivedMargin(report(4, '400', { missed: true }), START);
  expect(taken()).toEqual(['-400 USDT']);
  journal.receivedMargin(report(5, '390', { missed: true, byOthers: true }), START);
  expect(taken()).toEqual(['-390 USDT']);
});
