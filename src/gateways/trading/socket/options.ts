import { MillraceError } from '../../../model/errors.ts';
import { membersOf, withDefaults } from '../../../model/members.ts';
import type { Random } from '../../checked.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import { US_PER_MS, US_PER_SECOND } from '../../../platform/time.ts';
import type { TradingCredentials } from '../client/credentials.ts';
import { refuseUnknownSetting, refuseWrongSettings } from '../../http/unknown-members.ts';
import { redaction } from '../client/secrets.ts';
import type { RequestLimiter } from './request-limiter.ts';

/** Connection options of a socket. Durations are microseconds. */
export interface SocketOptions {
  /** From the first packet to an open socket. */
  readonly connectUs: number;
  /** From the request to its last reply, waiting within limits included. */
  readonly timeoutUs: number;
  /** A socket that received nothing for this long is pinged. */
  readonly pingAfterUs: number;
  /** A socket that received nothing for this long after a ping is dead. */
  readonly pongWithinUs: number;
  /** The mean of the wait before the first new attempt is half of this; it doubles with each. */
  readonly backoffUs: number;
  readonly backoffMaxUs: number;
  /** After being live for this long, a reconnection begins with the shortest wait. */
  readonly steadyUs: number;
  /** How long a service may take to agree to the end of a socket. */
  readonly closeUs: number;
  /** The longest frame that is read; a longer one ends the connection. */
  readonly frameBytesMax: number;
  /** Most bytes waiting to be sent; a request beyond it is rejected as `unreachable`. */
  readonly waitingBytesMax: number;
  /** Keeps requests within the limits of the service; to be shared by the sockets of one account. */
  readonly limiter?: RequestLimiter | undefined;
}

export const SOCKET_OPTIONS: SocketOptions = {
  connectUs: 10 * US_PER_SECOND,
  timeoutUs: 10 * US_PER_SECOND,
  pingAfterUs: 5 * US_PER_SECOND,
  pongWithinUs: 5 * US_PER_SECOND,
  backoffUs: 250 * US_PER_MS,
  backoffMaxUs: 30 * US_PER_SECOND,
  steadyUs: 10 * US_PER_SECOND,
  closeUs: US_PER_SECOND,
  frameBytesMax: 16 << 20,
  waitingBytesMax: 1 << 20,
};

const OPTIONS = membersOf<SocketOptions>({
  connectUs: true,
  timeoutUs: true,
  pingAfterUs: true,
  pongWithinUs: true,
  backoffUs: true,
  backoffMaxUs: true,
  steadyUs: true,
  closeUs: true,
  frameBytesMax: true,
  waitingBytesMax: true,
  limiter: true,
});

/** Settings of every socket. */
export interface SocketSetup<Listener> {
  /** `wss://HOST/api/3/ws/trading` and so on. */
  readonly url: string;
  /** Needed by the sockets of an account; those of market data take none. */
  readonly credentials?: TradingCredentials | undefined;
  readonly scheduler: Scheduler;
  /** Jitter and nonces. */
  readonly random: Random;
  readonly listener: Listener;
  readonly options?: Partial<SocketOptions> | undefined;
}

const SETUP = membersOf<SocketSetup<unknown>>({
  url: true,
  credentials: true,
  scheduler: true,
  random: true,
  listener: true,
  options: true,
});

/** Returns the settings. Throws `config-invalid` for invalid ones. */
export function checkedSetup<Listener>(setup: SocketSetup<Listener>): SocketSetup<Listener> {
  refuseWrongSettings('socket', setup, SETUP);
  refuseUnknownSetting('socket', setup.options, OPTIONS);
  const called = { scheduler: ['now', 'at'], random: ['uint32', 'chance'] } as const;
  for (const field of ['scheduler', 'random'] as const) {
    const given: Readonly<Record<string, unknown>> = Object(setup[field]) as never;
    if (called[field].every((name) => typeof given[name] === 'function')) continue;
    throw wrong(field, `must have the functions ${called[field].join(' and ')}`);
  }
  return setup;
}

/** Settings of all kinds of sockets, with all defaults. */
export interface ResolvedSetup {
  readonly url: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly options: SocketOptions;
  readonly limiter: RequestLimiter;
  /** Removes the secret from a service's text. */
  readonly redact: (text: string) => string;
}

/** Fills in defaults. Throws `config-invalid` for an invalid address. */
export function resolveSetup(setup: SocketSetup<unknown>, limiter: RequestLimiter): ResolvedSetup {
  const { url, scheduler, random, options } = setup;
  if (!URL.canParse(url) || !/^wss?:$/.test(new URL(url).protocol)) {
    throw wrong('url', 'must be an address such as wss://api.example.com/api/3/ws/public');
  }
  for (const [name, value] of Object.entries(options ?? {})) {
    if (name === 'limiter' || value === undefined) continue;
    if (Number.isSafeInteger(value) && Number(value) > 0) continue;
    throw wrong(`options.${name}`, 'must be a whole number above 0');
  }
  const redact = redaction(setup.credentials);
  return {
    url,
    scheduler,
    random,
    limiter,
    redact,
    options: withDefaults(SOCKET_OPTIONS, options),
  };
}

/** The credentials of a socket that needs some. Throws `config-invalid` if there are none. */
export function credentialsOf(setup: SocketSetup<unknown>, what: string): TradingCredentials {
  if (setup.credentials !== undefined) return setup.credentials;
  throw wrong('credentials', `must be there, as the ${what} is that of an account`);
}

const wrong = (field: string, sentence: string): MillraceError =>
  new MillraceError('config-invalid', `The setting ${field} of a socket ${sentence}.`, { field });
