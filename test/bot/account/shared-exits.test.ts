import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { oto } from '../../../src/strategy/lists.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { place } from '../../../src/strategy/orders.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { SPOT } from '../../exchange/margin/kit.ts';
import { botRig, NO_LIMITS } from '../rig.ts';

const BTC = isolated('BTCUSDT');

test('an exit that waits for its entry closes what the entry opens on a shared account, and no more', async () => {
  const strategies = ['s0', 's1'];
  const sharedMargin = [{ mode: 'isolated' as const, symbol: 'BTCUSDT', leverage: decimal('5'), strategies }]; // prettier-ignore
  const rig = await botRig({
    strategies: [{}, {}],
    instrument: new Instrument(SPOT),
    balances: { USDT: '2000' },
    account: { risk: NO_LIMITS, sharedMargin },
  });
  rig.market.emit({ at: '00:00:01', bids: [['99', 90]], asks: [['101', 90]] });
  await rig.pass(50);
  const rejections: Rejection[] = [];
  let lots: number | undefined = 0;
  const { account } = rig.contexts[0] ?? {};
  account
    ?.orders()
    .subscribe(({ rejection }) => rejection !== undefined && rejections.push(rejection));
  account?.position(BTC).subscribe((position) => (lots = position.lots));
  rig.commands[0]?.next(setMargin(BTC, { balance: decimal('400') }));
  await rig.pass(50);
  const enters = async (side: 'buy' | 'sell', exit: number, ticks: number): Promise<void> => {
    const entry = { type: 'limit', side: 'buy', ticks: 101, lots: 3 } as const;
    const exits = { type: 'limit', side, ticks, lots: exit, reduceOnly: true } as const;
    rig.commands[0]?.next(oto(BTC, [entry, exits]));
    await rig.pass(50);
  };
  // Each could fill at once, and the venue would not hold it against the own position.
  await enters('sell', 5, 99);
  expect(rejections.splice(0)[0]).toMatchObject({ code: 'margin-account-shared', limit: '3' });
  await enters('buy', 3, 101);
  expect(rejections.splice(0)[0]).toMatchObject({ code: 'margin-account-shared', limit: '0' });
  expect(lots).toBe(0);
  await enters('sell', 3, 99);
  expect([lots, rejections]).toEqual([0, []]);
  rig.commands[0]?.next(place(BTC, { type: 'market', side: 'buy', lots: 2 }));
  await rig.pass(50);
  await enters('sell', 5, 120);
  expect([lots, rig.bot.orders().length, rejections]).toEqual([5, 1, []]);
});
