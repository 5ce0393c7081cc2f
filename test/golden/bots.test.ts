import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { decimal } from '../../src/model/decimal.ts';
import { Random } from '../../src/platform/random.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { botRig, driven, type TestStrategy } from '../bot/rig.ts';
import { limitsOf } from '../risk/view.ts';
import type { Line } from './canonical.ts';
import { expectGolden } from './golden.ts';
import { trader, type TraderOptions } from './trader.ts';
import { nothingSeen, seenLines, watch, type Seen } from './watched.ts';

const trading = (seen: Seen, options: TraderOptions): Pick<TestStrategy, 'run'> => ({
  run: (context) => {
    watch(context, ['BTCUSDT'], seen);
    const commands = new Subject<Command>();
    trader({ reach: 300, lotsMax: 60, ...options })
      .run({ ...context, parameters: {} })
      .subscribe(commands);
    return commands;
  },
});

test('two strategies of one account, with budgets and limits, do what is kept of them', async () => {
  const [first, second] = [nothingSeen(), nothingSeen()];
  const rig = await botRig({
    balances: { USDT: '9000', BTC: '0.2' },
    account: { risk: limitsOf({ preventOwnCross: true, maxOpenOrders: 14 }) },
    strategies: [
      {
        ...trading(first, { seed: 41, everyMs: 700 }),
        budget: new Map([
          ['USDT', decimal('3000')],
          ['BTC', decimal('0.05')],
        ]),
      },
      {
        ...trading(second, { seed: 42, everyMs: 450 }),
        risk: limitsOf({ maxQuantity: { BTCUSDT: '0.05' }, maxOrdersPerSecond: 3 }),
      },
    ],
  });
  const { bot, market, pass } = rig;
  const states: Line[] = [];
  const random = new Random(43);
  let middle = 62_000;
  for (let turn = 0; turn < 90; turn += 1) {
    middle += random.integer(-3, 3);
    const size = (): number => random.integer(1, 60) / 1_000;
    const side = (sign: number) =>
      [1, 2, 3, 5].map((away) => [middle + sign * away, size()] as const);
    const aggressor = random.chance(0.5) ? 'buy' : 'sell';
    const trade = middle + (aggressor === 'buy' ? 1 : -1);
    const at = '00:00:01';
    market.emit({ at, bids: side(-1), asks: side(1) }, { at, trade, size: size(), aggressor });
    await pass(500);
    if (turn % 10 === 9) {
      states.push({ turn, positions: bot.positions(), balances: bot.balances() });
    }
  }
  states.push({ orders: bot.orders().length });
  await driven(bot.close(), rig.clock);
  expect(states.length).toBe(10);
  const parts = { bot: states, first: seenLines(first), second: seenLines(second) };
  await expectGolden('two-strategies-of-a-bot', parts);
});
