import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import type { RiskSettings } from '../../../src/risk/settings.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { place } from '../../../src/strategy/orders.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { target } from '../../../src/strategy/managed-orders.ts';
import { SPOT } from '../../exchange/margin/kit.ts';
import { limitsOf } from '../../risk/view.ts';
import { botRig, driven, folder, type BotRig } from '../rig.ts';

const BTC = isolated('BTCUSDT');

const sell = (lots: number) => place(BTC, { type: 'market', side: 'sell', lots });

/** A paper bot whose strategy has these limits, at a price of 100 and with a margin account of 500. */
async function opened(
  risk: Parameters<typeof limitsOf>[0],
  ofAccount?: RiskSettings,
): Promise<BotRig & { codes: string[] }> {
  const rig = await botRig({
    instrument: new Instrument(SPOT),
    balances: { USDT: '10000' },
    strategies: [{ risk: limitsOf(risk) }],
    ...(ofAccount === undefined ? {} : { account: { risk: ofAccount } }),
  });
  const codes: string[] = [];
  const { account } = rig.contexts[0] ?? {};
  account?.orders().subscribe(({ rejection }) => {
    if (rejection !== undefined) codes.push(rejection.code);
  });
  account?.marginEvents().subscribe((event) => {
    if (event.kind === 'rejected') codes.push(event.rejection.code);
  });
  quote(rig, 100);
  rig.commands[0]?.next(setMargin(BTC, { balance: decimal('500'), leverage: 10 }));
  await rig.pass(2_000);
  return { ...rig, codes };
}

const quote = ({ market }: BotRig, price: number): void => {
  const [bid, ask] = [String(price - 1), String(price + 1)];
  market.emit({ at: '00:00:01', bids: [[bid, 1_000]], asks: [[ask, 1_000]] });
};

const stateOf = ({ bot }: BotRig) => bot.status().strategies[0]?.state;

test('a bot on margin rejects a short beyond its limit, and a leverage beyond its own', async () => {
  const rig = await opened({ maxShort: { BTCUSDT: '6' }, maxLeverage: '10' });
  rig.commands[0]?.next(sell(4));
  rig.commands[0]?.next(sell(3));
  await rig.pass(1_000);
  rig.commands[0]?.next(sell(3));
  rig.commands[0]?.next(sell(2));
  await rig.pass(1_000);
  expect(rig.codes).toEqual(['risk-short', 'risk-short']);
  await driven(rig.bot.close(), rig.clock);
});

test('funds that move to a margin account are no loss, and those that a position loses are', async () => {
  const rig = await opened({ maxDailyLoss: { USDT: '100' } });
  expect(stateOf(rig)).toBe('running');
  // 20 sold at 99: a price of 104 loses 100 and the fee of 1.98.
  rig.commands[0]?.next(sell(20));
  await rig.pass(3_000);
  expect(stateOf(rig)).toBe('running');
  quote(rig, 104);
  await rig.pass(3_000);
  expect(stateOf(rig)).toBe('halted');
  await driven(rig.bot.close(), rig.clock);
});

test('a position that comes near to its liquidation is warned of, or leads to reducing', async () => {
  for (const [onLiquidationDistance, state] of [
    ['warn', 'running'],
    ['reduce', 'reducing'],
  ] as const) {
    const rig = await opened({ minLiquidationDistance: '0.15', onLiquidationDistance });
    rig.commands[0]?.next(sell(20));
    await rig.pass(2_000);
    expect(stateOf(rig)).toBe('running');
    quote(rig, 103);
    await rig.pass(3_000);
    expect(stateOf(rig)).toBe(state);
    expect(rig.logs.filter((line) => line.includes('is liquidated at 117'))).toHaveLength(1);
    // What closes still leaves, and nothing else does where trading is reducing.
    rig.commands[0]?.next(sell(1));
    rig.commands[0]?.next(place(BTC, { type: 'market', side: 'buy', lots: 5, reduceOnly: true }));
    await rig.pass(1_000);
    expect(rig.codes).toContain(
      state === 'reducing' ? 'trading-reducing' : 'risk-liquidation-distance',
    );
    let lots = 0;
    rig.contexts[0]?.account.position(BTC).subscribe((position) => (lots = position.lots));
    await rig.pass(100);
    // 10 of them were closed to bring the position back, as in a backtest.
    expect(lots).toBe(state === 'reducing' ? -5 : -15);
    expect(rig.logs.filter((line) => line.includes('is closed at market'))).toHaveLength(
      state === 'reducing' ? 1 : 0,
    );
    await driven(rig.bot.close(), rig.clock);
  }
});

test('a target that a halt keeps from trading is tried again, and said once until the reason or the target is another', async () => {
  const rig = await opened({});
  const { bot, commands, pass, logs } = rig;
  const reported = async (): Promise<number> => {
    for (let i = 0; i < 30; i += 1) {
      quote(rig, 100 + (i % 2));
      await pass(5_000);
    }
    return logs.filter((line) => line.includes('was refused: Trading is')).length;
  };
  await bot.operate('pause', 's0');
  commands[0]?.next(target(BTC, { lots: -1 }));
  expect(await reported()).toBe(1);
  expect(rig.codes.length).toBeGreaterThan(1);
  await bot.operate('reduce', 's0');
  expect(await reported()).toBe(2);
  commands[0]?.next(target(BTC, { lots: -2 }));
  expect(await reported()).toBe(3);
  await driven(bot.close(), rig.clock);
});

