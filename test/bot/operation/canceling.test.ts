import { describe, expect, test } from 'vitest';
import type { PaperAccount } from '../../../src/bot/paper/account.ts';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import type { AccountListener } from '../../../src/gateways/venue-account.ts';
import type { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { place } from '../../../src/strategy/orders.ts';
import { botRig, driven } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

/** The account of the exchange in the process over a connection that can break. */
class Connection {
  #listener: AccountListener | undefined;
  #isBroken = false;

  readonly venue = (paper: PaperAccount, clock: VirtualScheduler): PaperAccount => {
    const open = paper.open.bind(paper);
    const send = paper.send.bind(paper);
    return Object.assign(paper, {
      open: (listener: AccountListener) => {
        this.#listener = listener;
        return open(listener);
      },
      send: (request: Parameters<typeof send>[0]) => {
        if (!this.#isBroken || request.kind !== 'cancel') send(request);
        else {
          const { kind, clientOrderId, symbol } = request;
          this.#listener?.report({
            kind: 'rejected',
            at: clock.now(),
            request: kind,
            clientOrderId,
            symbol,
            rejection: { code: 'venue-unreachable', message: 'It was not sent.' },
          });
        }
      },
    });
  };

  set isBroken(isBroken: boolean) {
    this.#isBroken = isBroken;
    this.#listener?.connectionState(isBroken ? 'lost' : 'live');
  }
}

describe('orders of an account that is disconnected', () => {
  const trading = async () => {
    const connection = new Connection();
    const rig = await botRig({ venue: connection.venue });
    rig.market.emit(BOOK);
    rig.commands[0]?.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 5, ticks: 9_900 }));
    await rig.pass(10);
    expect(rig.bot.orders()).toHaveLength(1);
    connection.isBroken = true;
    return { ...rig, connection };
  };

  test('are canceled at the end of a bot once it is connected again', async () => {
    const { bot, clock, connection, logs, pass } = await trading();
    const closing = bot.close();
    await pass(1_000);
    expect(bot.orders()).toHaveLength(1);
    connection.isBroken = false;
    await driven(closing, clock);
    expect(bot.orders()).toEqual([]);
    expect(logs.join('\n')).not.toContain('could not be canceled in time');
  });

  test('are canceled so where an operator halts it', async () => {
    const { bot, clock, connection, pass } = await trading();
    const halted = bot.operate('halt');
    await pass(1_000);
    connection.isBroken = false;
    await driven(halted, clock);
    expect(bot.orders()).toEqual([]);
  });

  test('are notified where the connection does not come back in time', async () => {
    const { bot, clock, logs } = await trading();
    await driven(bot.close(), clock);
    expect(logs.at(-1)).toBe(
      'warn Some orders could not be canceled in time; the journal has them.',
    );
  });
});
