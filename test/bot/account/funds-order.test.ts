import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { SPOT } from '../../exchange/margin/kit.ts';
import { botRig, NO_LIMITS } from '../rig.ts';

const BTC = isolated('BTCUSDT');

test.each([{}, { budget: new Map([['USDT', decimal('1000')]]) }])(
  'a strategy that reads of funds of a margin account reads its balance after it (%j)',
  async (strategy) => {
    const rig = await botRig({
      strategies: [strategy],
      instrument: new Instrument(SPOT),
      balances: { USDT: '1000' },
      account: { risk: NO_LIMITS },
    });
    rig.market.emit({ at: '00:00:01', bids: [['99', 90]], asks: [['101', 90]] });
    await rig.pass(50);
    const lines: string[] = [];
    let available = '';
    const { account } = rig.contexts[0] ?? {};
    account?.balances('USDT').subscribe((balance) => (available = balance.available.toFixed()));
    account?.margin(BTC).subscribe(({ state, balance }) => {
      lines.push(`${state} ${balance.toFixed()} beside ${available}`);
    });
    for (const balance of ['400', '700', '100']) {
      rig.commands[0]?.next(setMargin(BTC, { balance: decimal(balance), leverage: decimal('5') }));
      await rig.pass(50);
    }
    expect(lines.slice(1)).toEqual([
      'normal 400 beside 600',
      'normal 700 beside 300',
      'normal 100 beside 900',
    ]);
  },
);
