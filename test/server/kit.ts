import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { Decimal } from '../../src/model/decimal.ts';
import type { ExchangeOptions } from '../../src/exchange/exchange.ts';
import type { Instrument } from '../../src/model/instrument.ts';
import { micros, type Micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { Faults } from '../../src/server/faults/faults.ts';
import { faultPlan } from '../../src/server/faults/plan.ts';
import { ServiceLimits } from '../../src/server/trading/limits.ts';
import type { Retention } from '../../src/server/trading/orders/account-history.ts';
import { TradingService } from '../../src/server/trading/service.ts';
import type { ChainsOptions } from '../../src/server/trading/wallet/chains.ts';
import { Venue, type VenueSetup } from '../../src/server/venue.ts';
import { basicHeader } from '../../src/wire/trading/signing/authorization.ts';
import { RIGHTS, type Right } from '../../src/wire/trading/rights.ts';
import { instruments } from './instruments.ts';

/** When the venue of a test opens. */
export const OPENED = micros(Date.UTC(2026, 0, 5, 10, 0, 0) * 1_000);

export const ALL_RIGHTS = Object.keys(RIGHTS) as Right[];

/** Money that a member of a test has for spot trading, unless it says otherwise. */
const RICH = { BTC: '100', ETH: '1000', USDT: '1000000' } as const;

/** An answer over HTTP, its body parsed. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface Ask {
  /** The member whose key signs, with `Basic`; nobody where absent. */
  readonly as?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as it is; its type is among the headers. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A venue on a free port of this machine, over real sockets; its clock moves when a test moves it. */
export class TestVenue {
  readonly venue: Venue;
  readonly trading: TradingService;
  readonly scheduler: VirtualScheduler;
  /** Where the test asked for some. */
  readonly faults: Faults | undefined;

  constructor(venue: Venue, scheduler: VirtualScheduler, faults?: Faults) {
    this.venue = venue;
    this.trading = venue.trading;
    this.scheduler = scheduler;
    this.faults = faults;
  }

  get base(): string {
    return `http://127.0.0.1:${this.venue.port}`;
  }

  /** Takes a member in, named like its key; its secret is `NAME-secret`. Gives the account. */
  join(
    name: string,
    options: {
      readonly rights?: readonly Right[];
      readonly spot?: Readonly<Record<string, string>>;
    } = {},
  ): number {
    const { rights = ALL_RIGHTS, spot = RICH } = options;
    const { exchange, members } = this.trading;
    const account = exchange.openAccount();
    members.join({ name, email: `${name}@example.com`, account });
    members.grant({ key: name, secret: `${name}-secret`, account, rights: new Set(rights) });
    exchange.wallet.name(account, { email: `${name}@example.com`, username: name });
    for (const [currency, amount] of Object.entries(spot)) {
      // Not every venue of a test trades all of that.
      if (spot === RICH && exchange.ledger.find(currency) === undefined) continue;
      exchange.deposit(account, currency, new Decimal(amount));
    }
    return account;
  }

  /** Lets time pass, in microseconds. */
  pass(us: number): void {
    this.scheduler.advanceTo((this.scheduler.now() + us) as Micros);
  }

  /** Calls a path, prefix included: `GET`, `/api/3/public/symbol`. */
  async call(method: string, path: string, ask: Ask = {}): Promise<HttpAnswer> {
    const { as, json, form, text: asItIs, headers = {} } = ask;
    const sent =
      json !== undefined
        ? { body: JSON.stringify(json), type: 'application/json' }
        : form !== undefined
          ? {
              body: new URLSearchParams(form).toString(),
              type: 'application/x-www-form-urlencoded',
            }
          : asItIs === undefined
            ? undefined
            : { body: asItIs };
    const response = await fetch(this.base + path, {
      method,
      headers: {
        ...(as === undefined
          ? {}
          : { authorization: basicHeader({ key: as, secret: `${as}-secret` }) }),
        ...(sent !== undefined && 'type' in sent ? { 'content-type': sent.type } : {}),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent.body }),
    });
    const text = await response.text();
    let body: unknown = text;
    try {
      body = JSON.parse(text);
    } catch {
      // Not every answer is JSON; the text says what it is.
    }
    return { status: response.status, body, headers: response.headers };
  }

  /** Opens a socket: `/api/3/ws/trading`. */
  async socket(path: string): Promise<TestSocket> {
    const socket = new TestSocket(`ws://127.0.0.1:${this.venue.port}${path}`);
    await socket.opened;
    return socket;
  }

  /** A socket that has logged in, with Basic, as that member. */
  async tradingSocket(as: string, path = '/api/3/ws/trading'): Promise<TestSocket> {
    const socket = await this.socket(path);
    const version2 = path.startsWith('/api/2');
    const params = version2
      ? { algo: 'BASIC', pKey: as, sKey: `${as}-secret` }
      : { type: 'BASIC', api_key: as, secret_key: `${as}-secret` };
    await socket.request('login', params);
    return socket;
  }
}

