import { describe, expect, it, test } from 'vitest';
import {
  contractsOf,
  instrumentsOf,
} from '../../../../src/gateways/trading/account/instruments.ts';
import { RecordReader } from '../../../../src/gateways/trading/account/records.ts';
import { Decimal } from '../../../../src/model/decimal.ts';
import type { MillraceError } from '../../../../src/model/errors.ts';
import { decode } from '../../../../src/wire/trading/decoding.ts';
import { report } from '../../../../src/wire/trading/v3/records/report.ts';
import { symbol } from '../../../../src/wire/trading/v3/records/symbol.ts';
import { instruments } from '../../../server/instruments.ts';

const GIVEN = {
  id: 7,
  client_order_id: 'some-order',
  symbol: 'BTCUSDT',
  side: 'sell',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: '0.50000',
  quantity_cumulative: '0.00000',
  price: '100.00',
  post_only: false,
  status: 'new',
  report_type: 'new',
  created_at: '2026-01-05T10:00:00.1Z',
  updated_at: '2026-01-05T10:00:00.25Z',
} as const;

function read(given: object): readonly [unknown, readonly MillraceError[]] {
  const warnings: MillraceError[] = [];
  const reader = new RecordReader((warning) => warnings.push(warning));
  reader.know(instruments());
  const wire = decode(report, given);
  if (wire.kind === 'fault') throw new Error(wire.fault.description);
  return [reader.report(wire.value), warnings];
}

describe('a report of the service', () => {
  it('has times in microseconds and whole ticks and lots', () => {
    const [reported, warnings] = read(GIVEN);
    expect(reported).toMatchObject({
      kind: 'new',
      at: Date.UTC(2026, 0, 5, 10, 0, 0, 250) * 1_000,
      order: {
        ticks: 10_000,
        lots: 50_000,
        createdAt: Date.UTC(2026, 0, 5, 10, 0, 0, 100) * 1_000,
      },
    });
    expect(warnings).toEqual([]);
  });

  test.each([
    ['canceled', 'canceled'],
    ['expired', 'expired'],
    ['filled', 'status'],
  ])('of kind rejected with the status %s is %s', (status, kind) => {
    const [reported] = read({ ...GIVEN, report_type: 'rejected', status });
    expect(reported).toMatchObject({ kind, order: { status } });
  });

  test.each(['trade_id', 'trade_quantity', 'trade_price', 'trade_fee'])(
    'of a trade without %s is left to the history',
    (missing) => {
      const trade = { trade_id: 9, trade_quantity: '0.1', trade_price: '100', trade_fee: '0.01' };
      const [reported, warnings] = read({
        ...GIVEN,
        ...trade,
        report_type: 'trade',
        [missing]: undefined,
      });
      expect(reported).toBeUndefined();
      expect(warnings.map(({ code }) => code)).toEqual(['answer-invalid']);
    },
  );

  test.each([
    ['order', { quantity: '-0.5' }],
    ['order', { quantity: '0' }],
    ['order', { quantity_cumulative: '-0.5' }],
    ['order', { price: '-100' }],
    ['order', { type: 'stopLimit', stop_price: '-100' }],
    ['trade 9', { trade_quantity: '-0.1' }],
    ['trade 9', { trade_quantity: '0' }],
    ['trade 9', { trade_price: '-100' }],
  ])('of an %s with %o is left out, as a sign would turn money round', (what, odd) => {
    const trade = { trade_id: 9, trade_quantity: '0.1', trade_price: '100', trade_fee: '0.01' };
    const [reported, warnings] = read({ ...GIVEN, ...trade, report_type: 'trade', ...odd });
    expect(reported).toBeUndefined();
    expect(warnings.map(({ code }) => code)).toEqual(['answer-invalid']);
    expect(warnings[0]?.message).toContain(`The ${what}`);
  });

  it('of symbols without end is warned of a thousand times at most, and shortly', () => {
    const warnings: MillraceError[] = [];
    const reader = new RecordReader((warning) => warnings.push(warning));
    reader.know(instruments());
    for (let at = 0; at < 1_100; at += 1) reader.instrument(`${at}`.padStart(10_000, '0'));
    expect(warnings).toHaveLength(1_000);
    expect(Math.max(...warnings.map(({ message }) => message.length))).toBeLessThan(200);
  });

  it('of a trade has a rebate as a negative fee, and is that of a maker where nothing is said', () => {
    const trade = { trade_id: 9, trade_quantity: '0.1', trade_price: '99.99', trade_fee: '-0.01' };
    const [reported] = read({
      ...GIVEN,
      ...trade,
      report_type: 'trade',
      status: 'partiallyFilled',
    });
    expect(reported).toMatchObject({
      kind: 'trade',
      fill: { id: 9, lots: 10_000, ticks: 9_999, taker: false, fee: { units: -1, places: 2 } },
    });
  });
});

