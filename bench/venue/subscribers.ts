import { elapsedNs } from '../../src/platform/stopwatch.ts';
import { Client } from './client.ts';
import type { HostProcess } from './host-process.ts';
import { pump, type Rate } from './measure.ts';
import { OrderStream } from './orders.ts';

/** Sockets that follow the book. */
const SUBSCRIBERS = 100;

/** Every change of the book goes to a hundred subscribers: how many messages the venue sends. */
export async function marketDataRate(host: HostProcess, orders: number): Promise<Rate> {
  const clients = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, () => Client.open(host.ports.venue, '/api/3/ws/public')),
  );
  const params = { symbols: ['BTCUSDT'] };
  for (const client of clients) await client.ask('subscribe', params, { ch: 'orderbook/full' });
  const trader = await Client.trader(host.ports.venue, 'trader-15');
  const stream = new OrderStream('book');
  const receivedBefore = clients.reduce((sum, { received }) => sum + received, 0);
  const before = await host.usage();
  const start = elapsedNs();
  await pump(trader, 0, orders, { underWay: 1, next: () => stream.place() });
  const after = await host.usage();
  const tookNs = elapsedNs() - start;
  const received = clients.reduce((sum, client) => sum + client.received, 0) - receivedBefore;
  await Promise.all([trader, ...clients].map((client) => client.close()));
  return {
    perSecond: (1e9 * received) / tookNs,
    perCoreSecond: (1e9 * received) / (after.busyNs - before.busyNs),
  };
}