test('the limits of a strategy and of its account bring a position back by one order', async () => {
  const risk = limitsOf({ minLiquidationDistance: '0.15', onLiquidationDistance: 'reduce' });
  const rig = await opened(
    { minLiquidationDistance: '0.15', onLiquidationDistance: 'reduce' },
    risk,
  );
  rig.commands[0]?.next(sell(20));
  await rig.pass(2_000);
  quote(rig, 103);
  await rig.pass(30_000);
  expect(rig.bot.positions().filter(({ accountType }) => accountType !== 'spot')).toMatchObject([
    { quantity: '-10' },
  ]);
  expect(rig.bot.status().accounts[0]?.state).toBe('reducing');
  await driven(rig.bot.close(), rig.clock);
});

test('a position that nothing could be closed of is tried again after a while, and no sooner', async () => {
  const rig = await opened({ minLiquidationDistance: '0.15', onLiquidationDistance: 'reduce' });
  rig.commands[0]?.next(sell(20));
  await rig.pass(2_000);
  const closings = () => rig.logs.filter((line) => line.includes('is closed at market')).length;
  // Bids alone: nothing can be bought.
  rig.market.emit(
    { at: '00:00:02', bids: [['102', 1_000]], asks: [] },
    { at: '00:00:02', trade: '103' },
  );
  await rig.pass(8_000);
  expect(closings()).toBe(1);
  await rig.pass(8_000);
  expect(closings()).toBe(2);
  quote(rig, 103);
  await rig.pass(12_000);
  expect(closings()).toBe(3);
  expect(rig.bot.positions().filter(({ accountType }) => accountType !== 'spot')).toMatchObject([
    { quantity: '-10' },
  ]);
  await driven(rig.bot.close(), rig.clock);
});

test('an account is replenished on paper as in a backtest, within the cap of the day over a restart', async () => {
  const data = folder();
  const budget = new Map([['USDT', decimal('200')]]);
  const options = { instrument: new Instrument(SPOT), data, balances: { USDT: '10000' } };
  const rig = await botRig({ ...options, strategies: [{ budget }] });
  const balance = ({ bot }: BotRig) =>
    bot.balances().flatMap((one) => (one.accountType === 'isolated' ? [one.balance] : []))[0];
  // Each lot that is bought and sold loses 2 and the fees of 0.2.
  const lose = async ({ commands, pass }: BotRig, lots: number): Promise<void> => {
    commands[0]?.next(target(BTC, { lots }));
    await pass(2_000);
    commands[0]?.next(target(BTC, { lots: 0 }));
    await pass(2_000);
  };
  quote(rig, 100);
  const replenish = { floor: decimal('95'), target: decimal('100'), maxPerDay: decimal('8') };
  rig.commands[0]?.next(setMargin(BTC, { balance: decimal('100'), leverage: 5, replenish }));
  await rig.pass(2_000);
  await lose(rig, 3);
  expect(balance(rig)).toBe('100');
  expect(rig.logs.filter((line) => line.includes('was replenished'))).toEqual([
    'info The margin account isolated BTCUSDT was replenished by 6.6 USDT to 100; 6.6 of 8 today.',
  ]);
  await driven(rig.bot.close(), rig.clock);

  const again = await botRig({ ...options, clock: rig.clock, strategies: [{ budget }] });
  quote(again, 100);
  await again.pass(2_000);
  await lose(again, 3);
  // Of the cap 1.4 is left.
  expect(balance(again)).toBe('94.8');
  expect(again.logs.filter((line) => line.includes('are used up'))).toHaveLength(1);
  await driven(again.bot.close(), again.clock);
});

test('what replenishes an account is in the budget of its strategy', async () => {
  const budget = new Map([['USDT', decimal('105')]]);
  const rig = await botRig({
    instrument: new Instrument(SPOT),
    balances: { USDT: '10000' },
    strategies: [{ budget }],
  });
  quote(rig, 100);
  const replenish = { floor: decimal('100'), target: decimal('120'), maxPerDay: decimal('50') };
  rig.commands[0]?.next(setMargin(BTC, { balance: decimal('100'), leverage: 5, replenish }));
  await rig.pass(2_000);
  rig.commands[0]?.next(target(BTC, { lots: 1 }));
  await rig.pass(2_000);
  expect(rig.logs.filter((line) => line.includes('was replenished by 5 USDT'))).toHaveLength(1);
  expect(rig.bot.status().strategies[0]?.why).toBeUndefined();
  await driven(rig.bot.close(), rig.clock);
});

test('replenishing of what is not traded so is refused at the start, with its place in the configuration', async () => {
  const replenish = [
    { symbol: 'ETHUSDT', mode: 'isolated', replenish: { maxPerDay: decimal('1') } } as const,
  ];
  const options = { instrument: new Instrument(SPOT), balances: { USDT: '10000' } };
  await expect(botRig({ ...options, strategies: [{ replenish }] })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(
      /^strategies\.\w+: replenish names ETHUSDT on isolated margin, /,
    ) as unknown,
  });
});
