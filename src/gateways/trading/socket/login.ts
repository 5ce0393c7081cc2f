import { MillraceError } from '../../../model/errors.ts';
import { fullStop } from '../../../model/full-stop.ts';
import type { Random } from '../../../platform/random.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import { US_PER_MS } from '../../../platform/time.ts';
import {
  v2BasicLoginParams,
  v2LoginParams,
  v3BasicLoginParams,
  v3LoginParams,
} from '../../../wire/trading/signing/login.ts';
import type { TradingCredentials } from '../client/credentials.ts';
import { ServiceError, serviceSentence } from '../../http/service-error.ts';

/** The params of a login, made for each connection. */
export type LoginParams = () => unknown;

export const v3Login =
  (credentials: TradingCredentials, scheduler: Scheduler): LoginParams =>
  () =>
    credentials.scheme === 'basic'
      ? v3BasicLoginParams(credentials)
      : v3LoginParams(credentials, Math.floor(scheduler.now() / US_PER_MS), credentials.windowMs);

const NONCE_WORDS = 4;

/** 32 hexadecimal digits. */
const nonce = (random: Random): string =>
  Array.from({ length: NONCE_WORDS }, () => random.uint32().toString(16).padStart(8, '0')).join('');

export const v2Login =
  (credentials: TradingCredentials, random: Random): LoginParams =>
  () =>
    credentials.scheme === 'basic'
      ? v2BasicLoginParams(credentials)
      : v2LoginParams(credentials, nonce(random));

/** The services' text for a signature whose time they reject. */
const OF_THE_CLOCK = /timestamp|clock|outside the window|expired/i;

/** Why a login failed, and whether the same one may succeed later. */
export interface LoginFailure {
  readonly error: MillraceError;
  readonly isFinal: boolean;
}

/** Classifies the error of a failed login. */
export function loginFailure(error: MillraceError): LoginFailure {
  if (!(error instanceof ServiceError) || error.class !== 'authorization') {
    return { error, isFinal: false };
  }
  const reported = fullStop(`The service refuses the login: ${serviceSentence(error)}`);
  const isClock = OF_THE_CLOCK.test(error.description ?? '');
  const todo = isClock
    ? 'Set the clock of this machine, or widen windowMs; the login is tried again'
    : 'Check the key, its secret and its rights';
  return {
    isFinal: !isClock,
    error: new MillraceError('login-refused', `${reported} ${todo}.`, {
      field: isClock ? 'windowMs' : 'key',
      cause: error,
    }),
  };
}
