import { describe, expect, it } from 'vitest';
import type { VenuePosition } from '../../../../../src/model/margin-account.ts';
import { OPENED } from '../../../../server/kit.ts';
import { bitcoin, onMargin, perpetual } from '../../../../server/margin/harness.ts';
import { hold, placeOf, until } from '../kit.ts';
import { brief, on, openScene, PERP, reasons } from './kit.ts';

const BTC = { symbol: 'BTCUSDT', mode: 'isolated' } as const;
const BEFORE_FUNDING = '2026-01-05T15:59:58Z';

describe('what happens to a position without an order of its holder', () => {
  it('is reported as funding where futures paid, with what was paid', async () => {
    const { set, account, next, floor } = await openScene({}, BEFORE_FUNDING);
    floor.index('3000', PERP);
    await set({ symbol: PERP, mode: 'isolated', balance: '1000', leverage: '10' });
    account.send(
      placeOf('long-order', { ...on('isolated'), symbol: PERP, ticks: 3_000_000, lots: 1_000 }),
    );
    const [opened] = await next(1);
    const [paid] = await next(1);
    expect(brief(opened)).toMatchObject({ reason: 'openTrade', lots: 1_000 });
    expect(brief(paid)).toMatchObject({ reason: 'updated', lots: 1_000, funding: '-0.3' });
    expect(paid?.position?.carry.toFixed()).toBe('-0.3');
    expect(paid?.account.positions[0]?.carry.toFixed()).toBe('-0.3');
  });

  it('is reported as interest where spot is held on margin', async () => {
    const exchange = { margin: { dailyRates: { USDT: '0.0003' } } };
    const { set, account, next } = await openScene({ exchange }, BEFORE_FUNDING);
    await set({ ...BTC, balance: '10000' });
    account.send(placeOf('long-order', { ...on('isolated'), ticks: 5_000_000, lots: 10_000 }));
    await next(1);
    const [paid] = await next(1);
    expect(brief(paid)).toMatchObject({ reason: 'interestTaken', lots: 10_000 });
    // A third of the daily rate on 0.1 at the middle of the market.
    expect(paid?.carry).toMatchObject({ kind: 'interest' });
    expect(paid?.carry?.amount.toFixed()).toBe('-0.499995');
  });

  it('is reported without a change of the position where it is a margin call', async () => {
    const { set, account, next, floor } = await openScene();
    await set({ ...BTC, balance: '1000', leverage: '10' });
    account.send(placeOf('long-order', { ...on('isolated'), ticks: 5_000_000, lots: 10_000 }));
    await next(1);
    floor.quote('43000.00', '43001.00');
    const [called] = await next(1);
    expect(brief(called)).toEqual({ reason: 'updated', balance: '987.5' });
    expect(called?.account.isCalled).toBeUndefined();
    const { marginCallPrice, liquidationPrice } = called?.account.positions[0] ?? {};
    expect(marginCallPrice?.greaterThan(43_000)).toBe(true);
    expect(liquidationPrice?.lessThan(43_000)).toBe(true);
  });

  it("is reported as a liquidation, with the venue's own trade and the order that it canceled", async () => {
    const { set, account, next, floor, ear } = await openScene();
    await set({ ...BTC, balance: '1000', leverage: '10' });
    account.send(placeOf('long-order', { ...on('isolated'), ticks: 5_000_000, lots: 10_000 }));
    account.send(placeOf('rest-order', { ...on('isolated'), ticks: 4_000_000, lots: 1_000 }));
    await next(1);
    await until(floor.venue, () => ear.story.includes('new rest-order'));
    floor.quote('41000.00', '41001.00');
    const [ended] = await next(1);
    expect(brief(ended)).toMatchObject({
      reason: 'liquidated',
      lots: 0,
      end: 'liquidated',
      forced: 'sell 10000 at 4100000 for 215.25',
    });
    expect(ear.story).toContain('canceled rest-order');
    expect(ended?.position?.realizedPnl.toFixed()).toBe('-900');
  });

  it('is reported as a part of a liquidation where the market took no more, known by the force close fee', async () => {
    const { set, account, next, floor } = await openScene();
    await set({ ...BTC, balance: '1000', leverage: '10' });
    account.send(placeOf('long-order', { ...on('isolated'), ticks: 5_000_000, lots: 10_000 }));
    await next(1);
    floor.quote('43500.00', '43501.00', 'BTCUSDT', '0.04');
    floor.quote('41000.00', '41001.00', 'BTCUSDT', '0.04');
    const [part] = await next(1);
    expect(brief(part)).toMatchObject({ reason: 'closeTrade', end: 'liquidated' });
    expect(part?.forced).toMatchObject({ side: 'sell', ticks: 4_100_000 });
    expect(part?.byOthers).toBeUndefined();
    expect(part?.position?.lots).toBe(10_000 - (part?.forced?.lots ?? 0));
  });

  it('is reported as a settlement where a contract ends, at the price that its balance shows', async () => {
    const expiry = '2026-01-05T10:00:05Z';
    const dated = perpetual({ symbol: 'BTCUSDT_JAN', contractType: 'cash_settled', expiry });
    const { set, account, next, floor } = await openScene({ instruments: [bitcoin(), dated] });
    floor.quote('49999.00', '50000.00', 'BTCUSDT_JAN');
    floor.index('50500', 'BTCUSDT_JAN');
    await set({ symbol: 'BTCUSDT_JAN', mode: 'cross', balance: '1000' });
    const order = { symbol: 'BTCUSDT_JAN', ticks: 5_000_000, lots: 10_000 } as const;
    account.send(placeOf('long-order', { ...on('cross'), ...order }));
    const [, settled] = await next(2);
    expect(brief(settled)).toMatchObject({ lots: 0, end: 'settled', balance: '1045' });
    expect(settled?.forced).toMatchObject({ side: 'sell', lots: 10_000, ticks: 5_050_000 });
  });

  it('is reported as changed by others where somebody closes a position or moves funds by hand', async () => {
    const { set, account, next, floor } = await openScene();
    await set({ ...BTC, balance: '10000' });
    account.send(placeOf('long-order', { ...on('isolated'), ticks: 5_000_000, lots: 10_000 }));
    await next(1);
    await floor.order({ side: 'sell', quantity: '0.04', price: '49999' });
    expect(brief((await next(1))[0])).toMatchObject({ lots: 6_000, byOthers: true });
    await floor.done('DELETE', '/margin/position/isolated/BTCUSDT');
    expect(brief((await next(1))[0])).toMatchObject({ lots: 0, end: 'closed', byOthers: true });
    await floor.fund('20000');
    expect(brief((await next(1))[0])).toEqual({
      reason: 'marginChanged',
      balance: '20000',
      byOthers: true,
    });
  });
});

