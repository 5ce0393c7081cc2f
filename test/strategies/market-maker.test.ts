import { describe, expect, test } from 'vitest';
import { quote } from 'millrace';
import { at, replay } from 'millrace/testing';
import marketMaker from '../../strategies/market-maker.ts';

const PARAMETERS = {
  quantity: '0.0001',
  most: '0.0004',
  edge: '0.05',
  skew: '1',
  refreshMs: 500,
};

/** The quotes that it gives when it holds so many lots of 0.00001 BTC and sees 100.00 to 100.10. */
const holding = (btc: string, parameters = PARAMETERS) =>
  replay(marketMaker, parameters, { balances: { USDT: '10000', BTC: btc }, until: '00:01' }).top([
    ['00:00:10', [100, 1], ['100.10', 1]],
  ]);

describe('market-maker', () => {
  test('bids behind the best price and offers nothing while it holds nothing', () => {
    expect(holding('0')).toEqual([
      at('00:00:10.5', quote('BTCUSDT', { bid: { ticks: 9_995, lots: 10 } })),
    ]);
  });

  test('leans both quotes down by its inventory', () => {
    // 20 of 40 lots held: half of the 100 ticks.
    expect(holding('0.0002')).toEqual([
      at(
        '00:00:10.5',
        quote('BTCUSDT', {
          bid: { ticks: 9_995 - 50, lots: 10 },
          ask: { ticks: 10_001, lots: 10 }, // 9,965 would take the bid at 10,000
        }),
      ),
    ]);
    expect(holding('0.0002', { ...PARAMETERS, skew: '0.06' })).toEqual([
      at(
        '00:00:10.5',
        quote('BTCUSDT', {
          bid: { ticks: 9_995 - 3, lots: 10 },
          ask: { ticks: 10_015 - 3, lots: 10 },
        }),
      ),
    ]);
  });

  test('stops bidding at its limit, holding more than that too', () => {
    expect(holding('0.00035')[0].command).toMatchObject({ bid: { lots: 5 }, ask: { lots: 10 } });
    expect(holding('0.0004')[0].command).not.toHaveProperty('bid');
    expect(holding('5')[0].command).not.toHaveProperty('bid');
  });

  test('offers no more than it holds', () => {
    expect(holding('0.00003')[0].command).toMatchObject({ ask: { lots: 3 } });
  });

  test('quotes once per refresh, by what it then sees', () => {
    expect(
      replay(marketMaker, PARAMETERS, { until: '00:01' }).top([
        ['00:00:10', 100, '100.10'],
        ['00:00:10.2', 101, '101.10'],
        ['00:00:10.4', 102, '102.10'],
        ['00:00:20', 103, '103.10'],
      ]),
    ).toEqual([
      at('00:00:10.5', quote('BTCUSDT', { bid: { ticks: 10_195, lots: 10 } })),
      at('00:00:20.5', quote('BTCUSDT', { bid: { ticks: 10_295, lots: 10 } })),
    ]);
  });

  test('withdraws both sides while one side of the book is empty', () => {
    expect(
      replay(marketMaker, PARAMETERS, { until: '00:01' }).events([
        { at: '00:00:10', bid: 100 },
        { at: '00:00:20', ask: 100 },
      ]),
    ).toEqual([at('00:00:10.5', quote('BTCUSDT', {})), at('00:00:20.5', quote('BTCUSDT', {}))]);
  });
});
