import { join } from 'node:path';
import { expect, test } from 'vitest';
import { confirm } from '../../../src/bot/journal/confirmation.ts';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import type { PaperAccount } from '../../../src/bot/paper/account.ts';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import type { AccountSnapshot, VenueAccount } from '../../../src/gateways/venue-account.ts';
import { Instrument, type InstrumentTerms } from '../../../src/model/instrument.ts';
import type { VenueOrder } from '../../../src/model/order.ts';
import { place } from '../../../src/strategy/orders.ts';
import { TERMS } from '../../engine/rig.ts';
import { venueOrder } from '../journal/kit.ts';
import { botRig, driven, folder, START, type BotRig, type RigOptions } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

/** A venue that says of some things what the test says, and of all others what the exchange does. */
const saying =
  (changes: (paper: PaperAccount) => Partial<VenueAccount>) =>
  (paper: PaperAccount): VenueAccount => {
    const reported = changes(paper);
    return new Proxy<VenueAccount>(paper, {
      get: (target, name) => {
        if (Object.hasOwn(reported, name)) return Reflect.get(reported, name) as unknown;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };

const snapshotOf = (orders: readonly VenueOrder[]) =>
  saying(() => ({
    snapshot: () =>
      Promise.resolve<AccountSnapshot>({ at: START, orders, ended: [], fills: [], balances: [] }),
  }));

const withKey = (data: string, key: string, more: RigOptions = {}): RigOptions => ({
  settings: { mode: 'live', data, shutdown: { orders: 'keep', withinUs: 1_000_000 } },
  account: {
    service: { url: 'http://127.0.0.1:1', version: 3, credentials: { key, secret: 'x' } },
  },
  ...more,
});

/** A bot that has an order at the venue, and is gone; gives the order as it was told. */
async function left(data: string): Promise<VenueOrder> {
  const rig = await botRig(withKey(data, 'first-key'));
  rig.market.emit(BOOK);
  rig.commands[0]?.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 5, ticks: 9_000 }));
  await rig.pass(100);
  await driven(rig.bot.close(), rig.clock);
  return ordersIn(data)[0]?.venueOrder ?? venueOrder('none');
}

function ordersIn(data: string) {
  const reader = JournalReader.open(join(data, 'main.sqlite'));
  try {
    return Array.from(reader.orders(START), ({ order }) => order);
  } finally {
    reader.close();
  }
}

const rejectionOf = async (opening: Promise<BotRig>): Promise<unknown> =>
  opening.then(
    async ({ bot, clock }) => {
      await driven(bot.close(), clock);
      return 'none';
    },
    (error: unknown) => error,
  );

const accept = (data: string): readonly string[] =>
  confirm(join(data, 'main.sqlite'), process.pid, START);

test('the key of another account is refused before anything is taken for lost', async () => {
  const data = folder();
  await left(data);
  const before = ordersIn(data);
  expect(before).toMatchObject([{ status: 'new' }]);
  const other = withKey(data, 'other-key', { venue: snapshotOf([]) });
  expect(await rejectionOf(botRig(other))).toMatchObject({
    code: 'journal-unconfirmed',
    message: expect.stringMatching(/API key of account main is another one.*knows none of the last 1 orders/) as string, // prettier-ignore
  });
  expect(ordersIn(data)).toEqual(before);
  // No balance of the other account is in the journal, and the key itself is nowhere.
  const reader = JournalReader.open(join(data, 'main.sqlite'));
  expect(reader.check()).toBeGreaterThan(0);
  reader.close();
  expect(await rejectionOf(botRig(withKey(data, 'first-key')))).toBe('none');
  await rejectionOf(botRig(other));
  expect(accept(data)).toHaveLength(1);
  expect(await rejectionOf(botRig(other))).toBe('none');
});

