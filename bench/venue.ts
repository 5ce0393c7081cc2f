import { mkdtempSync, rmSync } from 'node:fs';
import { exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { Client } from './venue/client.ts';
import { HostProcess } from './venue/host-process.ts';
import { latency, throughput, type Latency, type Rate } from './venue/measure.ts';
import { bytesPerConnection, slowReader, type SlowReader } from './venue/memory.ts';
import { OrderStream } from './venue/orders.ts';
import { marketDataRate } from './venue/subscribers.ts';

const ORDERS = 50_000;
/** Messages of each socket that are under way at once. */
const UNDER_WAY = 100;
/** Figures are the medians of so many rounds, as the machine may be busy with other things. */
const ROUNDS = 3;
/** Fewer orders than these, as in a test, are measured once and without a warm-up: their figures say little anyway. */
const VALUE_ROUNDS = 10_000;
/** Sockets that are open at once where memory is measured, and orders for each where there are few. */
const CONNECTIONS = 500;
const ORDERS_PER_CONNECTION = 10;
/** Half of the rate that is aimed at. */
const STEADY_PER_SECOND = 10_000;
/** Orders of the part that measures market data: each is sent to a hundred sockets. */
const BOOK_PART = 0.04;

interface Speed {
  readonly echo: Rate;
  readonly oneSocket: Rate;
  readonly tenSockets: Rate;
  /** Messages of the venue over one socket as a part of those of the echo, of one core. */
  readonly ratio: number;
  readonly echoLatency: Latency;
  readonly orderLatency: Latency;
  readonly marketData: Rate;
}

interface Figures extends Speed {
  readonly bytesPerConnection: number;
  readonly slowReader: SlowReader;
}

/**
 * The venue in a process of its own, without limits, and the load in this one: orders over one
 * socket and over ten, how long an answer takes at half the rate that is aimed at, market data to a
 * hundred sockets, memory, and a reader who stops to read. A bare `ws` server in the same process,
 * which sends back what it receives, says what sockets alone cost on this machine now. With `--data` the
 * venue keeps its state while its speed is measured.
 */
export async function venueBench(options: readonly string[]): Promise<void> {
  const { orders, json, data } = read(options);
  const speed = await hosted((host) => measure(host, orders), data);
  // What earlier orders have left would be taken for what connections hold.
  const connections = Math.min(CONNECTIONS, Math.round(orders / ORDERS_PER_CONNECTION));
  const bytes = await hosted((host) => bytesPerConnection(host, connections));
  const reader = await hosted(slowReader);
  const figures: Figures = { ...speed, bytesPerConnection: bytes, slowReader: reader };
  show(figures);
  if (json) stdout.write(`${JSON.stringify({ bench: 'venue', orders, ...figures })}\n`);
}

/** Measures a host of its own. */
async function hosted<T>(work: (host: HostProcess) => Promise<T>, keeps = false): Promise<T> {
  const folder = keeps ? mkdtempSync('venue-bench-') : undefined;
  const host = await HostProcess.start(folder);
  try {
    return await work(host);
  } finally {
    await host.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}

async function measure(host: HostProcess, orders: number): Promise<Speed> {
  const rounds: Record<'echo' | 'one' | 'ten', Rate>[] = [];
  // The first round is for V8 to get to know the code.
  const last = orders < VALUE_ROUNDS ? 1 : ROUNDS;
  for (let round = orders < VALUE_ROUNDS ? 1 : 0; round <= last; round += 1) {
    const echo = await echoRate(host, orders);
    const one = await orderRate(host, orders, 1, round);
    const ten = await orderRate(host, orders, 10, round);
    if (round > 0) rounds.push({ echo, one, ten });
  }
  const median = (of: (one: (typeof rounds)[number]) => number): number => {
    const sorted = rounds.map(of).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)];
  };
  const rate = (name: 'echo' | 'one' | 'ten'): Rate => ({
    perSecond: median((round) => round[name].perSecond),
    perCoreSecond: median((round) => round[name].perCoreSecond),
  });
  return {
    echo: rate('echo'),
    oneSocket: rate('one'),
    tenSockets: rate('ten'),
    ratio: median(({ echo, one }) => one.perCoreSecond / echo.perCoreSecond),
    ...(await latencies(host, orders)),
    marketData: await marketDataRate(host, Math.round(BOOK_PART * orders)),
  };
}

