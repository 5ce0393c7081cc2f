import { describe, expect, it } from 'vitest';
import type { Fill } from '../../../../src/model/report.ts';
import { micros, US_PER_SECOND } from '../../../../src/platform/time.ts';
import { OPENED, openVenue, type TestVenue } from '../../../server/kit.ts';
import { cableTo } from '../market/cable.ts';
import { place, trade } from '../market/kit.ts';
import { accountAt, hold, placeOf, settled, until } from './kit.ts';

const cancel = async (venue: TestVenue, name: string): Promise<void> => {
  await venue.call('DELETE', `/api/3/spot/order/${name}`, { as: 'demo' });
};

/** Places orders of a member at once, without the wire. */
function placeMany(
  venue: TestVenue,
  account: number,
  count: number,
  of: (at: number) => Parameters<typeof placeOf>,
): void {
  const { exchange } = venue.trading;
  for (let at = 0; at < count; at += 1) {
    const rejection = exchange.place(account, placeOf(...of(at)), venue.scheduler.now());
    if (rejection !== undefined) throw new Error(rejection.message);
  }
}

const keyOf = ({ id, clientOrderId }: Fill): string => `${id} ${clientOrderId}`;

describe('the snapshot of an account', () => {
  it('has active orders, ended ones, fills oldest first and balances', async () => {
    const venue = await openVenue();
    const { account } = await hold(venue);
    const rests = await place(venue, 'demo', 'buy', '90.00', '1');
    const canceled = await place(venue, 'demo', 'buy', '91.00', '1');
    await cancel(venue, canceled);
    await trade(venue, '100.00', '0.5');
    await trade(venue, '101.00', '0.25', 'BTCUSDT', 'sell');
    const snapshot = await settled(venue, account.snapshot(OPENED));
    expect(snapshot.orders).toMatchObject([{ clientOrderId: rests, status: 'new', ticks: 9_000 }]);
    expect(snapshot.ended.map(({ status }) => status)).toEqual(['canceled', 'filled', 'filled']);
    expect(snapshot.fills).toMatchObject([
      { side: 'buy', ticks: 10_000, lots: 50_000, taker: true, feeCurrency: 'USDT' },
      { side: 'sell', ticks: 10_100, lots: 25_000, taker: true, feeCurrency: 'USDT' },
    ]);
    expect(snapshot.fills.map(({ fee }) => fee.toFixed())).toEqual(['0.125', '0.063125']);
    const usdt = snapshot.balances.find(({ currency }) => currency === 'USDT');
    // 90 × 1.0025 is held for the order that rests.
    expect([usdt?.available.toFixed(), usdt?.reserved.toFixed()]).toEqual([
      '999884.836875',
      '90.225',
    ]);
    expect(snapshot.at).toBeLessThanOrEqual(venue.scheduler.now());
  });

  it('has what happened while disconnected', async () => {
    const venue = await openVenue();
    const cable = await cableTo(venue);
    const { account, ear } = accountAt(venue, cable.url);
    await settled(venue, account.open(ear));
    account.send(placeOf('away-order', { ticks: 10_000 }));
    await until(venue, () => ear.story.length === 1);
    const before = venue.scheduler.now();
    cable.cut();
    await until(venue, () => ear.kinds.at(-1) === 'lost');
    await place(venue, 'other', 'sell', '100.00', '0.4');
    const snapshot = account.snapshot(before);
    cable.mend();
    const { orders, fills } = await settled(venue, snapshot);
    expect(orders).toMatchObject([{ clientOrderId: 'away-order', filledLots: 40_000 }]);
    expect(fills).toMatchObject([{ clientOrderId: 'away-order', lots: 40_000, taker: false }]);
  });

  it('finds the end of an order that is older than what was asked for by its name, and by it alone', async () => {
    const venue = await openVenue();
    const member = venue.join('busy', { spot: { BTC: '100', USDT: '1000000' } });
    const { account } = await hold(venue, 'busy');
    const old = await place(venue, 'busy', 'buy', '90.00', '1');
    placeMany(venue, member, 1_000, (at) => [
      `pair-order-${at}`,
      { side: at % 2 === 0 ? 'sell' : 'buy', lots: 3 },
    ]);
    venue.scheduler.advanceTo(micros(OPENED + 3_600 * US_PER_SECOND));
    const since = venue.scheduler.now();
    await venue.call('DELETE', `/api/3/spot/order/${old}`, { as: 'busy' });
    const blind = await settled(venue, account.snapshot(since));
    expect([blind.orders, blind.ended]).toEqual([[], []]);
    const { orders, ended } = await settled(venue, account.snapshot(since, [old, 'never-known']));
    expect(orders).toEqual([]);
    expect(ended).toMatchObject([{ clientOrderId: old, status: 'canceled' }]);
  });

  it('finds a replacement, though it is as old as the order that it replaced', async () => {
    const venue = await openVenue();
    const { account } = await hold(venue);
    const old = await place(venue, 'demo', 'buy', '90.00', '1');
    venue.scheduler.advanceTo(micros(OPENED + 3_600 * US_PER_SECOND));
    const since = venue.scheduler.now();
    const change = { new_client_order_id: 'replacement-1', quantity: '2', price: '95.00' };
    await venue.call('PATCH', `/api/3/spot/order/${old}`, { as: 'demo', json: change });
    await place(venue, 'other', 'sell', '95.00', '2');
    const { ended, fills } = await settled(venue, account.snapshot(since));
    expect(ended.find(({ clientOrderId }) => clientOrderId === 'replacement-1')).toMatchObject({
      originalClientOrderId: old,
      status: 'filled',
      filledLots: 200_000,
    });
    expect(fills).toMatchObject([{ clientOrderId: 'replacement-1', lots: 200_000 }]);
  });

  it('reads histories page by page, none doubled and none left out', async () => {
    const venue = await openVenue({ kept: { orders: 20_000, trades: 20_000 } });
    const member = venue.join('busy', { spot: { BTC: '100', USDT: '1000000' } });
    const { account } = await hold(venue, 'busy');
    // Each pair trades with itself: two trades of one number, whose order a page may part.
    placeMany(venue, member, 2_101, (at) => [
      `pair-order-${at}`,
      { side: at % 2 === 0 ? 'sell' : 'buy', lots: 3 },
    ]);
    const snapshot = await settled(venue, account.snapshot(OPENED));
    expect(snapshot.fills).toHaveLength(2_100);
    expect(new Set(snapshot.fills.map(keyOf)).size).toBe(2_100);
    expect(snapshot.fills.map(({ id }) => id)).toEqual(
      snapshot.fills.map(({ id }) => id).toSorted((one, other) => one - other),
    );
    expect(snapshot.ended).toHaveLength(2_100);
    expect(snapshot.orders.map(({ clientOrderId }) => clientOrderId)).toEqual(['pair-order-2100']);
  });

  it('does not read on beyond the time asked for, but for a minute', async () => {
    const venue = await openVenue();
    const member = venue.join('busy', { spot: { BTC: '100', USDT: '1000000' } });
    const { account } = await hold(venue, 'busy');
    const pairOf = (name: string) => (at: number) =>
      [`${name}-${at}`, { side: at % 2 === 0 ? 'sell' : 'buy', lots: 3 }] as Parameters<
        typeof placeOf
      >;
    placeMany(venue, member, 10, pairOf('old-order'));
    venue.scheduler.advanceTo(micros(OPENED + 3_600 * US_PER_SECOND));
    placeMany(venue, member, 4, pairOf('late-order'));
    venue.scheduler.advanceTo(micros(OPENED + 3_630 * US_PER_SECOND));
    placeMany(venue, member, 2, pairOf('new-order'));
    const since = micros(OPENED + 3_640 * US_PER_SECOND);
    const { fills, ended } = await settled(venue, account.snapshot(since));
    expect([fills.length, ended.length]).toEqual([6, 6]);
  });

  it('is asked for again until the service answers', async () => {
    const venue = await openVenue({ faults: {} });
    const { account, warnings } = await hold(venue);
    const path = '/api/3/spot/*';
    venue.faults?.play({
      ...venue.faults.state.plan,
      http: [
        {
          path,
          method: 'GET',
          when: 'before',
          skip: 0,
          count: 4,
          probability: 1,
          fault: { kind: 'answer', status: 503 },
        },
      ],
    });
    const { balances } = await settled(venue, account.snapshot(OPENED));
    expect(balances.map(({ currency }) => currency)).toContain('USDT');
    expect(warnings).toHaveLength(4);
  });

  it('is not waited for once the account is closed', async () => {
    const venue = await openVenue({ faults: { maintenance: true } });
    const { account } = accountAt(venue, venue.base);
    const snapshot = account.snapshot(OPENED);
    await settled(venue, account.close());
    await expect(settled(venue, snapshot)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('throws what can never be', async () => {
    const venue = await openVenue();
    const { account } = accountAt(venue, venue.base, 'nobody');
    await expect(settled(venue, account.snapshot(OPENED))).rejects.toMatchObject({
      code: 'service-refused',
    });
  });

  it('leaves out orders of symbols that are no instruments here, and warns once of each', async () => {
    const venue = await openVenue();
    const { account, warnings } = accountAt(venue, venue.base);
    await place(venue, 'demo', 'buy', '90.00', '1');
    await place(venue, 'demo', 'buy', '91.00', '1');
    const { orders } = await settled(venue, account.snapshot(OPENED));
    expect(orders).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['symbol-unknown']);
    expect(warnings[0]?.message).toContain('BTCUSDT');
  });
});
