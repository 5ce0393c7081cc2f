import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitRejection } from '../../../src/gateways/rebalancing/account/limits.ts';
import { ZERO } from '../../../src/model/decimal.ts';
import { d } from '../trading/kit/values.ts';

const whole = (max: number) => fc.integer({ min: 1, max });

describe('an order that a transfer makes', () => {
  test('is refused just where it is larger than it may be, and as large as is told it is not', () => {
    fc.assert(
      fc.property(
        fc.record({
          side: fc.constantFrom('buy' as const, 'sell' as const),
          quantity: whole(500),
          price: whole(50),
          notional: fc.option(whole(9_000), { nil: undefined }),
          most: fc.option(whole(400), { nil: undefined }),
        }),
        ({ side, quantity, price, notional, most }) => {
          const order = (lots: string) => ({
            symbol: 'BTCUSDT',
            side,
            quantity: d(lots),
            price: d(String(price)),
            quoteCurrency: 'USDT',
            increment: d('0.1'),
          });
          const limits = {
            maxNotional: new Map(notional === undefined ? [] : [['USDT', d(String(notional))]]),
            maxQuantity: new Map(most === undefined ? [] : [['BTCUSDT', d(String(most))]]),
          };
          const isOver =
            (notional !== undefined && quantity * price > notional * 10) ||
            (most !== undefined && quantity > most * 10);
          // In tenths, so that limits fall between increments too.
          const rejection = limitRejection(order((quantity / 10).toFixed(1)), limits);
          expect(rejection?.code).toBe(isOver ? 'amount-above-maximum' : undefined);
          if (rejection === undefined) return;
          const sent = d(rejection.limit ?? '');
          const fits = side === 'sell' ? sent : sent.dividedBy(price);
          expect(limitRejection(order(fits.toFixed()), limits)).toBeUndefined();
          // One increment more would not.
          expect(limitRejection(order(fits.plus('0.1').toFixed()), limits)).toBeDefined();
        },
      ),
    );
  });

  test('of another symbol and quote currency is not limited', () => {
    const order = {
      ...({ symbol: 'ETHBTC', side: 'buy', quantity: d('9'), price: d('9') } as const),
      quoteCurrency: 'BTC',
      increment: ZERO,
    };
    const limits = {
      maxNotional: new Map([['USDT', d('1')]]),
      maxQuantity: new Map([['BTCUSDT', d('1')]]),
    };
    expect(limitRejection(order, limits)).toBeUndefined();
    expect(limitRejection(order, {})).toBeUndefined();
  });
});
