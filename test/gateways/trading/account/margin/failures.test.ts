import { describe, expect, it } from 'vitest';
import { decimal } from '../../../../../src/model/decimal.ts';
import { faultPlan } from '../../../../../src/server/faults/plan.ts';
import { ALL_RIGHTS } from '../../../../server/kit.ts';
import { openHarness } from '../../../../server/margin/harness.ts';
import { cableTo } from '../../market/cable.ts';
import { accountAt, hold, placeOf, settled, until } from '../kit.ts';
import { brief, on, openScene, PERP, reasons, sceneOf, showPrices } from './kit.ts';
import { eachRow } from '../../../../conformance/each-row.ts';

const BTC = { symbol: 'BTCUSDT', mode: 'isolated' } as const;
const ETH = { symbol: PERP, mode: 'isolated' } as const;
const trading = { socket: '/api/3/ws/trading' } as const;
const TRANSFER = '/api/3/wallet/transfer';

/** Replies before the first to a request. */
const SUBSCRIBED = 5;

describe('a setting of a margin account', () => {
  it("whose answer does not come may be said again, and is not taken for others' doing", async () => {
    const drop = {
      ...trading,
      topic: 'reply',
      skip: SUBSCRIBED,
      count: 1,
      fault: { kind: 'drop' },
    };
    const notice = { ...trading, topic: 'margin_account', count: 1, fault: { kind: 'drop' } };
    const { set, ear } = await openScene({ faults: { streams: [drop, notice] } as never });
    const unknownOutcome = await set({ ...BTC, balance: '1000' });
    expect(brief(unknownOutcome)).toEqual({ rejected: 'outcome-unknown' });
    expect(unknownOutcome).toMatchObject({
      rejection: { message: expect.stringContaining('again') },
    });
    expect(brief(await set({ ...BTC, balance: '1000' }))).toMatchObject({ balance: '1000' });
    expect(reasons(ear)).toEqual([
      'rejected outcome-unknown',
      'updated 1000',
      'marginChanged 1000',
    ]);
  });

  it('is rejected where nothing leaves', async () => {
    const floor = await openHarness();
    const cable = await cableTo(floor.venue);
    const holding = accountAt(floor.venue, cable.url);
    await settled(floor.venue, holding.account.open(holding.ear));
    const { set, ear } = sceneOf(floor, holding);
    cable.cut();
    await until(floor.venue, () => ear.kinds.at(-1) === 'lost');
    expect(brief(await set({ ...BTC, balance: '1000' }))).toEqual({
      rejected: 'venue-unreachable',
    });
  });

  it('of futures that is refused leaves the spot balance as it was', async () => {
    const { set, ear, floor } = await openScene();
    const rejected = await set({ ...ETH, balance: '1000', leverage: '500' });
    expect(brief(rejected)).toMatchObject({ rejected: 'request-invalid' });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '1000000');
    expect(await floor.done('GET', '/futures/balance/USDT')).toMatchObject({ available: '0' });
  });

  it('of futures brings its funds from spot, and leaves in derivatives what is not its own', async () => {
    const { set, ear, floor } = await openScene();
    floor.derive('700');
    await set({ ...ETH, balance: '1000' });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '999000');
    await set({ ...ETH, balance: '0' });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '1000000');
    expect(await floor.done('GET', '/futures/balance/USDT')).toMatchObject({ available: '700' });
  });

  it('of futures uses what lies in derivatives where the spot balance does not cover it', async () => {
    const { set, ear, floor } = await openScene();
    floor.derive('700');
    expect(brief(await set({ ...ETH, balance: '1000500' }))).toMatchObject({ reason: 'created' });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '200');
    expect(await floor.done('GET', '/futures/balance/USDT')).toMatchObject({ available: '0' });
  });

  it('of futures whose transfer has an unknown outcome uses what it brought', async () => {
    const cut = { path: TRANSFER, when: 'after', count: 1, fault: { kind: 'cut' } };
    const { set, ear, floor } = await openScene({ faults: { http: [cut] } as never });
    expect(brief(await set({ ...ETH, balance: '1000' }))).toMatchObject({ reason: 'created' });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '999000');
    expect(await floor.done('GET', '/futures/balance/USDT')).toMatchObject({ available: '0' });
  });

  it('of futures whose answer is lost moves nothing twice when it is said again', async () => {
    const drop = {
      ...trading,
      topic: 'reply',
      skip: SUBSCRIBED,
      count: 1,
      fault: { kind: 'drop' },
    };
    const { next, account, set, ear, floor } = await openScene({
      faults: { streams: [drop] } as never,
    });
    account.margin?.set({ kind: 'setMargin', ...ETH, balance: decimal('1000') });
    expect((await next(2)).map(brief)).toEqual([
      { reason: 'created', balance: '1000' },
      { rejected: 'outcome-unknown' },
    ]);
    expect(brief(await set({ ...ETH, balance: '1000' }))).toMatchObject({ balance: '1000' });
    expect(brief(await set({ ...ETH, balance: '0' }))).toMatchObject({ isOpen: false });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '1000000');
  });

  it('says which right a key lacks that may not move funds', async () => {
    const floor = await openHarness();
    showPrices(floor);
    const rights = ALL_RIGHTS.filter((one) => one !== 'payment');
    floor.venue.join('trader', { rights });
    const { set } = sceneOf(floor, await hold(floor.venue, 'trader'));
    const answer = await set({ ...ETH, balance: '1000' });
    expect(answer).toMatchObject({
      rejection: { message: expect.stringContaining('"Payment information"') },
    });
    expect(brief(await set({ ...BTC, balance: '1000' }))).toMatchObject({ reason: 'created' });
  });

  it('of futures warns where funds do not come back, and brings them back with the next', async () => {
    const { set, ear, floor, warnings } = await openScene({ faults: {} });
    await set({ ...ETH, balance: '1000' });
    const busy = { path: TRANSFER, count: 1, fault: { kind: 'answer', status: 503 } } as const;
    floor.venue.faults?.play(faultPlan.parse({ http: [busy] }));
    await set({ ...ETH, balance: '400' });
    await until(floor.venue, () => warnings.length > 0);
    expect(warnings.at(-1)?.message).toContain('lie in the derivatives balance');
    await set({ ...ETH, balance: '300' });
    await until(floor.venue, () => ear.balance('USDT')?.[0] === '999700');
  });
});

