import { describe, expect, test } from 'vitest';
import { quote, rebalance } from 'millrace';
import { at, replay, type ReplayOptions } from 'millrace/testing';
import inventoryRebalancer from '../../strategies/inventory-rebalancer.ts';

const PARAMETERS = {
  symbol: 'BTCUSDT',
  quantity: '0.0001',
  most: '0.0004',
  edge: '0.05',
  weight: 0.6,
  band: 0.1,
  calmSeconds: 60,
  reserve: '50',
};

const MANAGED_ORDER = rebalance(
  {
    'USDT@trading': { weight: '0.600000', band: '0.100000', reserve: '50' },
    'USDT@ethereum': { weight: '0.400000', band: '0.100000' },
  },
  { minimumValue: '25', maximumCost: '0.010000' },
);

const held = (time: string, trading: string, ethereum: string, btc = '0') => ({
  at: time,
  holdings: { 'USDT@trading': trading, 'USDT@ethereum': ethereum, 'BTC@trading': btc },
});

const run = (options: ReplayOptions) =>
  replay(inventoryRebalancer, PARAMETERS, { until: '00:10', ...options });

describe('inventory-rebalancer', () => {
  test('quotes both sides by what it holds, and nothing while it is blind', () => {
    expect(
      run({ balances: { USDT: '10000', BTC: '0.0002' } }).events([
        { at: '00:01', bid: [100, 1], ask: ['100.10', 1] },
        { at: '00:02', bid: [100, 0], ask: ['100.10', 1] },
      ]),
    ).toEqual([
      at(
        '00:01:01',
        quote('BTCUSDT', { bid: { ticks: 9_995, lots: 10 }, ask: { ticks: 10_015, lots: 10 } }),
      ),
      at('00:02:01', quote('BTCUSDT', {})),
    ]);
  });

  test('stops bidding at its limit and offers no more than it holds', () => {
    const [{ command: full }] = run({ balances: { USDT: '1', BTC: '0.0004' } }).top([
      ['00:01', [100, 1], ['100.10', 1]],
    ]);
    expect(full).toEqual(quote('BTCUSDT', { ask: { ticks: 10_015, lots: 10 } }));
    const [{ command: empty }] = run({}).top([['00:01', [100, 1], ['100.10', 1]]]);
    expect(empty).toEqual(quote('BTCUSDT', { bid: { ticks: 9_995, lots: 10 } }));
  });

  test('rebalances where its money has left the band, whatever else is held', () => {
    const portfolio = [
      held('00:00', '600', '400'), // as wished
      held('00:02', '701', '299', '5000'), // too much here
      held('00:04', '499', '501'), // too little
    ];
    expect(run({ portfolio }).events([])).toEqual([
      at('00:03', MANAGED_ORDER),
      at('00:05', MANAGED_ORDER),
    ]);
  });

  test('leaves it alone at the edges of the band, and where there is nothing to move', () => {
    const portfolio = [
      held('00:00', '690', '310'),
      held('00:02', '510', '490'),
      held('00:04', '0', '0'),
    ];
    expect(run({ portfolio }).events([])).toEqual([]);
  });

  test('lets money arrive that is on its way, which is in no holding meanwhile', () => {
    const portfolio = [held('00:00', '600', '0'), held('00:00:50', '600', '399')];
    expect(run({ portfolio }).events([])).toEqual([]);
  });
});
