import type { MillraceError } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Cancel } from '../../../platform/scheduler.ts';
import { US_PER_MS, type Micros } from '../../../platform/time.ts';
import { parseTime } from '../../../wire/time.ts';
import type { EventRows } from '../../rows.ts';
import type { StepReader } from './step-reader.ts';

/** Dependencies of an instrument's feeds. */
export interface MarketSubscriptions {
  readonly instrument: Instrument;
  readonly price: StepReader;
  readonly size: StepReader;
  /** Shared by all feeds: cleared, filled and passed on within one call. */
  readonly rows: EventRows;
  /** Hands the rows on. */
  emit(): void;
  /** The service's time, as far as known here. */
  serviceNow(): Micros;
  /** Runs a task when the service's clock shows this time. */
  atService(at: number, task: () => void): Cancel;
  now(): Micros;
  /** A feed is whole again; the market is connected when all feeds are. */
  ready(): void;
  /** Subscribes to a channel again, so that it begins with a snapshot. */
  renew(ch: string): void;
  warn(warning: MillraceError): void;
  /** Repeats a read from the service until it succeeds; `undefined` once nobody waits for it any more. */
  read<T>(ask: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined>;
  /** Waits; returns whether the wait is still wanted. */
  pause(us: number, isWanted: () => boolean): Promise<boolean>;
}

/** One subscription of an instrument. */
export interface Feed {
  readonly ch: string;
  /** Length of the requested snapshot; nothing if the channel has no such number. */
  readonly limit?: number;
  /** True if everything received was emitted, and later data will be. */
  readonly isReady: boolean;
  /** Whether it begins without a snapshot if there is nothing yet, as lists do. */
  readonly mayBeEmpty: boolean;
  /** Whether a snapshot is waited for. */
  readonly isWaiting: boolean;
  /** Processes data of the instrument; false if they have an invalid form. */
  take(part: 'snapshot' | 'update', payload: unknown, receivedAt: number): boolean;
  /** The connection is lost or a message was missed: the next data starts a new book. */
  lose(): void;
  close(): void;
}

/** A time of a frame in microseconds: Unix milliseconds, or text; NaN for what is no time. */
export function stampOf(given: unknown): number {
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given * US_PER_MS;
  return typeof given === 'string' ? (parseTime(given) ?? Number.NaN) : Number.NaN;
}

/** A number that counts something; NaN if it is none. */
export const countOf = (given: unknown): number =>
  typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 ? given : Number.NaN;