describe('the symbols of the service', () => {
  const wire = (more: object) => {
    const read = decode(symbol, {
      type: 'spot',
      base_currency: 'BTC',
      quote_currency: 'USDT',
      status: 'working',
      quantity_increment: '0.00001',
      tick_size: '0.01',
      fee_currency: 'USDT',
      take_rate: '0.0025',
      make_rate: '0.0012',
      ...more,
    });
    if (read.kind === 'fault') throw new Error(read.fault.description);
    return read.value;
  };

  it('are instruments with the rates of the account; those that contradict themselves are warned of', () => {
    const warnings: MillraceError[] = [];
    const symbols = {
      BTCUSDT: wire({}),
      ODDUSDT: wire({ fee_currency: 'EUR' }),
      NOBASE: wire({ base_currency: null }),
      BTCUSDT_PERP: wire({ type: 'futures', base_currency: null, underlying: 'BTC' }),
    };
    const fees = [
      { symbol: 'BTCUSDT', take_rate: new Decimal('0.001'), make_rate: new Decimal('-0.0001') },
    ];
    const made = instrumentsOf(symbols, fees, (warning) => warnings.push(warning));
    expect(made.map(({ terms }) => [terms.symbol, terms.takeRate, terms.makeRate])).toEqual([
      ['BTCUSDT', '0.001', '-0.0001'],
    ]);
    expect(warnings.map(({ code, field }) => [code, field])).toEqual([
      ['instrument-invalid', 'feeCurrency'],
      ['instrument-invalid', 'baseCurrency'],
    ]);
  });

  it('that are contracts are instruments of which market data is recorded', () => {
    const warnings: MillraceError[] = [];
    const futures = { type: 'futures', base_currency: null, underlying: 'BTC' };
    const symbols = {
      BTCUSDT: wire({}),
      BTCUSDT_PERP: wire({ ...futures, contract_type: 'perpetual', expiry: null }),
      BTCUSDT_MAR: wire({
        ...futures,
        contract_type: 'cash_settled',
        expiry: '2026-03-27T08:00:00Z',
      }),
      ODDUSDT_PERP: wire({ ...futures, underlying: undefined }),
    };
    const made = contractsOf(symbols, (warning) => warnings.push(warning));
    expect(made.map(({ terms }) => [terms.symbol, terms.type, terms.contractType])).toEqual([
      ['BTCUSDT_PERP', 'futures', 'perpetual'],
      ['BTCUSDT_MAR', 'futures', 'cash_settled'],
    ]);
    expect(made.map(({ baseCurrency }) => baseCurrency)).toEqual(['BTC', 'BTC']);
    expect(made[1]?.expiresAt).toBe(Date.parse('2026-03-27T08:00:00Z') * 1_000);
    expect(warnings.map(({ code, field }) => [code, field])).toEqual([
      ['instrument-invalid', 'baseCurrency'],
    ]);
  });
});
