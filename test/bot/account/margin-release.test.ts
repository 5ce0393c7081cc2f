import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { place } from '../../../src/strategy/orders.ts';
import type { MarginEvent } from '../../../src/strategy/positions.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { SPOT } from '../../exchange/margin/kit.ts';
import { botRig, driven, folder, type BotRig, type TestStrategy } from '../rig.ts';

const BTC = isolated('BTCUSDT');
const short = place(BTC, { type: 'market', side: 'sell', lots: 2 });
const cover = place(BTC, { type: 'market', side: 'buy', lots: 2 });

async function run(
  data: string,
  strategies: readonly TestStrategy[],
  before?: BotRig,
): Promise<BotRig> {
  const rig = await botRig({
    data,
    strategies,
    instrument: new Instrument(SPOT),
    ...(before === undefined ? {} : { clock: before.clock }),
    settings: { shutdown: { orders: 'keep', withinUs: 1_000_000 } },
  });
  rig.market.emit({ at: '00:00:01', bids: [['99', 9]], asks: [['101', 9]] });
  await rig.pass(50);
  return rig;
}

const fund = ({ commands }: BotRig, balance: string, strategy = 0): void =>
  commands[strategy]?.next(setMargin(BTC, { balance: decimal(balance), leverage: 5 }));

const eventsOf = ({ contexts }: BotRig, strategy: number): MarginEvent[] => {
  const events: MarginEvent[] = [];
  contexts[strategy]?.account.marginEvents().subscribe((event) => events.push(event));
  return events;
};

const owners = ({ bot }: BotRig): readonly string[] =>
  bot.balances().flatMap((line) => (!('strategy' in line) ? [] : [`${line.strategy} ${line.balance}`])); // prettier-ignore

test('an account that its strategy closed is free for another', async () => {
  const rig = await run(folder(), [{}, {}]);
  fund(rig, '100');
  await rig.pass(50);
  const events = eventsOf(rig, 1);
  fund(rig, '50', 1);
  await rig.pass(50);
  expect(events).toMatchObject([{ kind: 'rejected', rejection: { code: 'margin-account-taken' } }]);
  fund(rig, '0');
  await rig.pass(50);
  fund(rig, '60', 1);
  await rig.pass(50);
  expect(owners(rig)).toEqual(['s1 60']);
});

test('an account that was closed and is asked for again in one turn stays with its strategy', async () => {
  const rig = await run(folder(), [{}, {}]);
  fund(rig, '100');
  await rig.pass(50);
  fund(rig, '0');
  fund(rig, '70');
  fund(rig, '60', 1);
  await rig.pass(50);
  expect(owners(rig)).toEqual(['s0 70']);
});

test('what a strategy that left the configuration had is free at the next start, and the log says so', async () => {
  const data = folder();
  const before = await run(data, [{ name: 'old' }]);
  fund(before, '100');
  await before.pass(100);
  await driven(before.bot.close(), before.clock);
  const rig = await run(
    data,
    [{ name: 'new', budget: new Map([['USDT', decimal('300')]]) }],
    before,
  );
  expect(rig.logs).toContain(
    'info Strategy old is not configured any more and the isolated margin account of BTCUSDT has no position: the account is free for other strategies. Its 100 USDT count as brought by the strategy that asks for it next.',
  );
  expect(owners(rig)).toEqual([' 100']);
  fund(rig, '150');
  await rig.pass(50);
  expect(owners(rig)).toEqual(['new 150']);
  // All 150 count as its own: 100 that were there and 50 of the spot balance.
  let available = '';
  rig.contexts[0]?.account
    .balances('USDT')
    .subscribe((one) => (available = one.available.toFixed()));
  expect(available).toBe('150');
});

test('an account with a position stays with a strategy that left, until it is flattened by name', async () => {
  const data = folder();
  const before = await run(data, [{ name: 'old' }]);
  fund(before, '100');
  await before.pass(100);
  before.commands[0]?.next(short);
  await before.pass(100);
  await driven(before.bot.close(), before.clock);
  const rig = await run(data, [{ name: 'new' }], before);
  expect(rig.logs).toContainEqual(
    expect.stringContaining(
      'warn Strategy old is not configured on account main any more, and the isolated margin account of BTCUSDT is still its own with a position: BTCUSDT short. See it with "millrace positions old", close it with "millrace flatten old"',
    ),
  );
  expect(rig.bot.positions()).toMatchObject([
    { strategy: 'new', accountType: 'spot' },
    { strategy: 'old', quantity: '-2', isOrphan: true },
  ]);
  const events = eventsOf(rig, 0);
  fund(rig, '50');
  await rig.pass(50);
  expect(events).toMatchObject([{ kind: 'rejected', rejection: { code: 'margin-account-taken' } }]);
  await driven(rig.bot.operate('flatten', 'old'), rig.clock);
  await rig.pass(50);
  expect(owners(rig)).toMatchObject([expect.stringMatching(/^ \d/)]);
  fund(rig, '50');
  await rig.pass(50);
  expect(owners(rig)).toEqual(['new 50']);
});

test('the journal has it: an account that was freed is free after the next start', async () => {
  const data = folder();
  const before = await run(data, [{ name: 'one' }, { name: 'two' }]);
  fund(before, '100');
  await before.pass(100);
  before.commands[0]?.next(short);
  await before.pass(100);
  before.commands[0]?.next(cover);
  await before.pass(100);
  fund(before, '0');
  await before.pass(100);
  await driven(before.bot.close(), before.clock);
  const rig = await run(data, [{ name: 'one' }, { name: 'two' }], before);
  fund(rig, '20', 1);
  await rig.pass(50);
  expect(owners(rig)).toEqual(['two 20']);
});
