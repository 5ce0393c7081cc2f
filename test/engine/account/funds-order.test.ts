import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { PERPETUAL } from '../../exchange/margin/kit.ts';
import { Rig } from '../margin-rig.ts';

describe('a strategy that reads of funds of a margin account', () => {
  test.each(['BTCUSDT', PERPETUAL.symbol])('reads the spot balance after it (%s)', (symbol) => {
    const where = isolated(symbol);
    const lines: string[] = [];
    let available = '';
    const rig = new Rig(({ account }) => {
      account.balances('USDT').subscribe((balance) => (available = balance.available.toFixed()));
      account.margin(where).subscribe(({ state, balance }) => {
        lines.push(`${state} ${balance.toFixed()} beside ${available}`);
      });
      return account.marginEvents();
    });
    lines.length = 0;
    for (const balance of ['400', '700', '100', '0']) {
      rig.do(setMargin(where, { balance: decimal(balance), leverage: 5 }));
    }
    expect(lines).toEqual([
      'normal 400 beside 600',
      'normal 700 beside 300',
      'normal 100 beside 900',
      'none 0 beside 1000',
    ]);
  });
});
