import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import process, { exit } from 'node:process';
import { WebSocket, WebSocketServer } from 'ws';
import { Decimal } from '../../src/model/decimal.ts';
import { Instrument } from '../../src/model/instrument.ts';
import { elapsedNs } from '../../src/platform/stopwatch.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { micros, US_PER_MS } from '../../src/platform/time.ts';
import { TradingService } from '../../src/server/trading/service.ts';
import { Venue } from '../../src/server/venue.ts';
import { RIGHTS, type Right } from '../../src/wire/trading/rights.ts';

/** What the bench asks of the process of the market. */
export type MarketOrder =
  /** Frames that each ask the bot for an order; answered by how long each took, in microseconds. */
  | { readonly kind: 'asking'; readonly perSecond: number; readonly count: number }
  /** Frames that ask for nothing; answered by how many were sent. */
  | { readonly kind: 'flood'; readonly perSecond: number; readonly seconds: number };

export type MarketAnswer =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'asked'; readonly latenciesUs: readonly number[] }
  | { readonly kind: 'flooded'; readonly sent: number };

const INSTRUMENT = new Instrument({
  symbol: 'BTCUSDT',
  type: 'spot',
  baseCurrency: 'BTC',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.00001',
  takeRate: '0.0025',
  makeRate: '0.0012',
  feeCurrency: 'USDT',
});

/** Bids that ask for an order stand 5,000 tick steps apart from each other at most; the order shows which. */
const FIRST_TICKS = 5_000_000;
const STEPS = 5_000;
/** By so many ticks the strategy's order is below the bid that asks for it. */
export const BELOW_TICKS = 1_000_000;
/** Sizes of the bid that moves, in lots: they tell the strategy what to do. */
export const ASKING_LOTS = 50_000;
const QUIET_LOTS = 40_000;

const scheduler = new SystemScheduler();
const price = (ticks: number): string => (ticks / 100).toFixed(2);
const size = (lots: number): string => (lots / 100_000).toFixed(5);

/** The service as it is, for everything but market data. */
async function openVenue(): Promise<number> {
  const unlimited = Number.MAX_SAFE_INTEGER;
  const trading = new TradingService({
    instruments: [INSTRUMENT],
    scheduler,
    exchange: { limits: { perAccount: unlimited, perSymbol: unlimited } },
  });
  const account = trading.exchange.openAccount();
  const rights = new Set(Object.keys(RIGHTS) as Right[]);
  trading.members.join({ name: 'bot', email: 'bot@example.com', account });
  trading.members.grant({ key: 'bot', secret: 'bot-secret', account, rights });
  trading.exchange.deposit(account, 'USDT', new Decimal('1e9'));
  return (await Venue.open({ trading, port: 0 })).port;
}

/** One moving bid over a book that stands: the market data of the bench. */
class MovingBid {
  readonly #sockets = new Set<WebSocket>();
  #sequence = 1;
  #ticks = FIRST_TICKS;