async function echoRate(host: HostProcess, messages: number): Promise<Rate> {
  const client = await Client.open(host.ports.echo);
  const stream = new OrderStream('echo');
  const next = (): string => stream.place();
  const rate = await throughput(host, [client], { messages, underWay: UNDER_WAY, next });
  await client.close();
  return rate;
}

async function orderRate(
  host: HostProcess,
  messages: number,
  sockets: number,
  round: number,
): Promise<Rate> {
  const names = Array.from({ length: sockets }, (_, index) => `trader-${index}`);
  const clients = await Promise.all(names.map((name) => Client.trader(host.ports.venue, name)));
  const streams = names.map(() => new OrderStream(`r${round}-${sockets}`));
  const next = (client: number): string => streams[client].place();
  const rate = await throughput(host, clients, { messages, underWay: UNDER_WAY, next });
  for (const client of clients) await client.ask('spot_cancel_orders', {});
  await Promise.all(clients.map((client) => client.close()));
  return rate;
}

async function latencies(
  host: HostProcess,
  messages: number,
): Promise<{ echoLatency: Latency; orderLatency: Latency }> {
  const stream = new OrderStream('steady');
  const run = { messages, perSecond: STEADY_PER_SECOND, next: () => stream.place() };
  const echo = await Client.open(host.ports.echo);
  const echoLatency = await latency(echo, run);
  const trader = await Client.trader(host.ports.venue, 'trader-13');
  const orderLatency = await latency(trader, run);
  await Promise.all([echo.close(), trader.close()]);
  return { echoLatency, orderLatency };
}

function show(figures: Figures): void {
  const { echo, oneSocket, tenSockets, ratio, echoLatency, orderLatency } = figures;
  const rate = ({ perSecond, perCoreSecond }: Rate): string =>
    `${perSecond.toFixed(0)} a second, ${perCoreSecond.toFixed(0)} for a second of one core`;
  const took = ({ p50Ms, p99Ms }: Latency): string =>
    `half within ${p50Ms.toFixed(2)} ms, 99% within ${p99Ms.toFixed(2)} ms`;
  const { readBytes, isReported, grownBytes } = figures.slowReader;
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  const lines = [
    `bare ws echo:              ${rate(echo)}`,
    `orders over one socket:    ${rate(oneSocket)} (${(100 * ratio).toFixed(0)}% of the echo)`,
    `orders over ten sockets:   ${rate(tenSockets)}`,
    `echo at ${STEADY_PER_SECOND} a second:   ${took(echoLatency)}`,
    `orders at ${STEADY_PER_SECOND} a second: ${took(orderLatency)}`,
    `market data to 100:        ${rate(figures.marketData)}`,
    `memory of a connection:    ${(figures.bytesPerConnection / 1e3).toFixed(1)} kB`,
    `slow reader:               ${isReported ? 'reported and dropped' : 'not reported'} with ${megabytes(readBytes)} on the way, the venue holding ${megabytes(grownBytes)} more`,
  ];
  stdout.write(`${lines.join('\n')}\n`);
}

function read(options: readonly string[]): { orders: number; json: boolean; data: boolean } {
  const { values } = parseArgs({
    args: [...options],
    options: { orders: { type: 'string' }, json: { type: 'boolean' }, data: { type: 'boolean' } },
    strict: true,
  });
  const given = values.orders;
  const orders = given === undefined ? ORDERS : Number(given.replaceAll('_', ''));
  if (!Number.isSafeInteger(orders) || orders < 1_000) {
    stderr.write(`--orders is ${String(given)}; give a whole number of at least 1000.\n`);
    exit(2);
  }
  return { orders, json: values.json === true, data: values.data === true };
}
