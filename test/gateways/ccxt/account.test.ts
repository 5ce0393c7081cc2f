import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { madeGateway, type Gateway } from '../../../src/gateways/own/gateway.ts';
import type { NewOrder } from '../../../src/model/order.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { systemRandom } from '../../../src/platform/system-random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros, US_PER_MINUTE } from '../../../src/platform/time.ts';
import { Hop } from '../../bot/faults/hop.ts';
import { openTrialVenue, type TrialVenue } from '../../bot/kill/venue.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { Ear as AccountEar } from '../trading/account/kit.ts';
import { Ear as MarketEar } from '../trading/market/kit.ts';
import { hitbtcAt } from './hitbtc.ts';

/** A lively venue, which other clients than ccxt's speak with too. */
let venue: TrialVenue;
const scheduler = new SystemScheduler();

beforeAll(async () => {
  venue = await openTrialVenue();
});

afterAll(async () => {
  await venue.close();
});

/** A gateway to the venue through something that can be cut, and what it logs. */
async function gateway(): Promise<{ gateway: Gateway; hop: Hop; warned: string[] }> {
  const hop = await Hop.open(venue.port);
  const warned: string[] = [];
  const log = { debug: () => undefined, info: () => undefined, warn: (line: string) => void warned.push(line) }; // prettier-ignore
  const module = hitbtcAt(`127.0.0.1:${hop.port}`, 'bot', ['BTC/USDT']);
  const made = await madeGateway(module, { scheduler, random: systemRandom(), log });
  onTestFinished(async () => {
    await made.account.close();
    await made.market.close();
    await made.close?.();
    hop.close();
  });
  return { gateway: made, hop, warned };
}

let count = 0;
const nextId = (): string => `trial-${String((count += 1)).padStart(7, '0')}`;

/** A limit order far from the market, or with `more` another. */
const place = (more: Partial<NewOrder> = {}): OrderRequest & NewOrder => ({
  kind: 'place',
  clientOrderId: nextId(),
  symbol: 'BTC/USDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  postOnly: false,
  lots: lots(1_000),
  ticks: ticks(1_000_000),
  ...more,
});

const kindsOf = (ear: AccountEar, clientOrderId: string): readonly string[] =>
  ear.story.filter((line) => line.endsWith(clientOrderId)).map((line) => line.split(' ')[0] ?? '');