/** A frame that came from the venue, parsed. */
export type Frame = Readonly<Record<string, unknown>>;

/** A client's end of a socket that remembers all that it heard. */
export class TestSocket {
  readonly frames: Frame[] = [];
  readonly opened: Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly raw: WebSocket;
  #id = 0;

  constructor(url: string) {
    this.raw = new WebSocket(url);
    this.opened = new Promise((resolve, reject) => {
      this.raw.once('open', () => {
        resolve();
      });
      this.raw.once('error', reject);
    });
    this.closed = new Promise((resolve) => {
      this.raw.once('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
      });
    });
    this.raw.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString('utf8')) as Frame);
    });
    onTestFinished(() => {
      this.raw.terminate();
    });
  }

  /** Sends a frame as it is. */
  send(frame: unknown): void {
    this.raw.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The first frame, heard already or to come, that fits; fails after five seconds. */
  async until(fits: (frame: Frame) => boolean, what = 'a frame'): Promise<Frame> {
    return vi.waitFor(
      () => {
        const frame = this.frames.find(fits);
        if (frame !== undefined) return frame;
        throw new Error(`${what} did not come; heard: ${JSON.stringify(this.frames)}`);
      },
      { timeout: 5_000, interval: 2 },
    );
  }

  /** Sends a request and waits for its reply, the whole frame. */
  async request(method: string, params: unknown = {}, more: object = {}): Promise<Frame> {
    this.#id += 1;
    const id = this.#id;
    this.send({ method, params, id, ...more });
    return this.until((frame) => frame['id'] === id, `the reply to ${method}`);
  }

  /** What was heard of a notification, oldest first. */
  received(method: string): readonly Frame[] {
    return this.frames.filter((frame) => frame['method'] === method);
  }

  /** Waits until the venue has answered everything that was sent before. */
  async settle(): Promise<void> {
    const received = new Promise<void>((resolve) => {
      this.raw.once('pong', () => {
        resolve();
      });
    });
    this.raw.ping();
    await received;
  }
}

export interface VenueOptions {
  /** What is traded; those of `instruments.ts` where absent. */
  readonly instruments?: readonly Instrument[];
  readonly exchange?: ExchangeOptions;
  readonly setup?: Partial<VenueSetup>;
  /** How fast the chains outside are. */
  readonly chains?: ChainsOptions;
  /** How much of their past accounts can look up. */
  readonly kept?: Partial<Retention>;
  /** Whether the rate limits hold; they do not where absent. */
  readonly limits?: boolean;
  /** What goes wrong; `{}` for nothing yet. */
  readonly faults?: z.input<typeof faultPlan>;
}

/** Opens a venue for the test that asks; members `demo` and `other` are rich. */
export async function openVenue(options: VenueOptions = {}): Promise<TestVenue> {
  const test = await startVenue(options);
  onTestFinished(async () => {
    await test.venue.close();
  });
  return test;
}

/** Opens one venue for all tests of a file or a group, which share what they do to it. */
export function sharedVenue(options: VenueOptions = {}): () => TestVenue {
  let shared: TestVenue | undefined;
  beforeAll(async () => {
    shared = await startVenue(options);
  });
  afterAll(async () => {
    await shared?.venue.close();
  });
  return () => {
    if (shared === undefined) throw new Error('the venue is opened before the tests run');
    return shared;
  };
}

/** Opens a venue that whoever asks must close. */
export async function startVenue(options: VenueOptions = {}): Promise<TestVenue> {
  const scheduler = new VirtualScheduler(OPENED);
  const plan = options.faults;
  const faults = plan === undefined ? undefined : new Faults(scheduler, faultPlan.parse(plan));
  const trading = new TradingService({
    instruments: options.instruments ?? instruments(),
    scheduler: faults?.clock ?? scheduler,
    ...(options.limits === true ? { limits: new ServiceLimits(() => scheduler.now()) } : {}),
    ...(options.exchange === undefined ? {} : { exchange: options.exchange }),
    ...(options.chains === undefined ? {} : { chains: options.chains }),
    ...(options.kept === undefined ? {} : { kept: options.kept }),
  });
  const venue = await Venue.open({
    trading,
    port: 0,
    faults,
    ...options.setup,
  });
  const test = new TestVenue(venue, scheduler, faults);
  test.join('demo');
  test.join('other');
  return test;
}
