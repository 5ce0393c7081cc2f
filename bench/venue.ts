import { exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { Client } from './venue/client.ts';
import { HostProcess } from './venue/host-process.ts';
import { latency, throughput, type Rate } from './venue/measure.ts';
import { OrderStream } from './venue/orders.ts';

const ORDERS = 100_000;
/** Messages of each socket that are under way at once. */
const UNDER_WAY = 100;
/** Figures are the medians of so many rounds, as the machine may be busy with other things. */
const ROUNDS = 3;

export async function venueBench(options: readonly string[]): Promise<void> {
  const { orders, json } = read(options);
  const host = await HostProcess.start();
  try {
    const echo = await echoRate(host, orders);
    stdout.write(`${JSON.stringify(echo)}\n`);
    const one = await orderRate(host, orders, 1);
    stdout.write(`${JSON.stringify(one)}\n`);
    const ten = await orderRate(host, orders, 10);
    stdout.write(`${JSON.stringify(ten)}\n`);
    if (json) stdout.write(`${JSON.stringify({ bench: 'venue', echo, one, ten })}\n`);
  } finally {
    await host.stop();
  }
}
async function echoRate(host: HostProcess, messages: number): Promise<Rate> {
  const client = await Client.open(host.ports.echo);
  const stream = new OrderStream('echo');
  const rate = await throughput(host, [client], {
    messages,
    underWay: UNDER_WAY,
    next: () => stream.place(),
  });
  await client.close();
  return rate;
}
async function orderRate(host: HostProcess, messages: number, sockets: number): Promise<Rate> {
  const names = Array.from({ length: sockets }, (_, index) => `trader-${index}`);
  const clients = await Promise.all(names.map((name) => Client.trader(host.ports.venue, name)));
  const streams = names.map((name) => new OrderStream(`${name}-${sockets}`));
  const rate = await throughput(host, clients, {
    messages,
    underWay: UNDER_WAY,
    next: (client) => streams[client].place(),
  });
  await Promise.all(clients.map((client) => client.close()));
  return rate;
}

function read(options: readonly string[]): { orders: number; json: boolean } {
  const { values } = parseArgs({
    args: [...options],
    options: { orders: { type: 'string' }, json: { type: 'boolean' } },
    strict: true,
  });
  const given = values.orders;
  const orders = given === undefined ? ORDERS : Number(given.replaceAll('_', ''));
  if (!Number.isSafeInteger(orders) || orders < 1_000) {
    stderr.write(`--orders is ${String(given)}; give a whole number of at least 1000.\n`);
    exit(2);
  }
  return { orders, json: values.json === true };
}
