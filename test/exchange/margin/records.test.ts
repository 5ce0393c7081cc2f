import { describe, expect, test } from 'vitest';
import type { PositionView } from '../../../src/exchange/margin/views.ts';
import type { InstrumentTerms } from '../../../src/model/instrument.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import { HOUSE, instrument, MarginFloor, onMargin } from './kit.ts';

/**
 * Published account records of 2021 to 2023, whose reserves and prices the exchange must show to the
 * digit. Their f is none that was paid as taker, so it is given by the terms.
 */
interface Published {
  readonly record: string;
  readonly terms: Partial<InstrumentTerms>;
  readonly lots: number;
  readonly entry: number;
  readonly funds: string;
  readonly leverage: string;
  readonly f: string;
  readonly muls: readonly [string, string];
  readonly held: string;
  readonly call?: string;
  readonly liquidation?: string;
}

const BTC = { tickSize: '0.01', quantityIncrement: '0.00001' };
const XRP = { tickSize: '0.0001', quantityIncrement: '1', baseCurrency: 'XRP' };
const PERP = { type: 'futures', contractType: 'perpetual' } as const;

const RECORDS: readonly Published[] = [
  {
    record: 'F, of a long of 0.00087 at leverage 12',
    terms: BTC,
    lots: 87,
    entry: 2_009_746,
    funds: '10',
    leverage: '12',
    f: '0.005',
    muls: ['1.25', '1.75'],
    held: '1.55177513025',
    call: '9267.37',
    liquidation: '9081.05',
  },
  {
    record: 'G, of a long of 0.00001 at leverage 12',
    terms: BTC,
    lots: 1,
    entry: 3_338_618,
    funds: '0.080706742356',
    leverage: '12',
    f: '0.005',
    muls: ['1.25', '1.75'],
    held: '0.02963023475',
    call: '27269.85',
    liquidation: '26721.57',
  },
  {
    record: 'H, of a perpetual, a short of 51 at leverage 20',
    terms: { ...XRP, ...PERP },
    lots: -51,
    entry: 4_853,
    funds: '1.847347812014',
    leverage: '20',
    f: '0.003',
    muls: ['1.2', '2'],
    // What it holds without its open loss, which no record shows alone.
    held: '1.315478445',
    call: '0.4992',
    liquidation: '0.5073',
  },
  {
    record: 'of a long of 0.00005 at leverage 12, which shows its reserve alone',
    terms: BTC,
    lots: 5,
    entry: 4_727_435,
    funds: '10',
    leverage: '12',
    f: '0.005',
    muls: ['1.25', '1.75'],
    held: '0.209779928125',
  },
  {
    record: 'of a perpetual, a long of 0.0001 at leverage 10, which shows its reserve alone',
    terms: { ...BTC, ...PERP },
    lots: 10,
    entry: 4_630_065,
    funds: '10',
    leverage: '10',
    f: '0.003',
    muls: ['1.25', '1.75'],
    held: '0.4782857145',
  },
];

/** The position of a record, opened on an exchange where the taker pays nothing. */
function opened({ terms, lots, entry, funds, leverage, f, muls }: Published, mode: MarginMode) {
  const margin = onMargin({
    maxInitialLeverage: '100',
    marginCallLeverageMul: muls[0],
    liquidationLeverageMul: muls[1],
    reserveRate: f,
  });
  const floor = new MarginFloor([instrument({ ...terms, takeRate: '0', margin })]);
  floor.quote(entry, entry);
  const account = floor.account({ USDT: '100' }, '100');
  expect(floor.set(account, funds, { mode, leverage })).toBeUndefined();
  const side = lots > 0 ? 'buy' : 'sell';
  expect(
    floor.place(account, 'opens', { side, lots: Math.abs(lots), margin: mode }),
  ).toBeUndefined();
  return { floor, account };
}

describe.each(['isolated', 'cross'] as const)('on %s margin the exchange shows record', (mode) => {
  test.each(RECORDS)('$record', (one) => {
    const { floor, account } = opened(one, mode);
    const view = floor.view(account, { mode });
    expect(view.marginBalance.toFixed()).toBe(one.funds);
    expect(view.reservedPositions.toFixed()).toBe(one.held);
    const [position] = view.positions;
    if (one.call !== undefined) expect(position.priceMarginCall.toFixed()).toBe(one.call);
    if (one.liquidation !== undefined) {
      expect(position.priceLiquidation.toFixed()).toBe(one.liquidation);
    }
  });
});

test('record H held for an open loss: what it shows is between the reserves of two neighboring marks', () => {
  const { floor, account } = opened(RECORDS[2], 'isolated');
  const heldAt = (ticks: number) => {
    floor.quote(ticks, ticks);
    return floor.view(account).reservedPositions;
  };
  expect(heldAt(4_997).lessThan('2.052639960455')).toBe(true);
  expect(heldAt(4_998).greaterThan('2.052639960455')).toBe(true);
});

describe('the price that is shown', () => {
  /** Record F or H at the shown price, and one tick beyond it. */
  const at = (one: Published, of: 'priceMarginCall' | 'priceLiquidation', beyond: number) => {
    const { floor, account } = opened(one, 'isolated');
    const { [of]: shown }: PositionView = floor.position(account);
    const { tickSize } = floor.exchange.instruments[0];
    const ticks = shown.div(tickSize).toNumber() + beyond;
    floor.quote(ticks, ticks);
    return floor.view(account);
  };

  test.each([
    ['F', RECORDS[0], -1],
    // On spot margin, where the market alone moves the price.
    ['H', { ...RECORDS[2], terms: XRP }, 1],
  ] as const)(
    'of record %s comes before a call and a liquidation, by less than a tick',
    (...it) => {
      const [, one, away] = it;
      expect(at(one, 'priceMarginCall', 0).isCalled).toBe(false);
      expect(at(one, 'priceMarginCall', away).isCalled).toBe(true);
      expect(at(one, 'priceLiquidation', 0).positions).toHaveLength(1);
      expect(at(one, 'priceLiquidation', away).positions).toHaveLength(0);
    },
  );
});

test('a rate to reckon with changes no fee that is paid', () => {
  const margin = onMargin({ reserveRate: '0.005', forceCloseFee: '0' });
  const floor = new MarginFloor([instrument({ takeRate: '0.001', margin })]);
  floor.quote(10_000, 10_000);
  const account = floor.account({ USDT: '5000' });
  floor.set(account, '2000', { leverage: '10' });
  floor.place(account, 'opens', { side: 'buy', lots: 1 });
  expect(floor.margin(account)).toBe('1990');
  // 10,000 × (1/10 + 0.005 × 1.1)
  expect(floor.view(account).reservedPositions.toFixed()).toBe('1055');
  const other = floor.account({ USDT: '5000' });
  floor.set(other, '5000', { leverage: '10' });
  floor.place(other, 'opposite', { side: 'sell', lots: 1 });
  // Nothing is insured: the price at which nothing is left is 8,019 with the fee that is paid. With the
  // one that is reckoned with it would be 8,051, and the holder of the short would take the long over.
  expect(floor.position(account).priceLiquidation.toFixed()).toBe('8477');
  floor.quote(8_020, 8_020);
  expect(floor.margin(account)).toBe('1.98');
  expect(floor.position(other).quantity.toFixed()).toBe('-1');
  // The fees of 10, 10 and 8.02.
  expect(floor.row(HOUSE)).toBe('28.02');
});