describe('margin accounts after a loss of the connection', () => {
  it('are all reported before the account is connected, and those that are gone as closed', async () => {
    const floor = await openHarness();
    showPrices(floor);
    const { venue } = floor;
    const cable = await cableTo(venue);
    const holding = accountAt(venue, cable.url);
    await settled(venue, holding.account.open(holding.ear));
    const { set, account, next, ear } = sceneOf(floor, holding);
    await set({ ...BTC, balance: '10000' });
    await set({ symbol: 'ETHUSDT', mode: 'isolated', balance: '500' });
    account.send(placeOf('long-order', { ...on('isolated'), ticks: 5_000_000, lots: 10_000 }));
    await next(1);
    cable.cut();
    await until(venue, () => ear.kinds.at(-1) === 'lost');
    await floor.fund('0', 'ETHUSDT');
    await floor.order({ side: 'sell', quantity: '0.04', price: '49999' });
    cable.mend();
    await until(venue, () => ear.kinds.at(-1) === 'live');
    const [held, gone] = await next(2);
    expect(brief(held)).toMatchObject({ reason: 'updated' });
    expect(held?.account.positions).toMatchObject([{ symbol: 'BTCUSDT', lots: 6_000 }]);
    expect(gone?.account).toMatchObject({ symbol: 'ETHUSDT', isOpen: false, positions: [] });
    // What happens from here on is told as ever.
    await floor.order({ side: 'sell', quantity: '0.06', price: '49999' });
    expect(brief((await next(1))[0])).toMatchObject({ end: 'closed', byOthers: true });
  });

  eachRow('client:trading-v3.stream-trading.', [
    ['margin-get-accounts', 'margin', BTC],
    ['futures-get-accounts', 'futures', ETH],
  ])(
    '%s accounts are asked for where the service does not tell them by itself',
    async (market, place) => {
      const drop = { ...trading, topic: `${market}_accounts`, count: 1, fault: { kind: 'drop' } };
      const { ear, set } = await openScene({ faults: { streams: [drop] } as never });
      expect(ear.kinds.at(-1)).toBe('live');
      expect(brief(await set({ ...place, balance: '10' }))).toMatchObject({ reason: 'created' });
    },
  );
});

describe('a service without margin', () => {
  it.each([403, 404])('that answers %s for its terms is traded on spot as ever', async (status) => {
    const paths = ['/api/3/margin/config', '/api/3/futures/config'];
    const http = paths.map((path) => ({ path, fault: { kind: 'answer', status } }));
    const { account, ear, floor } = await openScene({ faults: { http } as never });
    expect(account.margin).toBeUndefined();
    expect(account.instruments.map(({ symbol }) => symbol)).toEqual([
      'BTCUSDT',
      'ETHUSDT',
      'ETHBTC',
    ]);
    account.send(placeOf('spot-order', { ticks: 100 }));
    await until(floor.venue, () => ear.story.length === 1);
    const snapshot = await settled(floor.venue, account.snapshot(floor.venue.scheduler.now()));
    expect(snapshot.margin).toBeUndefined();
  });
});