describe('an account by ccxt', () => {
  test('reports orders, cancels, replacements and fills as the venue has them', async () => {
    const { gateway: made, warned } = await gateway();
    const ear = new AccountEar();
    await made.account.open(ear);
    expect(ear.kinds.at(-1)).toBe('live');
    const [resting, replaced, taking] = [place(), place(), place({ type: 'market', timeInForce: 'FOK', ticks: undefined })]; // prettier-ignore
    const successor = nextId();
    for (const order of [resting, replaced, taking]) made.account.send(order);
    const { symbol } = resting;
    made.account.send({ kind: 'cancel', clientOrderId: resting.clientOrderId, symbol });
    const { clientOrderId } = replaced;
    made.account.send({ kind: 'replace', clientOrderId, newClientOrderId: successor, symbol, lots: lots(2_000), ticks: ticks(1_000_001) }); // prettier-ignore
    await vi.waitFor(() => {
      expect(kindsOf(ear, resting.clientOrderId)).toEqual(['new', 'canceled']);
      expect(kindsOf(ear, taking.clientOrderId)).toContain('trade');
      expect(kindsOf(ear, successor)).toEqual(['replaced']);
    }, PATIENCE);
    const fills = ear.of('trade').map(({ fill }) => fill);
    const trades = await venue.client.rest.getSpotTradeHistory({});
    expect(fills.map(({ id, fee, feeCurrency, taker }) => [id, fee.toFixed(), feeCurrency, taker])).toEqual(
      trades.toReversed().map(({ id, fee }) => [id, fee.toFixed(), 'USDT', true]),
    ); // prettier-ignore
    const { orders } = await made.account.snapshot(micros(scheduler.now() - US_PER_MINUTE));
    expect(orders).toMatchObject([{ clientOrderId: successor, originalClientOrderId: clientOrderId, lots: 2_000, ticks: 1_000_001 }]); // prettier-ignore
    await vi.waitFor(async () => {
      const [btc] = (await venue.client.rest.getSpotBalances()).filter((one) => one.currency === 'BTC'); // prettier-ignore
      expect(ear.balance('BTC')).toEqual([btc.available.toFixed(), btc.reserved.toFixed()]);
    }, PATIENCE);
    made.account.send({ kind: 'cancel', clientOrderId: successor, symbol });
    await vi.waitFor(() => expect(kindsOf(ear, successor)).toContain('canceled'), PATIENCE);
    expect(warned).toEqual([]);
  }, 60_000);

  test('rejects what the venue rejects, with the reason', async () => {
    const { gateway: made } = await gateway();
    const ear = new AccountEar();
    await made.account.open(ear);
    const [dear, crossing] = [
      place({ lots: lots(9e11) }),
      place({ clientOrderId: 'trial-0000001' }),
    ];
    made.account.send(dear);
    made.account.send(crossing);
    made.account.send({ kind: 'cancel', clientOrderId: 'never-there', symbol: 'BTC/USDT' });
    await vi.waitFor(() => expect(ear.of('rejected')).toHaveLength(3), PATIENCE);
    const codes = new Map(ear.of('rejected').map((one) => [one.clientOrderId, one.rejection.code]));
    expect(codes.get(dear.clientOrderId)).toBe('funds-insufficient');
    expect(codes.get('trial-0000001')).toBe('request-invalid');
    expect(codes.get('never-there')).toBe('order-unknown');
  }, 60_000);

  test('reports outcome-unknown when an answer was lost, and finds the order afterwards', async () => {
    const { gateway: made, hop } = await gateway();
    const ear = new AccountEar();
    await made.account.open(ear);
    // No stream names the orders first: the snapshot alone can.
    hop.refuses = (path) => path.includes('trading');
    hop.cut();
    await vi.waitFor(() => expect(ear.kinds).toContain('lost'), PATIENCE);
    hop.answers = (method, path) => !(method === 'POST' && path.includes('/spot/order'));
    const orders = [
      place(),
      place(),
      place({ type: 'market', timeInForce: 'FOK', ticks: undefined }),
    ];
    for (const order of orders) made.account.send(order);
    const names = orders.map(({ clientOrderId }) => clientOrderId);
    await vi.waitFor(() => {
      for (const name of names) expect(kindsOf(ear, name)).toEqual(['outcome-unknown']);
    }, PATIENCE);
    hop.answers = () => true;
    hop.refuses = () => false;
    const since = micros(scheduler.now() - US_PER_MINUTE);
    const { orders: open, ended, fills } = await made.account.snapshot(since, names);
    expect(open.map((one) => one.clientOrderId).sort()).toEqual(names.slice(0, 2));
    expect(ended.find((one) => one.clientOrderId === names[2])).toMatchObject({ status: 'filled' });
    expect(fills.filter((one) => one.clientOrderId === names[2])).not.toEqual([]);
    await vi.waitFor(() => expect(ear.kinds.at(-1) === 'live' || ear.kinds.lastIndexOf('live') > ear.kinds.lastIndexOf('lost')).toBe(true), PATIENCE); // prettier-ignore
    await venue.client.rest.cancelSpotOrders({});
    await vi.waitFor(() => {
      for (const name of names.slice(0, 2))
        expect(kindsOf(ear, name)).toEqual(['outcome-unknown', 'new', 'canceled']);
      expect(kindsOf(ear, names[2])).toEqual(
        expect.arrayContaining(['outcome-unknown', 'new', 'trade']),
      );
    }, PATIENCE);
  }, 90_000);
});

describe('a market by ccxt', () => {
  test('is the book and trades of the venue, and starts again behind a gap after a cut', async () => {
    const { gateway: made, hop } = await gateway();
    const [instrument] = (await made.instruments?.()) ?? [];
    const ear = new MarketEar();
    await made.market.open([{ instrument, trades: true, book: 'full', candles: 'M1' }], ear);
    await vi.waitFor(() => {
      expect(ear.hearings).toEqual(['0 live']);
      expect(ear.of('trade').length).toBeGreaterThan(5);
      expect(ear.of('level').length).toBeGreaterThan(50);
    }, PATIENCE);
    hop.cut();
    await vi.waitFor(() => {
      expect(ear.hearings.slice(0, 2)).toEqual(['0 live', '0 lost']);
      expect(ear.hearings.at(-1)).toBe('0 live');
      expect(ear.of('reset').length).toBeGreaterThan(1);
    }, PATIENCE);
    const kinds = ear.kinds();
    expect(kinds.indexOf('gap')).toBeGreaterThan(kinds.indexOf('level'));
    const ids = ear.of('trade').map(({ sequence }) => sequence);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    const history = await made.market.history(instrument, 'M1', micros(scheduler.now() - 10 * US_PER_MINUTE), scheduler.now()); // prettier-ignore
    expect(history.length).toBeGreaterThanOrEqual(0);
  }, 60_000);
});
