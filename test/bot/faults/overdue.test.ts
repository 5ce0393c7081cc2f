import { expect, test } from 'vitest';
import { micros, US_PER_HOUR } from '../../../src/platform/time.ts';
import { cancel } from '../../../src/strategy/orders.ts';
import { buy, openHarness, type FaultHarness } from './harness.ts';

const SOCKET = '/api/3/ws/trading';
const REPORTS = { socket: SOCKET, topic: 'spot_order', fault: { kind: 'drop' } } as const;
const BALANCES = { socket: SOCKET, topic: 'spot_balance', fault: { kind: 'drop' } } as const;
const REPLIES = { socket: SOCKET, topic: 'reply', fault: { kind: 'drop' } } as const;

/** A stage on which nothing is compared by the clock. */
async function quiet(): Promise<FaultHarness & { standing(ticks: number): Promise<string> }> {
  const one = await openHarness({
    settings: {
      reconciliation: { everyUs: US_PER_HOUR, foreignOrders: 'report', lostAfterUs: 700_000 },
    },
  });
  const standing = async (ticks: number): Promise<string> => {
    one.commands.next(buy(200, ticks));
    await one.until(() => {
      expect(one.bot.orders()).toMatchObject([{ status: 'new' }]);
    });
    return one.bot.orders()[0]?.clientOrderId ?? '';
  };
  return { ...one, standing };
}

const sellTo = ({ other }: FaultHarness, quantity: string): Promise<unknown> =>
  other.rest.createSpotOrder({ symbol: 'BTCUSDT', side: 'sell', price: '50000', quantity });

test('a fill without a report is requested when the balance shows it', async () => {
  const one = await quiet();
  await one.standing(5_000_000);
  await one.faults({ streams: [REPORTS] });
  await sellTo(one, '0.001');
  await one.until(() => {
    expect(one.bot.positions()[0]?.quantity).toBe('100.001');
  });
  await one.faults();
  await one.prove();
});

test('a fill of which nothing at all comes is asked for when the book shows it', async () => {
  const one = await quiet();
  await one.standing(5_000_000);
  await one.faults({ streams: [REPORTS, BALANCES] });
  await sellTo(one, '0.002');
  await one.until(() => {
    expect(one.bot.orders()).toEqual([]);
  });
  expect(one.bot.positions()[0]?.quantity).toBe('100.002');
  expect(one.logs.join('\n')).toContain('The book does not show the order');
  await one.faults();
  await one.prove();
});

test('a cancel that is not answered is asked for, and the bot is not ready meanwhile', async () => {
  const one = await quiet();
  const id = await one.standing(4_990_000);
  await one.faults({ streams: [REPORTS, BALANCES, REPLIES] });
  one.commands.next(cancel(id));
  let wasReady = true;
  await one.until(() => {
    wasReady &&= one.bot.isReady();
    expect(one.bot.orders()).toEqual([]);
  });
  expect(wasReady).toBe(false);
  await one.until(() => {
    expect(one.bot.isReady()).toBe(true);
  });
  await one.faults();
  await one.prove();
});

test('a bot whose reports come asks for nothing', async () => {
  const one = await quiet();
  const id = await one.standing(5_000_000);
  await sellTo(one, '0.001');
  one.commands.next(cancel(id));
  await one.until(() => {
    expect(one.bot.orders()).toEqual([]);
  });
  const at = one.bot.status().accounts[0]?.reconciledAt;
  await one.prove();
  expect(one.bot.status().accounts[0]?.reconciledAt).toBe(at ?? micros(0));
  expect(one.logs.join('\n')).not.toContain('The venue is asked');
});
