import { describe, expect, it } from 'vitest';
import {
  MarginBook,
  type WireAccountReport,
} from '../../../../../src/gateways/trading/account/margin/book.ts';
import type { MarginTrade } from '../../../../../src/gateways/trading/account/margin/change.ts';
import { RecordReader } from '../../../../../src/gateways/trading/account/records.ts';
import { decimal } from '../../../../../src/model/decimal.ts';
import type { MillraceError } from '../../../../../src/model/errors.ts';
import { lots, ticks } from '../../../../../src/model/units.ts';
import { micros } from '../../../../../src/platform/time.ts';
import { instruments } from '../../../../server/instruments.ts';
import { brief } from './kit.ts';

const AT = micros(Date.UTC(2026, 0, 5) * 1_000);

type Position = NonNullable<WireAccountReport['positions']>[number];

const position = (id: number, quantity: string, of: Partial<Position> = {}): Position => ({
  id,
  symbol: 'BTCUSDT',
  quantity: decimal(quantity),
  price_entry: decimal('50000'),
  created_at: AT,
  updated_at: AT,
  ...of,
});

/** A record of an account, isolated in BTCUSDT unless it is said to be cross. */
const account = (
  balance: string,
  positions: readonly Position[],
  report_reason: WireAccountReport['report_reason'] = 'status',
  of: Partial<WireAccountReport> = {},
): WireAccountReport => {
  const held = { reserved_orders: decimal('0'), reserved_positions: decimal('0') };
  return {
    type: 'isolated',
    symbol: 'BTCUSDT',
    created_at: AT,
    updated_at: AT,
    currencies: [{ code: 'USDT', margin_balance: decimal(balance), ...held }],
    positions: [...positions],
    report_type: 'updated',
    report_reason,
    ...of,
  };
};

const CROSS = { type: 'cross', symbol: undefined, currency: 'USDT' } as const;

function opened(...accounts: readonly WireAccountReport[]) {
  const warnings: MillraceError[] = [];
  const warn = (warning: MillraceError): void => void warnings.push(warning);
  const records = new RecordReader(warn);
  records.know(instruments());
  const book = new MarginBook({ records, warn });
  book.status(accounts, 'margin', AT);
  const [bitcoin] = instruments();
  const trade = (size: number, price: number, of: Partial<MarginTrade> = {}): void => {
    const side = size > 0 ? 'buy' : 'sell';
    const terms = { ticks: ticks(price), lots: lots(Math.abs(size)), fee: decimal('1') };
    const rest = { mode: 'isolated', positionId: 1, isOwn: true } as const;
    if (bitcoin !== undefined) book.trade({ instrument: bitcoin, side, ...terms, ...rest, ...of });
  };
  const reported = (given: WireAccountReport) => book.report(given, 'margin').map(brief);
  return { book, warnings, trade, reported };
}

