import { describe, expect, test } from 'vitest';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import type { PaperAccount } from '../../../src/bot/paper/account.ts';
import { oco, oto } from '../../../src/strategy/lists.ts';
import { botRig, driven, folder, type BotRig } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

const EXITS = oco('BTCUSDT', [
  { type: 'limit', side: 'sell', lots: 5, ticks: 11_000 },
  { type: 'stopMarket', side: 'sell', lots: 5, stopTicks: 9_000 },
]);

/** A bot whose requests to cancel are kept, and that may be kept from sending them. */
async function trading(options: { readonly data?: string; readonly clock?: BotRig['clock'] } = {}) {
  const canceled: string[] = [];
  const state = { reaches: true };
  const venue = (paper: PaperAccount): PaperAccount => {
    const send = paper.send.bind(paper);
    return Object.assign(paper, {
      send: (request: OrderRequest) => {
        if (request.kind === 'cancel') canceled.push(request.clientOrderId);
        if (request.kind !== 'cancel' || state.reaches) send(request);
      },
    });
  };
  const rig = await botRig({ venue, ...options });
  rig.market.emit(BOOK);
  await rig.pass(10);
  return { ...rig, canceled, state };
}

const warnings = ({ logs }: BotRig): readonly string[] =>
  logs.filter((line) => line.startsWith('warn') && line.includes('refused'));

describe('a list that is to end as a whole', () => {
  test('is canceled once at the end of a bot, and nothing is warned of', async () => {
    const rig = await trading();
    rig.commands[0]?.next(EXITS);
    await rig.pass(10);
    expect(rig.bot.orders()).toHaveLength(2);
    await driven(rig.bot.close(), rig.clock);
    expect(rig.bot.orders()).toEqual([]);
    expect(rig.canceled).toHaveLength(1);
    expect(warnings(rig)).toEqual([]);
  });

  test('ends by its first order where that leads the others', async () => {
    const rig = await trading();
    const first = { type: 'limit', side: 'buy', lots: 5, ticks: 9_000 } as const;
    rig.commands[0]?.next(oto('BTCUSDT', [first, { ...first, ticks: 8_000 }]));
    await rig.pass(10);
    await driven(rig.bot.operate('halt'), rig.clock);
    expect(rig.bot.orders()).toEqual([]);
    expect(rig.canceled).toHaveLength(1);
  });

  test('ends order by order where the first had filled before its cancel came', async () => {
    const rig = await trading();
    const first = { type: 'limit', side: 'buy', lots: 5, ticks: 9_000 } as const;
    rig.commands[0]?.next(oto('BTCUSDT', [first, { ...first, ticks: 8_000 }]));
    await rig.pass(10);
    const halted = rig.bot.operate('halt');
    // The trade is at the venue before the cancel is.
    rig.market.emit({ at: '00:00:01', trade: '80.50', size: 1, aggressor: 'sell' });
    await driven(halted, rig.clock);
    expect(rig.bot.orders()).toEqual([]);
    expect(rig.canceled).toHaveLength(2);
    expect(warnings(rig)).toEqual([]);
  });

  test('of a previous run is canceled once too', async () => {
    const data = folder();
    const rig = await trading({ data });
    rig.commands[0]?.next(EXITS);
    await rig.pass(10);
    rig.state.reaches = false;
    await driven(rig.bot.close(), rig.clock);
    const again = await trading({ data, clock: rig.clock });
    expect(again.bot.orders()).toHaveLength(2);
    await driven(again.bot.operate('halt'), again.clock);
    expect(again.bot.orders()).toEqual([]);
    expect(again.canceled).toHaveLength(1);
  });
});
