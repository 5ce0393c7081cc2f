import type { z } from 'zod';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { Answer, Call, PathMembers } from '../../../wire/trading/call.ts';
import type { Printable } from '../../../wire/trading/decoding.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import { rejectionFault, type Version } from '../../../wire/trading/rejections.ts';
import type { TradingService } from '../service.ts';

/** A call that has passed authentication, limits and its schema. */
export interface RestRequest<C extends Call> {
  /** The caller's account; -1 for a public call. */
  readonly account: number;
  readonly path: Readonly<Record<PathMembers<C['path']>, string>>;
  readonly params: z.output<C['params']>;
}

/** Result of a call: its record, or a fault. */
export type Outcome<C extends Call> = Decoded<Printable<Answer<C>>>;

/** Handles a call. */
export type RestHandler<C extends Call> = (
  service: TradingService,
  request: RestRequest<C>,
) => Outcome<C> | Promise<Outcome<C>>;

/** The handlers of a table of calls, one for each row. */
export type RestHandlers<Calls extends Readonly<Record<string, Call>>> = {
  readonly [Name in keyof Calls]: RestHandler<Calls[Name]>;
};

/** A record as the answer. */
export const answer = <T>(value: T): Decoded<T> => decoded(value);

/** An error as the answer. */
export const refuse = (...why: Parameters<typeof fault>): Decoded<never> =>
  undecoded(fault(...why));

/** A rejection of the exchange as a fault, in the words of a version. */
export const rejected = (rejection: Rejection, version: Version): Decoded<never> =>
  undecoded(rejectionFault(rejection, version));

/** Answers with what the exchange gave, or with why it refused. */
export const answerOf = <T, A>(
  outcome: T | Rejection,
  version: Version,
  write: (value: T) => A,
): Decoded<A> => (isRejection(outcome) ? rejected(outcome, version) : decoded(write(outcome)));

/** Answers with what was found, written out, or with the fault there was instead. */
export const answerWith = <T, A>(found: Decoded<T>, write: (value: T) => A): Decoded<A> =>
  found.kind === 'fault' ? found : decoded(write(found.value));

/** The same where what is done with it may be refused too. */
export const answerFrom = <T, A>(found: Decoded<T>, act: (value: T) => Decoded<A>): Decoded<A> =>
  found.kind === 'fault' ? found : act(found.value);