describe('deleveraging', () => {
  it('is reported with its lots and its price', async () => {
    const terms = onMargin({ forceCloseFee: '0' });
    const contract = perpetual({ margin: terms });
    const {
      set,
      account,
      next,
      floor,
      ear,
      settled: wait,
    } = await openScene({
      instruments: [bitcoin({ margin: terms }), contract],
    });
    const { symbol } = contract;
    floor.quote('9999.00', '10000.00', symbol);
    floor.index('10000', symbol);
    await set({ symbol, mode: 'isolated', balance: '5000', leverage: '10' });
    const holder = floor.account;
    floor.as = 'other';
    floor.derive('100000');
    await floor.fund('1000', symbol, { leverage: '10' });
    await floor.order({ symbol, quantity: '0.9', price: '10000', margin_mode: 'isolated' });
    const short = { symbol, side: 'sell', ticks: 999_900, lots: 100_000 } as const;
    account.send(placeOf('short-order', { ...on('isolated'), ...short }));
    await next(1);
    floor.quote('0', '8000.00', symbol);
    floor.index('8000', symbol);
    const [taken] = await next(1);
    expect(brief(taken)).toMatchObject({ end: 'deleveraged', lots: -10_000 });
    expect(taken?.forced).toMatchObject({ side: 'buy', lots: 90_000 });
    expect(reasons(ear).at(-1)).toContain('closeTrade');
    const exact = floor.venue.trading.exchange.margin.accounts(holder)[0]?.positions[0];
    const shown = [exact?.entryValue, exact?.realizedPnl].map((one) => one?.toFixed());
    const knownOf = (one: VenuePosition | undefined) =>
      [one?.entryValue, one?.realizedPnl].map((value) => value?.toFixed());
    expect(knownOf(taken?.position)).toEqual(shown);
    // Whoever was not there finds the same in the histories.
    const late = await hold(floor.venue);
    const { margin } = await wait(late.account.snapshot(OPENED));
    expect(knownOf(margin?.accounts[0]?.positions[0])).toEqual(shown);
  });
});