  join(socket: WebSocket): void {
    socket.on('message', (data: Buffer) => {
      const { ch, id, params } = JSON.parse(data.toString('utf8')) as {
        readonly ch: string;
        readonly id: unknown;
        readonly params: { readonly symbols?: readonly string[] };
      };
      const subscriptions = params.symbols ?? [];
      socket.send(JSON.stringify({ result: { ch, subscriptions }, id }));
      if (ch === 'orderbook/full') {
        socket.send(this.#snapshot());
        this.#sockets.add(socket);
      } else if (ch === 'trades') socket.send(`{"ch":"trades","snapshot":{"BTCUSDT":[]}}`);
      else socket.send(JSON.stringify({ ch, snapshot: { BTCUSDT: [] } }));
    });
    socket.on('close', () => this.#sockets.delete(socket));
  }

  /** Moves the bid and emits it; returns its ticks. */
  move(lots: number): number {
    const before = this.#ticks;
    this.#ticks = FIRST_TICKS + ((before - FIRST_TICKS + 1) % STEPS);
    this.#sequence += 1;
    const time = Math.floor(scheduler.now() / US_PER_MS);
    const frame = `{"ch":"orderbook/full","update":{"BTCUSDT":{"t":${time},"s":${this.#sequence},"a":[],"b":[["${price(before)}","0.00000"],["${price(this.#ticks)}","${size(lots)}"]]}}}`;
    for (const socket of this.#sockets) socket.send(frame);
    return this.#ticks;
  }

  #snapshot(): string {
    const levels = (from: number, step: number) =>
      Array.from({ length: 50 }, (_, index) => [price(from + index * step), size(30_000)]);
    return JSON.stringify({
      ch: 'orderbook/full',
      snapshot: {
        BTCUSDT: {
          t: Math.floor(scheduler.now() / US_PER_MS),
          s: this.#sequence,
          a: levels(FIRST_TICKS + STEPS + 10, 10),
          b: [[price(this.#ticks), size(QUIET_LOTS)], ...levels(FIRST_TICKS - 10, -10)],
        },
      },
    });
  }
}

const bid = new MovingBid();
/** When the bid moved to a price that asks for an order. */
const movedAt = new Map<number, number>();
let latenciesUs: number[] = [];
const ORDER_PRICE = /"price":"?([0-9.]+)/;

/** Notes when an order comes, before anything else is done with it. */
function noteOrder(frame: string): void {
  if (!frame.includes('spot_new_order')) return;
  const now = elapsedNs();
  const ticks = Math.round(Number(ORDER_PRICE.exec(frame)?.[1]) * 100) + BELOW_TICKS;
  const from = movedAt.get(ticks);
  if (from === undefined) return;
  movedAt.delete(ticks);
  latenciesUs.push((now - from) / 1_000);
}

async function listen(venuePort: number): Promise<number> {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const onward = ask({ host: '127.0.0.1', port: venuePort, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      if (request.url?.endsWith('/public') === true) bid.join(client);
      else joinTrading(client, `ws://127.0.0.1:${venuePort}${request.url ?? ''}`);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Hands the frames of the trading socket on, both ways. */
function joinTrading(client: WebSocket, url: string): void {
  const onward = new WebSocket(url, { perMessageDeflate: false });
  const early: string[] = [];
  client.on('message', (data: Buffer) => {
    const frame = data.toString('utf8');
    noteOrder(frame);
    if (onward.readyState === WebSocket.OPEN) onward.send(frame);
    else early.push(frame);
  });
  onward.on('open', () => {
    for (const frame of early) onward.send(frame);
  });
  onward.on('message', (data: Buffer) => client.send(data.toString('utf8')));
  client.on('close', () => onward.terminate());
}

/** Does `step` so often a second, so often in all. */
function paced(perSecond: number, count: number, step: () => void): Promise<void> {
  return new Promise((resolve) => {
    const start = scheduler.now();
    let done = 0;
    const turn = (): void => {
      const due = Math.min(count, ((scheduler.now() - start) / 1e6) * perSecond);
      while (done < due) {
        step();
        done += 1;
      }
      if (done >= count) resolve();
      else scheduler.at(micros(scheduler.now() + US_PER_MS), turn);
    };
    turn();
  });
}

const emit = (answer: MarketAnswer): void => void process.send?.(answer);
const wait = (us: number): Promise<void> =>
  new Promise((resolve) => {
    scheduler.at(micros(scheduler.now() + us), resolve);
  });

async function obey(order: MarketOrder): Promise<void> {
  const { kind, perSecond } = order;
  if (kind === 'flood') {
    const count = Math.round(perSecond * order.seconds);
    await paced(perSecond, count, () => void bid.move(QUIET_LOTS));
    emit({ kind: 'flooded', sent: count });
    return;
  }
  latenciesUs = [];
  movedAt.clear();
  await paced(perSecond, order.count, () => {
    const now = elapsedNs();
    movedAt.set(bid.move(ASKING_LOTS), now);
  });
  // The last ones may still be on their way, on a machine whose disk is busy.
  for (let waits = 0; movedAt.size > 0 && waits < 100; waits += 1) await wait(100_000);
  emit({ kind: 'asked', latenciesUs });
}

process.on('message', (order: MarketOrder) => void obey(order));
process.on('disconnect', () => exit(0));
if (process.argv[2] === 'market')
  emit({ kind: 'listening', port: await listen(await openVenue()) });
