import { describe, expect, it } from 'vitest';
import { micros } from '../../../../../src/platform/time.ts';
import { OPENED } from '../../../../server/kit.ts';
import { bitcoin, onMargin, openHarness, perpetual } from '../../../../server/margin/harness.ts';
import { cableTo } from '../../market/cable.ts';
import { accountAt, hold, placeOf, settled, until } from '../kit.ts';
import { brief, on, openScene, PERP, reasons, sceneOf, showPrices } from './kit.ts';

const BTC = { symbol: 'BTCUSDT', mode: 'isolated' } as const;

describe('the snapshot of margin accounts', () => {
  it('has accounts with their positions, active orders, ended ones and fills of every market', async () => {
    const { set, account, next, settled: wait, floor, ear } = await openScene();
    await set({ ...BTC, balance: '10000' });
    await set({ symbol: PERP, mode: 'cross', balance: '2000', leverage: '10' });
    account.send(placeOf('spot-order', { ticks: 4_000_000, lots: 1_000 }));
    account.send(placeOf('long-order', { ...on('isolated'), ticks: 5_000_000, lots: 10_000 }));
    const eth = { symbol: PERP, ticks: 2_999_000 } as const;
    account.send(placeOf('short-order', { ...on('cross'), ...eth, side: 'sell', lots: 1_000 }));
    account.send(placeOf('rest-order', { ...on('cross'), ...eth, ticks: 2_000_000, lots: 500 }));
    await next(2);
    await until(floor.venue, () => ear.story.includes('new rest-order'));
    const { orders, ended, fills, margin } = await wait(account.snapshot(OPENED));
    expect(orders.map(({ clientOrderId, margin: of }) => [clientOrderId, of?.mode])).toEqual([
      ['spot-order', undefined],
      ['rest-order', 'cross'],
    ]);
    expect(ended.map(({ clientOrderId }) => clientOrderId)).toEqual(['long-order', 'short-order']);
    expect(fills.map(({ clientOrderId, margin: mode }) => [clientOrderId, mode])).toEqual([
      ['long-order', 'isolated'],
      ['short-order', 'cross'],
    ]);
    expect(
      margin?.accounts.map(({ mode, isContract, symbol, currency, balance, positions }) => [
        ...[mode, isContract, symbol, currency, balance.toFixed()],
        positions.map(({ symbol: held, lots }) => [held, lots]),
      ]),
    ).toEqual([
      ['isolated', false, 'BTCUSDT', 'USDT', '9987.5', [['BTCUSDT', 10_000]]],
      ['cross', true, undefined, 'USDT', '1997.9007', [[PERP, -1_000]]],
    ]);
    expect([margin?.ended, margin?.carries]).toEqual([[], []]);
  });

  it('has what happened while disconnected: a liquidation, which is no fill, and the account as it is then', async () => {
    const floor = await openHarness();
    showPrices(floor);
    const { venue } = floor;
    const cable = await cableTo(venue);
    const holding = accountAt(venue, cable.url);
    await settled(venue, holding.account.open(holding.ear));
    const { set, account, next, ear } = sceneOf(floor, holding);
    await set({ ...BTC, balance: '1000', leverage: '10' });
    account.send(placeOf('long-order', { ...on('isolated'), ticks: 5_000_000, lots: 10_000 }));
    account.send(placeOf('rest-order', { ...on('isolated'), ticks: 4_000_000, lots: 1_000 }));
    await next(1);
    await until(venue, () => ear.story.includes('new rest-order'));
    const since = venue.scheduler.now();
    cable.cut();
    await until(venue, () => ear.kinds.at(-1) === 'lost');
    floor.quote('41000.00', '41001.00');
    const snapshot = account.snapshot(since, ['rest-order']);
    cable.mend();
    const { orders, ended, fills, margin } = await settled(venue, snapshot);
    expect(orders).toEqual([]);
    expect(ended.map(({ clientOrderId, status }) => [clientOrderId, status])).toEqual([
      ['long-order', 'filled'],
      ['rest-order', 'canceled'],
    ]);
    expect(fills.map(({ clientOrderId }) => clientOrderId)).toEqual(['long-order']);
    const [liquidated] = margin?.ended ?? [];
    expect(liquidated).toMatchObject({
      symbol: 'BTCUSDT',
      mode: 'isolated',
      end: 'liquidated',
      liquidatedLots: 10_000,
    });
    expect(liquidated?.realizedPnl?.toFixed()).toBe('-900');
    expect(liquidated?.fees?.toFixed()).toBe('227.75');
    await until(venue, () => ear.kinds.at(-1) === 'live');
    const [reported] = await next(1);
    expect(brief(reported)).toEqual({
      reason: 'updated',
      balance: reported?.account.balance.toFixed(),
    });
    expect(reported?.account.positions).toEqual([]);
    expect(reported?.account.balance.equals(margin?.accounts[0]?.balance ?? 1)).toBe(true);
  });

  it('has payments with what they were reckoned by, and a contract that was settled', async () => {
    const expiry = '2026-01-05T16:00:03Z';
    const dated = perpetual({ symbol: 'BTCUSDT_JAN', contractType: 'cash_settled', expiry });
    const exchange = { margin: { dailyRates: { USDT: '0.0003' } } };
    const instruments = [bitcoin(), perpetual({ margin: onMargin() }), dated];
    const scene = await openScene({ instruments, exchange }, '2026-01-05T15:59:58Z');
    const { set, account, next, settled: wait, floor } = scene;
    for (const symbol of ['BTCUSDT_PERP', 'BTCUSDT_JAN']) {
      floor.quote('49999.00', '50000.00', symbol);
      floor.index('50000', symbol);
    }
    await set({ ...BTC, balance: '10000' });
    await set({ symbol: 'BTCUSDT_PERP', mode: 'cross', balance: '10000' });
    for (const [symbol, mode] of [
      ['BTCUSDT', 'isolated'],
      ['BTCUSDT_PERP', 'cross'],
      ['BTCUSDT_JAN', 'cross'],
    ] as const) {
      const of = { symbol, ticks: 5_000_000, lots: 10_000 };
      account.send(placeOf(`long-${symbol}`, { ...on(mode), ...of }));
    }
    // Three trades, interest, funding and the settlement.
    await next(6);
    const { margin } = await wait(account.snapshot(OPENED));
    expect(
      margin?.carries.map(({ symbol, carry: { kind, amount, price, rate } }) => [
        ...[symbol, kind, amount.toFixed(), price?.toFixed(), rate?.toFixed()],
      ]),
    ).toEqual([
      ['BTCUSDT', 'interest', '-0.499995', '49999.5', '0.0003'],
      ['BTCUSDT_PERP', 'funding', '-0.5', '50000', '0.0001'],
    ]);
    expect(margin?.ended).toMatchObject([{ symbol: 'BTCUSDT_JAN', mode: 'cross', end: 'settled' }]);
  });

  it('knows what the record of an existing position lacks, and goes on from there', async () => {
    const exchange = { margin: { dailyRates: { USDT: '0.0003' } } };
    const floor = await openHarness({ exchange });
    const { venue } = floor;
    venue.scheduler.advanceTo(micros(Date.parse('2026-01-05T15:59:58Z') * 1_000));
    showPrices(floor);
    await floor.fund('10000');
    // It came of a short, and was made smaller since.
    await floor.order({ side: 'sell', quantity: '0.1', price: '49999' });
    await floor.order({ quantity: '0.3', price: '50000' });
    floor.quote('49999.00', '50000.01');
    await floor.order({ quantity: '0.1', price: '50000.01' });
    floor.quote('50100.00', '50101.00');
    await floor.order({ side: 'sell', quantity: '0.1', price: '50100' });
    venue.pass(4_000_000);
    const exact = venue.trading.exchange.margin.account(floor.account, 'BTCUSDT', 'isolated');
    const [position] = exact?.positions ?? [];
    const { account, next, settled: wait, ear } = sceneOf(floor, await hold(venue));
    const { margin } = await wait(account.snapshot(venue.scheduler.now()));
    const [held] = margin?.accounts[0]?.positions ?? [];
    expect(held).toMatchObject({ id: 2, lots: 20_000 });
    expect(held?.entryValue.toFixed()).toBe('10000.0006667');
    expect(held?.entryValue.toFixed()).toBe(position?.entryValue.toFixed());
    expect(held?.realizedPnl.toFixed()).toBe(position?.realizedPnl.toFixed());
    expect(held?.carry.toFixed()).toBe(position?.carry.toFixed());
    expect(held?.carry.isNegative()).toBe(true);
    expect(reasons(ear)).toEqual([`updated ${margin?.accounts[0]?.balance.toFixed() ?? ''}`]);
    account.send(placeOf('add-order', { ...on('isolated'), ticks: 5_010_100, lots: 1 }));
    const [more] = await next(1);
    expect(more?.position?.entryValue.toFixed()).toBe('10000.5016767');
    expect(more?.position?.carry.equals(held?.carry ?? 0)).toBe(true);
  });

  it('is of one moment: accounts are read again where they changed between', async () => {
    const { set, account, floor, settled: wait } = await openScene();
    await set({ ...BTC, balance: '1000' });
    let asked = 0;
    const { trading } = floor.venue;
    const before = trading.exchange.margin.accounts.bind(trading.exchange.margin);
    trading.exchange.margin.accounts = (trader) => {
      asked += 1;
      const accounts = before(trader);
      if (asked === 1) {
        const setting = { symbol: 'BTCUSDT', mode: 'isolated' } as const;
        const marginBalance = accounts[0].marginBalance.plus(500);
        void Promise.resolve().then(() => {
          trading.act(({ margin }, at) =>
            margin.set(floor.account, { ...setting, marginBalance }, at),
          );
        });
      }
      return accounts;
    };
    const { margin } = await wait(account.snapshot(OPENED));
    expect(margin?.accounts[0]?.balance.toFixed()).toBe('1500');
    // Margin and futures, twice around the histories, two times.
    expect(asked).toBe(8);
  });
});
