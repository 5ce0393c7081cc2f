import { onTestFinished, describe, expect, it, test } from 'vitest';
import { RecordReader } from '../../../../src/gateways/trading/account/records.ts';
import { SnapshotReader } from '../../../../src/gateways/trading/account/snapshot.ts';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import { Random } from '../../../../src/platform/random.ts';
import { micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { instruments } from '../../../server/instruments.ts';
import { OPENED } from '../../../server/kit.ts';
import { openService, type Service } from '../market/service.ts';
import { settled } from './kit.ts';

const at = (seconds: number): string => `2026-01-05T10:00:${String(seconds).padStart(2, '0')}Z`;

const order = (executed: string, seconds: number, status = 'new'): Record<string, unknown> => ({
  id: 1,
  client_order_id: 'moving-order',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: '1',
  quantity_cumulative: executed,
  price: '100.00',
  post_only: false,
  created_at: at(0),
  updated_at: at(seconds),
  status,
});

const trade = (id: number, quantity: string): Record<string, unknown> => ({
  id,
  order_id: 1,
  client_order_id: 'moving-order',
  symbol: 'BTCUSDT',
  side: 'buy',
  quantity,
  price: '100.00',
  fee: '0.1',
  timestamp: at(id),
  taker: false,
});

const LOOK = [
  '/api/3/spot/order',
  '/api/3/spot/history/order?sort=DESC&limit=1000&by=id',
  '/api/3/spot/history/trade?sort=DESC&limit=1000&by=id',
  '/api/3/spot/balance',
  '/api/3/spot/order',
  '/api/3/spot/history/trade?sort=DESC&limit=1&by=id',
];

interface Scene {
  readonly service: Service;
  readonly warnings: unknown[];
  snapshot(skewUs?: number): Promise<Awaited<ReturnType<SnapshotReader['read']>>>;
}

async function scene(): Promise<Scene> {
  const timed = { scheduler: new VirtualScheduler(OPENED) };
  const service = await openService(timed);
  for (const path of ['order', 'history/order', 'history/trade', 'balance']) {
    service.answers.set(`/api/3/spot/${path}`, []);
  }
  const client = new TradingClient({
    url: service.url,
    scheduler: timed.scheduler,
    random: new Random(1),
    paced: false,
    credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' },
  });
  onTestFinished(() => client.close());
  const warnings: unknown[] = [];
  const records = new RecordReader((warning) => warnings.push(warning.code));
  records.know(instruments());
  const read = (skewUs = 0): ReturnType<SnapshotReader['read']> =>
    new SnapshotReader({
      client,
      records,
      now: () => timed.scheduler.now(),
      skewUs: () => Promise.resolve(skewUs),
      ask: (question) => question(),
    }).read(OPENED, []);
  return { service, warnings, snapshot: (skewUs) => settled(timed, read(skewUs)) };
}

describe('the snapshot of an account that does not stand still', () => {
  it('is read again until nothing happened between its parts', async () => {
    const { service, snapshot } = await scene();
    const [before, after] = [order('0', 0), order('0.5', 2, 'partiallyFilled')];
    const trades = [trade(2, '0.5')];
    service.next.push([before], [before], [], [], [after], trades);
    service.next.push([after], [after], trades, [], [after], trades);
    const { orders, fills } = await snapshot();
    expect(service.targets).toEqual([...LOOK, ...LOOK]);
    expect(orders).toMatchObject([{ filledLots: 50_000, status: 'partiallyFilled' }]);
    expect(fills).toMatchObject([{ id: 2, lots: 50_000 }]);
  });

  it('is taken as it is after three times, its trades ahead of its orders and never behind', async () => {
    const { service, snapshot } = await scene();
    for (const step of [1, 3, 5]) {
      const before = [order(`0.${step}`, step, 'partiallyFilled')];
      const after = [order(`0.${step + 1}`, step + 1, 'partiallyFilled')];
      service.next.push(before, before, [trade(step, '0.1')], [], after, []);
    }
    const { orders, fills } = await snapshot();
    expect(service.targets).toHaveLength(3 * LOOK.length);
    expect(orders).toMatchObject([{ filledLots: 50_000 }]);
    expect(fills.map(({ id }) => id)).toEqual([5]);
  });

  it('takes of two views of an order the later, whichever call has it', async () => {
    const { service, snapshot } = await scene();
    const [stale, fresh] = [order('0', 0), order('0.5', 2, 'partiallyFilled')];
    service.next.push([fresh], [stale], [], [], [fresh], []);
    expect((await snapshot()).orders).toMatchObject([{ filledLots: 50_000 }]);
    const ended = order('0.5', 2, 'canceled');
    service.next.push([fresh], [ended], [], [], [fresh], []);
    const { orders, ended: over } = await snapshot();
    expect([orders.length, over[0]?.status]).toEqual([0, 'canceled']);
  });

  it('leaves out an order that only a history that lags calls active', async () => {
    const { service, snapshot } = await scene();
    service.next.push([], [order('0', 0)], [], [], [], []);
    const { orders, ended } = await snapshot();
    expect([orders, ended]).toEqual([[], []]);
  });

  it('has a time that is ahead of neither clock', async () => {
    const { snapshot } = await scene();
    expect((await snapshot(5_000_000)).at).toBeGreaterThanOrEqual(OPENED);
    expect((await snapshot(-90_000_000)).at).toBeLessThan(micros(OPENED - 60_000_000));
  });

  it('leaves out what is off the grid, with a warning', async () => {
    const { service, snapshot, warnings } = await scene();
    const odd = { ...order('0', 0), price: '100.001' };
    const part = { ...trade(2, '0.000001') };
    service.next.push([odd], [], [part], [], [odd], [part]);
    const { orders, fills } = await snapshot();
    expect([orders, fills]).toEqual([[], []]);
    expect(warnings).toEqual(['off-grid', 'off-grid']);
  });

  test.each([
    ['orders', 'order', (id: number) => ({ ...order('0', 0), id })],
    ['trades', 'trade', (id: number) => trade(id, '0.5')],
  ])('is not read for ever where the history of %s has no end', async (what, path, row) => {
    const { service, snapshot } = await scene();
    const page = Array.from({ length: 1_000 }, (_, index) => ({
      ...row(5_000 - index),
      ...(what === 'orders' ? { created_at: at(30), updated_at: at(30) } : { timestamp: at(30) }),
    }));
    service.answers.set(`/api/3/spot/history/${path}`, page);
    await expect(snapshot()).rejects.toMatchObject({ code: 'answer-invalid', field: 'till' });
    expect(service.targets.length).toBeLessThan(10);
  });
});
