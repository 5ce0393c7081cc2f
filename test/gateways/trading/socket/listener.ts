import { onTestFinished } from 'vitest';
import type { MillraceError } from '../../../../src/model/errors.ts';
import { MarketSocket } from '../../../../src/gateways/trading/socket/market.ts';
import type { SocketOptions } from '../../../../src/gateways/trading/socket/options.ts';
import type { LateReply, SocketState } from '../../../../src/gateways/trading/socket/state.ts';
import { TradingSocket } from '../../../../src/gateways/trading/socket/trading.ts';
import { Random } from '../../../../src/platform/random.ts';
import { micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { until } from './service.ts';

/** A listener that remembers all that it is told. */
export class Ear {
  readonly states: SocketState[] = [];
  /** Why it was lost or closed, in the order of that. */
  readonly whys: MillraceError[] = [];
  readonly failures: MillraceError[] = [];
  readonly lateReplies: LateReply[] = [];
  /** Notifications as method and params, and frames of data. */
  readonly reported: unknown[] = [];

  readonly state = (state: SocketState, why?: MillraceError): void => {
    this.states.push(state);
    if (why !== undefined) this.whys.push(why);
  };
  readonly failed = (error: MillraceError): void => {
    this.failures.push(error);
  };
  readonly late = (reply: LateReply): void => {
    this.lateReplies.push(reply);
  };
  readonly notification = (...[method, params]: readonly unknown[]): void => {
    this.reported.push([method, params]);
  };
  readonly data = (frame: unknown): void => {
    this.reported.push(frame);
  };

  /** Waits until a state has come so many times. */
  async hears(state: SocketState, times = 1): Promise<void> {
    await until(() => {
      const count = this.states.filter((one) => one === state).length;
      if (count < times) throw new Error(`${state} came ${count} times: ${this.states.join(' ')}`);
    });
  }
}

export const STARTED = micros(Date.UTC(2026, 0, 5, 10, 0, 0) * 1_000);

export const CREDENTIALS = { key: 'demo', secret: 'demo-secret', scheme: 'hs256' } as const;

/** What a socket of a test is made of: a clock that a test moves, chance with a seed. */
export interface Bench<Socket> {
  readonly socket: Socket;
  readonly ear: Ear;
  readonly clock: VirtualScheduler;
  /** Lets time pass, in microseconds. */
  pass(us: number): void;
}

const bench = <Socket extends { close(): Promise<void> }>(
  make: (clock: VirtualScheduler, ear: Ear) => Socket,
): Bench<Socket> => {
  const clock = new VirtualScheduler(STARTED);
  const ear = new Ear();
  const socket = make(clock, ear);
  const pass = (us: number): void => {
    clock.advanceTo(micros(clock.now() + us));
  };
  onTestFinished(async () => {
    const closed = socket.close();
    pass(60_000_000);
    await closed;
  });
  return { socket, ear, clock, pass };
};

/** A trading socket on the way to a service; not yet open. */
export const tradingBench = (
  url: string,
  options: Partial<SocketOptions> = {},
  credentials: ConstructorParameters<typeof TradingSocket>[0]['credentials'] = CREDENTIALS,
): Bench<TradingSocket> =>
  bench(
    (scheduler, listener) =>
      new TradingSocket({
        scheduler,
        listener,
        options,
        credentials,
        url: `${url}/api/3/ws/trading`,
        random: new Random(7),
      }),
  );

/** A market data socket on the way to a service; not yet open. */
export const marketBench = (
  url: string,
  options: Partial<SocketOptions> = {},
): Bench<MarketSocket> =>
  bench(
    (scheduler, listener) =>
      new MarketSocket({
        scheduler,
        listener,
        options,
        url: `${url}/api/3/ws/public`,
        random: new Random(7),
      }),
  );
