import type { AddressInfo } from 'node:net';
import process, { argv, exit, memoryUsage } from 'node:process';
import { WebSocketServer } from 'ws';
import { Decimal } from '../../src/model/decimal.ts';
import { Instrument } from '../../src/model/instrument.ts';
import { busyNs } from '../../src/platform/stopwatch.ts';
import type { Scheduler } from '../../src/platform/scheduler.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { InputLog } from '../../src/server/data/input-log.ts';
import { LoggedInputs } from '../../src/server/data/logged-inputs.ts';
import { TradingService } from '../../src/server/trading/service.ts';
import { Venue } from '../../src/server/venue.ts';
import type { Right } from '../../src/wire/trading/rights.ts';
import { RIGHTS } from '../../src/wire/trading/rights.ts';

/** What the load asks the host process for. */
export type Question = 'usage' | 'collect';

/** What a process has used so far. */
export interface Usage {
  /** Time that it had a processor. */
  readonly busyNs: number;
  readonly rssBytes: number;
  /** Objects, buffers and what hangs on them. */
  readonly heldBytes: number;
}

/** Where the host listens. */
export interface Ports {
  readonly venue: number;
  readonly echo: number;
}

/** Members of the venue are called `trader-0`, `trader-1` and so on, with as their secret their name. */
const TRADERS = 16;

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

/** Inputs that are logged in a new folder. */
function loggedIn(folder: string, present: Scheduler): LoggedInputs {
  const openedAt = present.now();
  const failed = (error: Error): void => {
    throw error;
  };
  const { log } = InputLog.open(folder, () => ({ at: openedAt, text: '{}' }), { failed });
  return new LoggedInputs({ log, openedAt, present });
}

/** The venue as it is, without limits; with a folder it keeps its state there. */
async function openVenue(folder: string | undefined): Promise<number> {
  const unlimited = Number.MAX_SAFE_INTEGER;
  const present = new SystemScheduler();
  const inputs = folder === undefined ? undefined : loggedIn(folder, present);
  const trading = new TradingService({
    instruments: [INSTRUMENT],
    scheduler: inputs?.clock ?? present,
    timers: inputs?.clock.timers ?? present,
    inputs,
    exchange: { limits: { perAccount: unlimited, perSymbol: unlimited } },
  });
  for (let index = 0; index < TRADERS; index += 1) {
    const account = trading.exchange.openAccount();
    const name = `trader-${index}`;
    const rights = new Set(Object.keys(RIGHTS) as Right[]);
    trading.members.join({ name, email: `${name}@example.com`, account });
    trading.members.grant({ key: name, secret: name, account, rights });
    trading.exchange.deposit(account, 'BTC', new Decimal('1e9'));
    trading.exchange.deposit(account, 'USDT', new Decimal('1e14'));
  }
  const ready = async (): Promise<void> => {
    await inputs?.replay();
  };
  const venue = await Venue.open({ trading, port: 0, ready });
  return venue.port;
}

/** A bare `ws` server that sends back whatever it receives: what sockets alone cost. */
async function openEcho(): Promise<number> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer, isBinary) => {
      socket.send(data, { binary: isBinary });
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

function usage(): Usage {
  const { rss, heapUsed, external } = memoryUsage();
  return { busyNs: busyNs(), rssBytes: rss, heldBytes: heapUsed + external };
}

process.on('message', (question: Question) => {
  if (question === 'collect') globalThis.gc?.();
  process.send?.(usage());
});
process.on('disconnect', () => {
  exit(0);
});
if (argv[2] === 'host') {
  process.send?.({ venue: await openVenue(argv[3]), echo: await openEcho() });
}
