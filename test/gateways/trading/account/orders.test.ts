import { describe, expect, it } from 'vitest';
import { decimal } from '../../../../src/model/decimal.ts';
import { lots, ticks } from '../../../../src/model/units.ts';
import { micros } from '../../../../src/platform/time.ts';
import { OPENED, openVenue } from '../../../server/kit.ts';
import { place } from '../market/kit.ts';
import { hold, placeOf, until } from './kit.ts';

describe('an account of the service', () => {
  it('knows the instruments with the fee rates of the account, and reports all balances before it is connected', async () => {
    const venue = await openVenue();
    venue.join('small', { spot: { BTC: '0.5', USDT: '100' } });
    const { account, ear } = await hold(venue, 'small');
    expect(account.instruments.map(({ symbol }) => symbol)).toEqual([
      'BTCUSDT',
      'ETHUSDT',
      'ETHBTC',
      'ETHUSDT_PERP',
    ]);
    expect(account.instruments[0]?.terms).toMatchObject({
      tickSize: '0.01',
      quantityIncrement: '0.00001',
      feeCurrency: 'USDT',
      takeRate: '0.0025',
      makeRate: '0.0012',
    });
    expect(ear.kinds).toEqual(['balance', 'balance', 'live']);
    expect(ear.balance('BTC')).toEqual(['0.5', '0']);
    expect(ear.balance('USDT')).toEqual(['100', '0']);
  });

  it('places an order, and reports what it reserves', async () => {
    const venue = await openVenue();
    const { account, ear } = await hold(venue);
    ear.clear();
    account.send(placeOf('resting-order', { ticks: 9_999, lots: 12_345 }));
    await until(venue, () => ear.kinds.includes('balance'));
    expect(ear.kinds).toEqual(['new', 'balance']);
    expect(ear.of('new')[0]).toEqual({
      kind: 'new',
      at: expect.any(Number) as number,
      order: {
        id: expect.any(Number) as number,
        clientOrderId: 'resting-order',
        symbol: 'BTCUSDT',
        side: 'buy',
        type: 'limit',
        timeInForce: 'GTC',
        status: 'new',
        lots: 12_345,
        filledLots: 0,
        ticks: 9_999,
        postOnly: false,
        createdAt: ear.of('new')[0]?.at,
        updatedAt: ear.of('new')[0]?.at,
      },
    });
    // 99.99 × 0.12345 with the higher of the two fees.
    expect(ear.balance('USDT')?.[1]).toBe('12.37462491375');
  });

  it('pays the fee rates that orders ask for, alone and in lists', async () => {
    const venue = await openVenue();
    await place(venue, 'other', 'sell', '100', '3');
    const { account, ear } = await hold(venue);
    ear.clear();
    const takeRate = decimal('0.004');
    account.send(placeOf('taking-order', { ticks: 10_000, lots: 100_000, takeRate }));
    account.send({
      kind: 'placeList',
      orderListId: 'first-order',
      contingencyType: 'oneTriggerOther',
      orders: [
        placeOf('first-order', { ticks: 10_000, lots: 100_000, takeRate: decimal('0.0001') }),
        placeOf('second-order', { ticks: 10_000, lots: 100_000, takeRate: decimal('0.005') }),
      ],
    });
    await until(venue, () => ear.of('trade').length === 3);
    // 0.4 % of 100; 0.25 % as everybody, since a lower rate changes nothing; and 0.5 %.
    expect(ear.of('trade').map(({ fill }) => fill.fee.toFixed())).toEqual(['0.4', '0.25', '0.5']);
  });

  it('reports a fill before the balances that it changed, whole and exact', async () => {
    const venue = await openVenue();
    await place(venue, 'other', 'sell', '100.01', '0.5');
    const { account, ear } = await hold(venue);
    ear.clear();
    account.send(placeOf('taking-order', { ticks: 10_001, lots: 20_000 }));
    await until(venue, () => ear.of('balance').length === 2);
    expect(ear.kinds).toEqual(['new', 'trade', 'balance', 'balance']);
    const [trade] = ear.of('trade');
    if (trade === undefined) throw new Error('no trade');
    const { order, fill, at } = trade;
    expect(order).toMatchObject({ status: 'filled', filledLots: 20_000, lots: 20_000 });
    expect({ ...fill, fee: fill.fee.toFixed() }).toEqual({
      id: expect.any(Number) as number,
      clientOrderId: 'taking-order',
      symbol: 'BTCUSDT',
      side: 'buy',
      ticks: 10_001,
      lots: 20_000,
      fee: '0.050005',
      feeCurrency: 'USDT',
      taker: true,
      at,
    });
    expect(ear.balance('BTC')).toEqual(['100.2', '0']);
    expect(ear.balance('USDT')).toEqual(['999979.947995', '0']);
  });

  it('reports the maker of a fill as such', async () => {
    const venue = await openVenue();
    const { account, ear } = await hold(venue);
    account.send(placeOf('making-order', { ticks: 10_001 }));
    await until(venue, () => ear.of('new').length === 1);
    await place(venue, 'other', 'sell', '100.01', '0.5');
    await until(venue, () => ear.of('trade').length === 1);
    expect(ear.of('trade')[0]).toMatchObject({
      order: { status: 'partiallyFilled', filledLots: 50_000 },
      fill: { taker: false, lots: 50_000 },
    });
  });

  it('replaces and cancels by the names of orders', async () => {
    const venue = await openVenue();
    const { account, ear } = await hold(venue);
    account.send(placeOf('first-order', { ticks: 9_000, lots: 5 }));
    account.send({
      kind: 'replace',
      clientOrderId: 'first-order',
      newClientOrderId: 'second-order',
      symbol: 'BTCUSDT',
      lots: lots(7),
      ticks: ticks(9_100),
    });
    account.send({ kind: 'cancel', clientOrderId: 'second-order', symbol: 'BTCUSDT' });
    await until(venue, () => ear.of('canceled').length === 1);
    expect(ear.story).toEqual([
      'new first-order',
      'replaced second-order',
      'canceled second-order',
    ]);
    expect(ear.of('replaced')[0]?.order).toMatchObject({
      originalClientOrderId: 'first-order',
      lots: 7,
      ticks: 9_100,
      status: 'new',
    });
  });

  it('writes stop orders with their expiry, and post-only orders', async () => {
    const venue = await openVenue();
    const { account, ear } = await hold(venue);
    const expireAt = micros(OPENED + 2_000_000);
    account.send(
      placeOf('stopped-order', {
        type: 'stopLimit',
        side: 'sell',
        stopTicks: ticks(9_000),
        ticks: 8_900,
        timeInForce: 'GTD',
        expireAt,
      }),
    );
    account.send(placeOf('posted-order', { ticks: 9_000, postOnly: true }));
    await until(venue, () => ear.story.length === 2);
    expect(ear.of('suspended')[0]?.order).toMatchObject({
      type: 'stopLimit',
      stopTicks: 9_000,
      ticks: 8_900,
      timeInForce: 'GTD',
      expireAt,
      status: 'suspended',
    });
    expect(ear.of('new')[0]?.order.postOnly).toBe(true);
    await until(venue, () => ear.of('expired').length === 1);
    expect(ear.of('expired')[0]?.order).toMatchObject({
      clientOrderId: 'stopped-order',
      status: 'expired',
    });
  });

  it('places a list, and reports each of its orders with its list', async () => {
    const venue = await openVenue();
    const { account, ear } = await hold(venue);
    const { kind: _, ...entry } = placeOf('entry-order', { ticks: 9_000 });
    const { kind: __, ...exit } = placeOf('exit-order', { side: 'sell', ticks: 11_000 });
    account.send({
      kind: 'placeList',
      orderListId: 'entry-order',
      contingencyType: 'oneTriggerOther',
      orders: [entry, exit],
    });
    await until(venue, () => ear.story.length === 2);
    expect(ear.of('new')[0]?.order).toMatchObject({
      clientOrderId: 'entry-order',
      orderListId: 'entry-order',
      contingencyType: 'oneTriggerOther',
    });
    expect(ear.of('suspended')[0]?.order ?? ear.of('new')[1]?.order).toMatchObject({
      clientOrderId: 'exit-order',
      orderListId: 'entry-order',
      inactive: true,
    });
  });

  it('reports an order of the market without a price', async () => {
    const venue = await openVenue();
    await place(venue, 'other', 'sell', '100.01', '0.5');
    const { account, ear } = await hold(venue);
    const { ticks: _, ...order } = placeOf('market-order', { type: 'market', timeInForce: 'IOC' });
    account.send(order);
    await until(venue, () => ear.of('expired').length === 1);
    expect(ear.story).toEqual(['new market-order', 'trade market-order', 'expired market-order']);
    expect(ear.of('trade')[0]?.order).not.toHaveProperty('ticks');
  });

  it('receives orders that others sent for the account, and money that comes', async () => {
    const venue = await openVenue();
    const { ear } = await hold(venue);
    const name = await place(venue, 'demo', 'buy', '50.00', '1');
    await until(venue, () => ear.story.length === 1);
    expect(ear.story).toEqual([`new ${name}`]);
  });
});