test('a new key of the same account is known by an order that the venue has', async () => {
  const data = folder();
  const order = await left(data);
  const rig = await botRig(withKey(data, 'new-key', { venue: snapshotOf([order]) }));
  expect(rig.logs.join('\n')).toContain(`the venue knows its order ${order.clientOrderId}: it is the same account`); // prettier-ignore
  await driven(rig.bot.close(), rig.clock);
  expect(await rejectionOf(botRig(withKey(data, 'new-key', { venue: snapshotOf([]) })))).toBe(
    'none',
  );
});

const withTerms = (changes: Partial<InstrumentTerms>) =>
  saying(() => ({ instruments: [new Instrument({ ...TERMS, ...changes })] }));

test('changed lot or currency terms wait for confirmation; other changed terms are logged', async () => {
  const data = folder();
  await left(data);
  const coarser = withKey(data, 'first-key', { venue: withTerms({ quantityIncrement: '0.01' }) });
  expect(await rejectionOf(botRig(coarser))).toMatchObject({
    code: 'journal-unconfirmed',
    message: expect.stringMatching(/A lot of BTCUSDT \(main\) was 0\.001 BTC and is 0\.01 BTC now/) as string, // prettier-ignore
  });
  expect(ordersIn(data)).toMatchObject([{ lots: 5 }]);
  const { symbol, ...rest } = TERMS;
  const reordered = saying(() => ({ instruments: [new Instrument({ ...rest, symbol })] }));
  const same = await botRig(withKey(data, 'first-key', { venue: reordered }));
  expect(same.logs.join('\n')).not.toContain('The terms of');
  await driven(same.bot.close(), same.clock);
  const rig = await botRig(withKey(data, 'first-key', { venue: withTerms({ takeRate: '0.004' }) }));
  expect(rig.logs.join('\n')).toMatch(/The terms of BTCUSDT \(main\) changed since the last start: takeRate "[\d.]+" is "0\.004"\./); // prettier-ignore
  await driven(rig.bot.close(), rig.clock);
});

test('a new journal is not begun beside orders that a lost one of these strategies left', async () => {
  const data = folder();
  const orders = [venueOrder('s0-wxyz-0000007'), venueOrder('by-hand-1')];
  const options = withKey(data, 'first-key', { venue: snapshotOf(orders) });
  expect(await rejectionOf(botRig(options))).toMatchObject({
    code: 'journal-unconfirmed',
    message: expect.stringContaining('such as s0-wxyz-0000007: that journal was lost') as string,
  });
  expect(await rejectionOf(botRig(options))).toMatchObject({ code: 'journal-unconfirmed' });
  expect(accept(data)).toHaveLength(1);
  expect(await rejectionOf(botRig(options))).toBe('none');
  const others = snapshotOf([venueOrder('other-wxyz-0000007')]);
  expect(await rejectionOf(botRig(withKey(folder(), 'first-key', { venue: others })))).toBe('none');
});

test('an order of a copy of the journal halts the account, and is not taken in', async () => {
  const data = folder();
  await left(data);
  const twin: VenueOrder[] = [];
  const asking = saying((paper) => ({
    snapshot: async (since) => {
      const snapshot = await paper.snapshot(since);
      return { ...snapshot, orders: [...snapshot.orders, ...twin] };
    },
  }));
  const rig = await botRig(withKey(data, 'first-key', { venue: asking }));
  const clientOrderId = (rig.bot.orders()[0]?.clientOrderId ?? '').replace('0000001', '0000002');
  await rig.pass(20_000);
  twin.push(venueOrder(clientOrderId, { createdAt: rig.clock.now(), updatedAt: rig.clock.now() }));
  await rig.pass(31_000);
  expect(rig.bot.status().accounts).toMatchObject([{ state: 'halted' }]);
  expect(rig.bot.status().accounts[0]?.stateWhy).toContain('another process sends orders with the same ids'); // prettier-ignore
  expect(rig.bot.orders()).toHaveLength(1);
  await driven(rig.bot.close(), rig.clock);
});
