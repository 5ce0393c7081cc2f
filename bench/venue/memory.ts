import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client } from './client.ts';
import type { HostProcess } from './host-process.ts';
import { pump } from './measure.ts';
import { OrderStream } from './orders.ts';

/** Some 400 bytes are sent for each: more than the venue keeps and the system takes together. */
const REPORTS = 40_000;

/** Bytes that the venue holds for a socket that has logged in and follows its orders. */
export async function bytesPerConnection(host: HostProcess, connections: number): Promise<number> {
  // Whatever is made once is made by the first.
  await (await Client.trader(host.ports.venue, 'trader-0')).close();
  const before = await host.usage('collect');
  const clients: Client[] = [];
  for (let i = 0; i < connections; i += 1) {
    const client = await Client.trader(host.ports.venue, `trader-${i % 10}`);
    await client.ask('spot_subscribe', {});
    clients.push(client);
  }
  const after = await host.usage('collect');
  await Promise.all(clients.map((client) => client.close()));
  return (after.heldBytes - before.heldBytes) / connections;
}

export interface SlowReader {
  /** Bytes that were on their way to the reader when it was dropped. */
  readonly readBytes: number;
  /** Whether it could read why. */
  readonly isReported: boolean;
  /** How much more the venue held for it, beside what it holds of the orders themselves. */
  readonly grownBytes: number;
}

/** A text frame with a mask of zeros. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const length = [payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([0x81, 0x80 | 126, ...length, 0, 0, 0, 0]), payload]);
}

/** A client that follows the orders of a trader, and stops to read. */
async function silentReader(port: number, name: string): Promise<Socket> {
  const raw = connect(port, '127.0.0.1');
  raw.write(
    'GET /api/3/ws/trading HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n' +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(raw, 'data');
  const params = { type: 'BASIC', api_key: name, secret_key: name };
  raw.write(frame(JSON.stringify({ method: 'login', params })));
  await once(raw, 'data');
  raw.write(frame(JSON.stringify({ method: 'spot_subscribe', id: 1 })));
  await once(raw, 'data');
  raw.pause();
  return raw;
}

/** How much more the venue holds when a trader has placed and canceled so many orders. */
async function growth(host: HostProcess, trader: Client, stream: OrderStream): Promise<number> {
  const before = await host.usage('collect');
  await pump(trader, 0, REPORTS, { underWay: 100, next: () => stream.placeAndCancel() });
  const after = await host.usage('collect');
  return after.heldBytes - before.heldBytes;
}

/** A reader who stops to read while orders are reported to it. */
export async function slowReader(host: HostProcess): Promise<SlowReader> {
  const name = 'trader-14';
  const trader = await Client.trader(host.ports.venue, name);
  const stream = new OrderStream('slow');
  const plain = await growth(host, trader, stream);
  const slow = await silentReader(host.ports.venue, name);
  const withReader = await growth(host, trader, stream);
  let readBytes = 0;
  let isReported = false;
  slow.on('data', (chunk: Buffer) => {
    readBytes += chunk.length;
    isReported ||= chunk.includes('does not fit');
    if (isReported) slow.destroy();
  });
  slow.resume();
  await once(slow, 'close');
  await trader.close();
  return { readBytes, isReported, grownBytes: withReader - plain };
}
