import { describe, expect, test } from 'vitest';
import { Floor } from './kit.ts';

describe('two accounts', () => {
  test(
    'trade at the price of the order that rested, and each pays the fee of its role',
    {
      tags: [
        'server:trading-v3.rule.fee-formula',
        'server:trading-v3.rule.fee-currency',
        'server:trading-v3.state.filled',
        'server:trading-v3.state.create-to-filled',
      ],
    },
    () => {
      const floor = new Floor();
      const maker = floor.account({ BTC: '10' });
      const taker = floor.account({ USDT: '1000' });
      floor.place(maker, 'sell', { side: 'sell', lots: 4, ticks: 100 });
      expect(floor.reported()).toEqual(['new sell---- new 0/4', 'balance 4 BTC 6 4']);
      // 3 at 100 = 300; the limit of 110 reserves 3 × 110 × 1.002 = 330.66, which is free again.
      // Taker: 1000 − 300 − 0.6 = 699.4. Maker: 300 − 0.3 = 299.7.
      floor.place(taker, 'buy', { side: 'buy', lots: 3, ticks: 110 });
      expect(floor.reported()).toEqual([
        'new buy----- new 0/3',
        'trade 1 sell---- sell 3@100 maker partiallyFilled 3/4',
        'trade 1 buy----- buy 3@100 taker filled 3/3',
        'balance 5 USDT 699.4 0',
        'balance 4 BTC 6 1',
        'balance 4 USDT 299.7 0',
        'balance 5 BTC 3 0',
      ]);
    },
  );
});
