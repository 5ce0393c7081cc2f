import { describe, expect, test } from 'vitest';
import { RESERVED } from '../../../src/exchange/ledger/balances.ts';
import { MarginFloor } from '../margin/kit.ts';

describe('a spot leg and a margin leg that exclude each other', () => {
  const mixed = (): { readonly floor: MarginFloor; readonly account: number } => {
    const floor = new MarginFloor();
    const account = floor.account({ USDT: '1000' });
    floor.quote(90, 110);
    floor.set(account, '400');
    expect(
      floor.list(account, 'oneCancelOther', {
        spot: { side: 'buy', ticks: 95, lots: 5, margin: false },
        margin: { side: 'buy', type: 'stopLimit', stopTicks: 120, ticks: 121, lots: 10 },
      }),
    ).toBeUndefined();
    return { floor, account };
  };

  test('the spot leg holds its own means, whatever the margin leg needs', () => {
    const { floor, account } = mixed();
    expect(floor.row(account, 'USDT', RESERVED)).toBe('475.475');
    const more = { side: 'buy', ticks: 91, lots: 6, margin: false } as const;
    expect(floor.place(account, 'more', more)?.code).toBe('funds-insufficient');
  });

  test('its execution leaves nothing below zero and nothing held', () => {
    const { floor, account } = mixed();
    const other = floor.account({ BTC: '5' });
    floor.place(other, 'sell', { side: 'sell', ticks: 95, lots: 5, margin: false });
    expect(floor.reported()).toContain('canceled margin-- 0/10');
    expect(floor.row(account)).toBe('125');
    expect(floor.row(account, 'USDT', RESERVED)).toBe('0');
  });

  test('the execution of the margin leg gives back what the spot leg held', () => {
    const { floor, account } = mixed();
    const other = floor.account({ BTC: '10' });
    floor.quote(0, 0);
    floor.place(other, 'sell', { side: 'sell', ticks: 121, lots: 10, margin: false });
    floor.print(120, 1, 'buy');
    expect(floor.reported()).toContain('canceled spot---- 0/5');
    expect(floor.row(account)).toBe('600');
    expect(floor.row(account, 'USDT', RESERVED)).toBe('0');
  });
});