describe('the margin accounts of a service that reports them in its own form', () => {
  it('are followed where each report shows the account as it stood after its trade', () => {
    const { trade, reported } = opened(account('1000', []));
    trade(100, 5_000_000);
    trade(100, 5_000_000);
    expect(reported(account('999', [position(1, '0.001')], 'openTrade'))).toMatchObject([
      { lots: 100 },
    ]);
    expect(reported(account('998', [position(1, '0.002')], 'openTrade'))).toMatchObject([
      { lots: 200 },
    ]);
    trade(-100, 5_000_000);
    trade(-100, 5_000_000);
    expect(reported(account('997', [position(1, '0.001')], 'closeTrade'))).toEqual([
      { reason: 'closeTrade', balance: '997', lots: 100 },
    ]);
    expect(reported(account('996', [], 'closed'))).toEqual([
      { reason: 'closed', balance: '996', lots: 0, end: 'closed' },
    ]);
  });

  it('are followed where one report has several trades', () => {
    const { trade, reported } = opened(account('1000', []));
    trade(100, 5_000_000);
    trade(100, 5_000_000);
    expect(reported(account('998', [position(1, '0.002')], 'openTrade'))).toMatchObject([
      { lots: 200 },
    ]);
    trade(-200, 5_000_000);
    expect(reported(account('997', [position(1, '0')], 'closed'))).toEqual([
      { reason: 'closed', balance: '997', lots: 0, end: 'closed' },
    ]);
  });

  it('report the result of a position once, where every report shows the account after all trades', () => {
    const { trade, reported } = opened(account('1000', [position(1, '0.002')]));
    trade(-100, 5_000_000);
    trade(-100, 4_990_000);
    expect(reported(account('990', [position(1, '0')], 'closeTrade'))).toEqual([
      { reason: 'closeTrade', balance: '990', lots: 0 },
    ]);
    expect(reported(account('990', [position(1, '0')], 'closed'))).toEqual([
      { reason: 'closed', balance: '990', lots: 0, end: 'closed' },
    ]);
  });

  it('have a payment without a position where the service calls several positions changed', () => {
    const later = { updated_at: micros(AT + 1_000_000) };
    const other = { symbol: 'ETHUSDT', price_entry: decimal('3000') };
    const before = [position(1, '0.001'), position(2, '-0.1', other)];
    const { reported } = opened(account('1000', before, 'status', CROSS));
    const both = [position(1, '0.001', later), position(2, '-0.1', { ...other, ...later })];
    expect(reported(account('999', both, 'interestTaken', CROSS))).toEqual([
      { reason: 'interestTaken', balance: '999', interest: '-1' },
    ]);
    const one = [
      position(1, '0.001', { updated_at: micros(AT + 2_000_000) }),
      both[1] ?? position(2, '0'),
    ];
    expect(reported(account('998.5', one, 'interestTaken', CROSS))).toEqual([
      { reason: 'interestTaken', balance: '998.5', lots: 100, interest: '-0.5' },
    ]);
  });

  it('have no payment that cannot be distinguished from trades of the same time', () => {
    const { trade, reported } = opened(account('1000', [position(1, '0.002')]));
    trade(-200, 4_000_000, { isOwn: false });
    expect(reported(account('780', [], 'interestTaken'))).toEqual([
      { reason: 'interestTaken', balance: '780' },
    ]);
    expect(reported(account('780', [position(1, '0')], 'liquidated'))).toMatchObject([
      { lots: 0, end: 'liquidated', forced: 'sell 200 at 4000000 for 1' },
    ]);
  });

  it('take lots × entry price where a record contradicts what the trades say', () => {
    const { book, trade, reported } = opened(account('1000', []));
    trade(100, 5_000_000);
    const odd = { price_entry: decimal('50001.5') };
    reported(account('999', [position(1, '0.001', odd)], 'openTrade'));
    const place = {
      mode: 'isolated',
      symbol: 'BTCUSDT',
      isContract: false,
      currency: 'USDT',
    } as const;
    expect(book.find(place)?.positions[0]?.entryValue.toFixed()).toBe('50.0015');
  });

  it('are left out with a warning where they cannot be read', () => {
    const { reported, warnings } = opened();
    expect(reported(account('1', [], 'created', { symbol: 'NOSUCH' }))).toEqual([]);
    expect(reported(account('1', [], 'created', { symbol: undefined }))).toEqual([]);
    expect(
      reported(account('1', [], 'created', { ...CROSS, currency: undefined, currencies: [] })),
    ).toEqual([]);
    const { reported: emit, warnings: others } = opened(account('1000', []));
    expect(emit(account('999', [position(1, '0.0000001')], 'openTrade'))).toHaveLength(1);
    expect(warnings.map(({ code }) => code)).toEqual([
      'symbol-unknown',
      'answer-invalid',
      'answer-invalid',
    ]);
    expect(others.map(({ code }) => code)).toEqual(['answer-invalid']);
  });
});
