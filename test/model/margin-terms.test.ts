import { describe, expect, test } from 'vitest';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import type { MarginTerms } from '../../src/model/margin-terms.ts';
import { instrumentOf } from '../kit/instruments.ts';

const TERMS: MarginTerms = {
  marginMode: 'isolated',
  marginCallLeverageMul: '1.5',
  liquidationLeverageMul: '2',
  maxInitialLeverage: '10',
  forceCloseFee: '0.05',
  enabled: true,
  active: true,
};

const onMargin = (change: Partial<MarginTerms>, terms: Partial<InstrumentTerms> = {}) =>
  instrumentOf({ margin: [{ ...TERMS, ...change }], ...terms });

test('an instrument without margin terms has none, as in every recording so far', () => {
  expect(instrumentOf().margin).toEqual({});
  expect(instrumentOf({ type: 'futures' }).expiresAt).toBe(Number.POSITIVE_INFINITY);
});

test(
  'the terms of a mode are kept as given and read as decimals',
  { tags: ['server:trading-v3.margin.config-record'] },
  () => {
    const instrument = onMargin({});
    expect(instrument.terms.margin).toEqual([TERMS]);
    const rules = instrument.margin.isolated;
    expect(rules?.liquidationMul.toFixed()).toBe('2');
    expect(rules?.forceCloseFee.toFixed()).toBe('0.05');
    expect(rules?.enabled).toBe(true);
    expect(rules?.reserveRate).toBeUndefined();
    expect(onMargin({ reserveRate: '0.005' }).margin.isolated?.reserveRate?.toFixed()).toBe(
      '0.005',
    );
    expect(instrument.margin.cross).toBeUndefined();
  },
);

test(
  'a risk limit is there with all its three numbers or not at all',
  { tags: ['server:trading-v3.margin.config-risk-limit'] },
  () => {
    expect(onMargin({}).margin.isolated?.riskLimit).toBeUndefined();
    const limit = { limitBase: '50000', limitPower: '2.2', unlimitedThreshold: '10' };
    expect(onMargin(limit).margin.isolated?.riskLimit?.base.toFixed()).toBe('50000');
    expect(() => onMargin({ limitBase: '50000' })).toThrow('limitPower is ""');
  },
);

test('isolated and cross have records of their own', () => {
  const instrument = instrumentOf({
    margin: [TERMS, { ...TERMS, marginMode: 'cross', maxInitialLeverage: '5' }],
  });
  expect(instrument.margin.isolated?.maxInitialLeverage.toFixed()).toBe('10');
  expect(instrument.margin.cross?.maxInitialLeverage.toFixed()).toBe('5');
  expect(() => instrumentOf({ margin: [TERMS, TERMS] })).toThrow('two records of one mode');
});

describe('margin terms that contradict themselves are refused', () => {
  test.each<[string, Partial<MarginTerms>, string]>([
    ['an unknown mode', { marginMode: 'both' as 'cross' }, 'must be isolated or cross'],
    ['a multiplier of 1', { marginCallLeverageMul: '1' }, 'must be above 1'],
    ['a call after liquidation', { marginCallLeverageMul: '2.1' }, 'above the one of liquidation'],
    ['a fee that eats all', { marginCallLeverageMul: '1.002' }, 'leaves nothing'],
    ['a negative reserve rate', { reserveRate: '-0.001' }, 'reserveRate is "-0.001"'],
    [
      'a reserve rate that eats all',
      { reserveRate: '0.34' },
      'leaves nothing after the reserveRate',
    ],
    ['a leverage below 1', { maxInitialLeverage: '0.9' }, 'must be at least 1'],
    ['a fee of everything', { forceCloseFee: '1' }, 'is not below 1'],
    ['a negative fee', { forceCloseFee: '-0.1' }, 'must be at least 0'],
    ['no number', { maxInitialLeverage: 'ten' }, 'maxInitialLeverage is "ten"'],
  ])('%s', (_, change, message) => {
    expect(() => onMargin(change)).toThrow(message);
  });

  test('and name their field', () => {
    expect(() => onMargin({ forceCloseFee: '1' })).toThrow(
      expect.objectContaining({ code: 'instrument-invalid', field: 'margin.forceCloseFee' }),
    );
  });

  test.each<[Partial<MarginTerms>, boolean]>([
    [{ maxInitialLeverage: '1' }, true],
    [{ forceCloseFee: '0' }, true],
    [{ reserveRate: '0' }, true],
    [{ liquidationLeverageMul: '1', marginCallLeverageMul: '1' }, false],
    [{ limitBase: '0', limitPower: '0', unlimitedThreshold: '0' }, false],
    [{ limitBase: '1', limitPower: '0', unlimitedThreshold: '0' }, true],
    [{ limitPower: '0' }, false],
    [{ unlimitedThreshold: '0' }, false],
    [{ marginCallLeverageMul: '2', liquidationLeverageMul: '2' }, true],
  ])('but not at their edges: %o', (change, isTaken) => {
    const read = () => onMargin(change);
    if (isTaken) expect(read).not.toThrow();
    else expect(read).toThrow(expect.objectContaining({ code: 'instrument-invalid' }));
  });

  test('fees in the base currency', () => {
    expect(() => onMargin({}, { feeCurrency: 'BTC' })).toThrow('must be the quote currency');
  });
});

describe('futures', () => {
  test('a cash-settled one ends at its expiry', () => {
    const terms = { type: 'futures', contractType: 'cash_settled', expiry: '2026-01-01' } as const;
    expect(instrumentOf(terms).expiresAt).toBe(Date.UTC(2026, 0, 1) * 1000);
    expect(instrumentOf(terms).isContract).toBe(true);
  });

  test.each<[string, Partial<InstrumentTerms>, string]>([
    ['cash-settled without an expiry', { contractType: 'cash_settled' }, 'belongs to cash-settled'],
    ['a perpetual that ends', { contractType: 'perpetual', expiry: '2026-01-01' }, 'belongs to'],
    ['an expiry that is no time', { contractType: 'cash_settled', expiry: 'soon' }, 'ISO 8601'],
  ])('%s is refused', (_, terms, message) => {
    expect(() => instrumentOf({ type: 'futures', ...terms })).toThrow(message);
  });

  test('of an inverse contract have no minimum in the quote currency', () => {
    const terms = { type: 'futures', contractType: 'perpetual', minNotional: '5' } as const;
    expect(() => instrumentOf({ ...terms, settlement: 'inverse' })).toThrow(
      expect.objectContaining({ code: 'instrument-invalid', field: 'minNotional' }),
    );
    expect(instrumentOf({ ...terms, settlement: 'linear' }).minNotional?.toFixed()).toBe('5');
    const { minNotional: _, ...others } = terms;
    expect(() => instrumentOf({ ...others, settlement: 'inverse' })).not.toThrow();
    expect(() => instrumentOf({ ...others, settlement: 'cash' as 'linear' })).toThrow(
      'must be linear or inverse',
    );
    expect(() => instrumentOf({ settlement: 'linear' })).toThrow('belongs to futures');
  });

  test('a spot instrument has no contract type', () => {
    expect(() => instrumentOf({ contractType: 'perpetual' })).toThrow('belongs to futures');
  });
});
