import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { FUND } from '../../../src/exchange/ledger/ledger.ts';
import { AVAILABLE } from '../../../src/exchange/ledger/balances.ts';
import { bitcoin, onMargin, openHarness, type Body, type MarginHarness } from './harness.ts';

/** The published records of docs/margin-and-futures.md, brought about over HTTP, digit by digit. */
interface Case {
  readonly record: string;
  readonly side: 'buy' | 'sell';
  /** Trades that open the position: quantity and price. */
  readonly trades: readonly (readonly [string, string])[];
  readonly funds: string;
  readonly leverage: string;
  readonly rate: string;
  /** The rate that the terms reckon with, where it is not what the taker pays. */
  readonly reserveRate?: string;
  readonly muls: readonly [string, string];
  readonly balance: string;
  readonly entry: string;
  readonly call: string;
  readonly liquidation: string;
}

const CASES: readonly Case[] = [
  {
    record: 'A',
    side: 'sell',
    trades: [
      ['0.0006', '7933.30'],
      ['0.0004', '7933.29'],
    ],
    funds: '1000',
    leverage: '5',
    rate: '0.002',
    muls: ['1.5', '2'],
    balance: '999.984133408',
    entry: '7933.30',
    call: '887772.25',
    liquidation: '914625.61',
  },
  {
    record: 'B',
    side: 'sell',
    trades: [['0.00001', '9064.86']],
    funds: '3',
    leverage: '10',
    rate: '0.0025',
    muls: ['1.2', '2'],
    balance: '2.9997733785',
    entry: '9064.86',
    call: '284612.92',
    liquidation: '293626.79',
  },
  {
    record: 'C',
    side: 'sell',
    trades: [['0.00001', '9061.60']],
    funds: '3',
    leverage: '10',
    rate: '0.0025',
    muls: ['1.2', '2'],
    balance: '2.99977346',
    entry: '9061.60',
    call: '284609.92',
    liquidation: '293623.70',
  },
  {
    record: 'D',
    side: 'buy',
    trades: [['2', '10000.00']],
    funds: '5000',
    leverage: '10',
    rate: '0.001',
    muls: ['1.5', '2'],
    balance: '4980',
    entry: '10000.00',
    call: '8055.06',
    liquidation: '7913.60',
  },
  {
    record: 'E',
    side: 'sell',
    trades: [['2', '10000.00']],
    funds: '5000',
    leverage: '10',
    rate: '0.001',
    muls: ['1.5', '2'],
    balance: '4980',
    entry: '10000.00',
    call: '11698.40',
    liquidation: '11883.92',
  },
  {
    record: 'F',
    side: 'buy',
    trades: [['0.00087', '20097.46']],
    funds: '10',
    leverage: '12',
    rate: '0',
    reserveRate: '0.005',
    muls: ['1.25', '1.75'],
    balance: '10',
    entry: '20097.46',
    call: '9267.37',
    liquidation: '9081.05',
  },
  {
    record: 'G',
    side: 'buy',
    trades: [['0.00001', '33386.18']],
    funds: '0.080706742356',
    leverage: '12',
    rate: '0',
    reserveRate: '0.005',
    muls: ['1.25', '1.75'],
    balance: '0.080706742356',
    entry: '33386.18',
    call: '27269.85',
    liquidation: '26721.57',
  },
];

describe('a position over HTTP has every digit of', () => {
  test.each(CASES)('record $record', async (one) => {
    const { side, trades, rate, reserveRate, muls } = one;
    const margin = onMargin({
      maxInitialLeverage: '12',
      marginCallLeverageMul: muls[0],
      liquidationLeverageMul: muls[1],
      reserveRate,
    });
    const floor = await openHarness({ instruments: [bitcoin({ takeRate: rate, margin })] });
    await floor.fund(one.funds, 'BTCUSDT', { leverage: one.leverage });
    for (const [quantity, price] of trades) {
      const other = decimal(price)
        .plus(side === 'buy' ? '-0.01' : '0.01')
        .toFixed();
      if (side === 'buy') floor.quote(other, price);
      else floor.quote(price, other);
      expect((await floor.order({ side, quantity, price }))['status']).toBe('filled');
    }
    expect(await floor.margin()).toMatchObject({ margin_balance: one.balance });
    expect(await floor.position()).toMatchObject({
      price_entry: one.entry,
      price_margin_call: one.call,
      price_liquidation: one.liquidation,
    });
  });

  test('the reserves of an order and a position: 2042 for it, 2022 for what it becomes', async () => {
    const floor = await openHarness({ instruments: [bitcoin()] });
    await floor.fund('5000', 'BTCUSDT', { leverage: '10' });
    floor.quote('9999.99', '10000.01');
    await floor.order({ quantity: '2', price: '10000' });
    expect(await floor.margin()).toMatchObject({
      margin_balance: '5000',
      reserved_orders: '2042',
      reserved_positions: '0',
    });
    floor.quote('9999.99', '10000.00');
    expect(await floor.margin()).toMatchObject({ reserved_orders: '0' });
    // The maker pays nothing here; the mean of the market is half a cent below the entry price.
    floor.quote('10000.00', '10000.00');
    expect(await floor.margin()).toMatchObject({ reserved_positions: '2022' });
  });
});

