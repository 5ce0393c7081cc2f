import { describe, expect, it } from 'vitest';
import { decimal } from '../../../../../src/model/decimal.ts';
import { placeOf, until } from '../kit.ts';
import { brief, on, openScene, PERP } from './kit.ts';

const BTC = { symbol: 'BTCUSDT', mode: 'isolated' } as const;
const ETH = { symbol: PERP, mode: 'isolated' } as const;

describe('a margin account', () => {
  it('is opened, funded and closed from the spot balance, each answered by its report', async () => {
    const { set, ear, floor } = await openScene();
    expect(brief(await set({ ...BTC, balance: '1000' }))).toEqual({
      reason: 'created',
      balance: '1000',
    });
    expect(brief(await set({ ...BTC, balance: '400', leverage: '5' }))).toEqual({
      reason: 'marginChanged',
      balance: '400',
    });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '999600');
    expect(brief(await set({ ...BTC, balance: '0' }))).toEqual({
      reason: 'closed',
      balance: '0',
      isOpen: false,
    });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '1000000');
  });

  it('that already is as requested is reported unchanged', async () => {
    const { set } = await openScene();
    await set({ ...BTC, balance: '1000', leverage: '5' });
    const again = await set({ ...BTC, balance: '1000', leverage: '5' });
    expect(brief(again)).toEqual({ reason: 'marginChanged', balance: '1000' });
    await set({ ...BTC, balance: '0' });
    expect(brief(await set({ ...BTC, balance: '0' }))).toEqual({
      reason: 'marginChanged',
      balance: '0',
      isOpen: false,
    });
  });

  it(
    'can be traded on, and its position is reported with every trade',
    { tags: ['client:trading-v3.stream-trading.report-trade-fields'] },
    async () => {
      const { set, account, next, ear } = await openScene();
      await set({ ...BTC, balance: '10000' });
      account.send(placeOf('open-order', { ...on('isolated'), ticks: 5_000_000, lots: 10_000 }));
      const [opened] = await next(1);
      expect(brief(opened)).toEqual({ reason: 'openTrade', balance: '9987.5', lots: 10_000 });
      expect(opened?.position).toMatchObject({ symbol: 'BTCUSDT', lots: 10_000 });
      expect(opened?.position?.entryValue.toFixed()).toBe('5000');
      expect(opened?.position?.fees.toFixed()).toBe('12.5');
      const [trade] = ear.of('trade');
      expect(trade?.fill).toMatchObject({ margin: 'isolated', feeCurrency: 'USDT', lots: 10_000 });
      expect(trade?.order.margin).toEqual({ mode: 'isolated' });
      const sell = { side: 'sell', ticks: 4_999_900 } as const;
      account.send(placeOf('part-order', { ...on('isolated'), ...sell, lots: 4_000 }));
      expect(brief((await next(1))[0])).toMatchObject({ reason: 'closeTrade', lots: 6_000 });
      account.send(placeOf('turn-order', { ...on('isolated'), ...sell, lots: 16_000 }));
      const [turned] = await next(1);
      expect(brief(turned)).toMatchObject({ reason: 'flipTrade', lots: -10_000 });
      expect(turned?.position?.entryValue.toFixed()).toBe('4999.9');
      expect(turned?.position?.realizedPnl.toFixed()).toBe('0');
      const back = { ...on('isolated'), lots: 10_000, ticks: 5_000_000 };
      account.send(placeOf('close-order', back));
      const [ended] = await next(1);
      expect(brief(ended)).toMatchObject({ reason: 'closed', lots: 0, end: 'closed' });
      expect(ended?.position?.realizedPnl.toFixed()).toBe('-0.1');
    },
  );

  it('of futures is funded from spot by way of the derivatives balance, and gives back what it does not need', async () => {
    const { set, ear, floor } = await openScene();
    expect(brief(await set({ ...ETH, balance: '1000' }))).toEqual({
      reason: 'created',
      balance: '1000',
    });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '999000');
    expect(brief(await set({ ...ETH, balance: '300', leverage: '20' }))).toEqual({
      reason: 'marginChanged',
      balance: '300',
    });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '999700');
    await set({ ...ETH, balance: '0' });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '1000000');
    expect(await floor.done('GET', '/futures/balance/USDT')).toMatchObject({ available: '0' });
  });

  it('is there before an order that was asked for behind its setting', async () => {
    const { account, next, ear } = await openScene();
    for (const [of, size, price] of [
      [BTC, 10_000, 5_000_000],
      [ETH, 1_000, 3_000_000],
    ] as const) {
      const { symbol, mode } = of;
      account.margin?.set({ kind: 'setMargin', symbol, mode, balance: decimal('9000') });
      const order = { symbol, ...on(mode), ticks: price, lots: size };
      account.send(placeOf(`behind-${symbol}`, order));
      expect((await next(2)).map(brief)).toMatchObject([{ reason: 'created' }, { lots: size }]);
    }
    expect(ear.of('rejected')).toEqual([]);
  });

  it('is refused with a reason in our codes', async () => {
    const { set } = await openScene();
    const rejected = async (request: Parameters<typeof set>[0]) => brief(await set(request));
    expect(await rejected({ ...BTC, balance: '99000000' })).toEqual({
      rejected: 'funds-insufficient',
    });
    expect(await rejected({ ...ETH, balance: '99000000' })).toEqual({
      rejected: 'funds-insufficient',
    });
    expect(await rejected({ ...BTC, leverage: '3' })).toEqual({
      rejected: 'margin-account-unknown',
    });
    expect(await rejected({ symbol: 'ETHBTC', mode: 'cross', balance: '1' })).toEqual({
      rejected: 'margin-forbidden',
    });
  });
});
