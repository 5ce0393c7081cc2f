import { MillraceError } from '../../model/errors.ts';
import { membersOf, withDefaults } from '../../model/members.ts';
import type { Random } from '../checked.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { systemRandom } from '../../platform/system-random.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { RETRIES, type Retries } from './backoff.ts';
import { refuseUnknownSetting } from './unknown-members.ts';
import type { TransportTerms } from './transport.ts';

/** Settings of the clients of all services. */
export interface HttpSettings {
  /** Address of the service, without a path: `https://api.example.com`. */
  readonly url: string;
  /** The clock; the system's if absent. */
  readonly scheduler?: Scheduler | undefined;
  /** The source of jitter; an unpredictable one if absent. */
  readonly random?: Random | undefined;
  /** Timeout of one attempt of a call; 10 s if absent. */
  readonly timeoutUs?: number | undefined;
  /** How reads are repeated. */
  readonly retries?: Partial<Retries> | undefined;
  /** Most HTTP connections at once; 32 if absent. */
  readonly connections?: number | undefined;
  /** The longest body of an answer in bytes; 64 MiB if absent. */
  readonly bodyBytesMax?: number | undefined;
}

/** The settings that all clients have, to be spread into the table of one client's. */
export const HTTP_SETTINGS = {
  url: true,
  scheduler: true,
  random: true,
  timeoutUs: true,
  retries: true,
  connections: true,
  bodyBytesMax: true,
} as const satisfies Readonly<Record<keyof HttpSettings, true>>;

const RETRY_SETTINGS = membersOf<Retries>({ attempts: true, firstUs: true, longestUs: true });

/** The same with all defaults. */
export interface ResolvedHttpSettings extends TransportTerms {
  readonly origin: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly retries: Retries;
}

/** Fills in defaults. Throws `config-invalid` for an invalid address or number. */
export const resolveHttpSettings = (settings: HttpSettings): ResolvedHttpSettings => ({
  origin: originOf(settings.url),
  scheduler: having('scheduler', settings.scheduler, ['now', 'at']) ?? new SystemScheduler(),
  random: having('random', settings.random, ['uint32', 'chance']) ?? systemRandom(),
  timeoutUs: positive('timeoutUs', settings.timeoutUs ?? 10_000_000),
  retries: retriesOf(settings.retries),
  connections: positive('connections', settings.connections ?? 32),
  bodyBytesMax: positive('bodyBytesMax', settings.bodyBytesMax ?? 64 * 2 ** 20),
});

/** The error of an invalid setting; `sentence` continues after its name. */
export const wrongSetting = (field: string, sentence: string): MillraceError =>
  new MillraceError('config-invalid', `The setting ${field} of the client ${sentence}.`, { field });

/** The origin of `url`. Throws `config-invalid` for a path, with what to do instead. */
export function originOf(
  given: string,
  instead = 'the client knows the paths of the service',
): string {
  const url = urlOf('url', given, /^https?:$/, 'https://api.example.com');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw wrongSetting('url', `must have no path: ${instead}`);
  }
  return url.origin;
}

/**
 * An address that may have a path, of one of the schemes; `example` shows one. Throws `config-invalid` for
 * an invalid one.
 */
export function addressOf(field: string, given: string, schemes: RegExp, example: string): URL {
  const url = urlOf(field, given, schemes, example);
  if (url.search === '' && url.hash === '') return url;
  throw wrongSetting(field, 'must end with its path: nothing may follow from ? or # on');
}

function urlOf(field: string, given: string, schemes: RegExp, example: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !schemes.test(url.protocol)) {
    throw wrongSetting(field, `must be an address such as ${example}`);
  }
  // Neither is echoed: it may hold a password.
  if (url.username !== '' || url.password !== '') {
    throw wrongSetting(field, 'must hold no user name and no password; give them as credentials');
  }
  return url;
}

function retriesOf(given: Partial<Retries> | undefined): Retries {
  refuseUnknownSetting('setting retries', given, RETRY_SETTINGS);
  const retries = withDefaults(RETRIES, given);
  positive('retries.attempts', retries.attempts);
  positive('retries.firstUs', retries.firstUs);
  positive('retries.longestUs', retries.longestUs);
  return retries;
}

/** A setting with methods. Throws `config-invalid` if it lacks one. */
function having<T extends object>(
  field: string,
  given: T | undefined,
  methods: readonly string[],
): T | undefined {
  if (given === undefined) return undefined;
  const members: Readonly<Record<string, unknown>> = Object(given) as never;
  if (methods.every((name) => typeof members[name] === 'function')) return given;
  throw wrongSetting(field, `must have the functions ${methods.join(' and ')}`);
}

/** A value of any type in a message; text in quotes, so that '5' differs from 5. */
const shown = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value)
    : typeof value === 'number'
      ? String(value)
      : `a ${typeof value}`;

/** A number of a setting. Throws `config-invalid` if it is not a whole number above 0. */
function positive(field: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw wrongSetting(field, `must be a whole number above 0, not ${shown(value)}`);
}