describe('a liquidation over HTTP', () => {
  const fundOf = ({ venue: { trading } }: MarginHarness): string => {
    const { ledger } = trading.exchange;
    return ledger.balances[ledger.currency('USDT')].amount(FUND, AVAILABLE).toFixed();
  };

  /** Record D at prices of whole numbers, with a force close fee. */
  async function opened(forceCloseFee: string): Promise<MarginHarness> {
    const floor = await openHarness({
      instruments: [bitcoin({ margin: onMargin({ forceCloseFee }) })],
    });
    floor.quote('9999', '10000');
    await floor.fund('5000', 'BTCUSDT', { leverage: '10' });
    await floor.order({ quantity: '2', price: '10000' });
    return floor;
  }

  test('at 7,900 keeps 685.20, and the fund has the force close fee of 79', async () => {
    const floor = await opened('0.005');
    floor.quote('7900', '7901');
    expect(await floor.margin()).toMatchObject({ margin_balance: '685.2' });
    expect(fundOf(floor)).toBe('79');
    const [closed] = await floor.done<readonly Body[]>('GET', '/margin/history/positions');
    // The trade's fee of 15.8 and the force close fee of 79 after the 20 of the entry.
    expect(closed).toMatchObject({
      id: 1,
      quantity: '0.00000',
      quantity_max: '2.00000',
      price_entry: '10000.00',
      price_close: '7900.00',
      pnl: '-4200',
      fee_cumulative: '114.8',
      liquidated: true,
    });
    const [trade] = await floor.done<readonly Body[]>('GET', '/margin/history/trade');
    expect(trade).toMatchObject({
      position_id: 1,
      side: 'sell',
      price: '7900.00',
      pnl: '-4200',
      fee: '94.800000000000',
      liquidation: true,
    });
    const [clearing] = await floor.done<readonly Body[]>('GET', '/margin/history/clearing');
    expect(clearing).toEqual({
      id: 1,
      symbol: 'BTCUSDT',
      position_id: 1,
      kind: 'liquidation',
      quantity: '2.00000',
      price: '7900.00',
      amount: '-4294.8',
      currency: 'USDT',
      timestamp: '2026-01-05T10:00:00Z',
    });
  });

  test('at 7,500 lacks 35, which the insurance fund pays', async () => {
    const floor = await opened('0');
    floor.venue.trading.exchange.margin.insure('USDT', decimal('100'), 'margin');
    floor.quote('7500', '7501');
    expect(await floor.margin()).toMatchObject({ margin_balance: '0' });
    expect(fundOf(floor)).toBe('65');
  });

  test('does not start at the margin call, which is only reported', async () => {
    const floor = await opened('0.005');
    floor.quote('8050', '8060');
    expect(await floor.position()).toMatchObject({ quantity: '2.00000', pnl: '-3890' });
    floor.quote('7913', '7914');
    const account = await floor.done('GET', '/margin/account/isolated/BTCUSDT');
    expect(account['positions']).toBeNull();
  });
});

test('orders that close, turn and reduce bring what the script of the page says', async () => {
  const margin = onMargin({ forceCloseFee: '0' });
  const floor = await openHarness({ instruments: [bitcoin({ takeRate: '0', margin })] });
  floor.quote('99', '101');
  await floor.fund('1000', 'BTCUSDT', { leverage: '10' });
  await floor.order({ quantity: '2', price: '101' });
  const turned = await floor.order({ side: 'sell', quantity: '5', price: '99' });
  expect(await floor.margin()).toMatchObject({ margin_balance: '996' });
  expect(await floor.position()).toMatchObject({ id: 2, quantity: '-3.00000' });
  expect(turned['trades']).toMatchObject([{ position_id: 1 }]);
  // The trade that turned them belongs to both lives, and its result to the first.
  const ofFirst = await floor.done<readonly Body[]>('GET', '/margin/history/trade?position_id=1');
  const ofSecond = await floor.done<readonly Body[]>('GET', '/margin/history/trade?position_id=2');
  expect(ofFirst.map(({ pnl }) => pnl)).toEqual(['-4', '0']);
  expect(ofSecond).toEqual([ofFirst[0]]);
  const reduced = await floor.order({ quantity: '9', price: '101', reduce_only: true });
  expect(reduced).toMatchObject({ status: 'canceled', quantity_cumulative: '3.00000' });
  expect(await floor.margin()).toMatchObject({ margin_balance: '990' });
});

test('a cross account has the prices of the page', async () => {
  const cross = { takeRate: '0.0005', margin: onMargin() };
  const ether = { symbol: 'ETHUSDT', baseCurrency: 'ETH', quantityIncrement: '0.0001' };
  const floor = await openHarness({
    instruments: [bitcoin(cross), bitcoin({ ...cross, ...ether })],
  });
  await floor.done('PUT', '/margin/account/cross/USDT', { margin_balance: '1002.5' });
  floor.quote('19999.99', '20000');
  floor.quote('1500', '1500.01', 'ETHUSDT');
  await floor.order({ quantity: '0.1', price: '20000', margin_mode: 'cross' });
  const short = { symbol: 'ETHUSDT', side: 'sell', quantity: '2', price: '1500' } as const;
  await floor.order({ ...short, margin_mode: 'cross' });
  floor.quote('19500', '19500');
  floor.quote('1520', '1520', 'ETHUSDT');
  const account = await floor.done('GET', '/margin/account/cross/USDT');
  expect(account).toMatchObject({
    type: 'cross',
    currency: 'USDT',
    currencies: [{ code: 'USDT', margin_balance: '1000' }],
    positions: [
      { symbol: 'BTCUSDT', pnl: '-50', price_liquidation: '12569.99', leverage: '10.00' },
      { symbol: 'ETHUSDT', pnl: '-40', price_liquidation: '1833.18', quantity: '-2.0000' },
    ],
  });
  expect(account).not.toHaveProperty('symbol');
});
