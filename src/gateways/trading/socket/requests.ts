import { MillraceError } from '../../../model/errors.ts';
import { fullStop } from '../../../model/full-stop.ts';
import type { Cancel } from '../../../platform/scheduler.ts';
import type { ErrorMember } from '../../../wire/trading/error-body.ts';
import { rejection } from './rejection.ts';
import type { LateReply } from './state.ts';
import type { QueuedTurn } from './limit-queue.ts';

/** Outcome of a request: all its replies, or why there are none. */
export type RpcOutcome =
  | { readonly kind: 'results'; readonly results: readonly unknown[] }
  | { readonly kind: 'error'; readonly error: MillraceError };

/** A request. */
export interface RpcCall {
  readonly method: string;
  /** As the caller gave them. */
  readonly params: unknown;
  readonly frame: (id: number) => string;
  /** How many replies it has. */
  readonly replies: number;
  /** Whether it does more than to read. */
  readonly changes: boolean;
  readonly timeoutUs?: number | undefined;
}

/** A request in flight. */
export interface Pending {
  readonly ask: RpcCall;
  readonly done: (outcome: RpcOutcome) => void;
  /** Of the time that it has. */
  cancel: Cancel;
  /** Set while it waits within its limit. */
  turn: QueuedTurn | undefined;
  isWritten: boolean;
  readonly results: unknown[];
}

/** Timed-out requests whose late replies are still reported. */
const GIVEN_UP_MAX = 1_024;

const failed = (error: MillraceError): RpcOutcome => ({ kind: 'error', error });

/** The requests of a connection that wait for their replies, by their ids. */
export class SentRequests {
  readonly #pending = new Map<number, Pending>();
  readonly #givenUp = new Map<number, { readonly method: string; readonly params: unknown }>();
  readonly #late: (reply: LateReply) => void;

  constructor(late: (reply: LateReply) => void) {
    this.#late = late;
  }

  get size(): number {
    return this.#pending.size;
  }

  add(id: number, pending: Pending): void {
    this.#pending.set(id, pending);
  }

  /** The id of the only request, if it is of this method. */
  only(method: string): number | undefined {
    if (this.#pending.size !== 1) return undefined;
    const [[id, pending]] = this.#pending as Iterable<[number, Pending]>;
    return pending.ask.method === method ? id : undefined;
  }

  /** A result arrived; false if no request has its id. */
  result(id: number, result: unknown): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return this.#emitLate(id, { kind: 'result', result });
    pending.results.push(result);
    if (pending.results.length < pending.ask.replies) return true;
    this.#settle(id, pending, { kind: 'results', results: pending.results });
    return true;
  }

  /** An error arrived; false if no request has its id. */
  error(id: number, error: ErrorMember): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return this.#emitLate(id, { kind: 'error', error });
    const { method, changes } = pending.ask;
    this.#settle(id, pending, failed(rejection(method, error, changes)));
    return true;
  }

  /** It will not be written. */
  refuse(id: number, why: string): void {
    const pending = this.#pending.get(id);
    if (pending !== undefined) this.#settle(id, pending, failed(unsent(pending.ask.method, why)));
  }

  /** Its time has passed. */
  expire(id: number, seconds: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const { ask, turn, isWritten } = pending;
    const { method, params } = ask;
    if (turn !== undefined) turn.gone = true;
    if (isWritten) this.#abandon(id, { method, params });
    const error = isWritten
      ? unknown(method, `no answer came within ${seconds}`)
      : new MillraceError(
          'rate-limited',
          `${method} was not sent, as its turn within the limits of the service did not come within ${seconds}.`,
        );
    this.#settle(id, pending, failed(error));
  }

  /** Nothing more is written: waiting requests fail. */
  dropWaiting(why: string): void {
    for (const [id, { isWritten }] of [...this.#pending]) if (!isWritten) this.refuse(id, why);
  }

  /** The connection is gone, and with it every answer. */
  lose(why: MillraceError): void {
    const lost = [...this.#pending];
    this.#givenUp.clear();
    for (const [id, pending] of lost) {
      const { isWritten } = pending;
      const { method } = pending.ask;
      const error = isWritten
        ? unknown(method, 'the connection ended before the answer', why)
        : unsent(method, 'the connection ended before its turn', why);
      this.#settle(id, pending, failed(error));
    }
  }

  #settle(id: number, pending: Pending, outcome: RpcOutcome): void {
    if (!this.#pending.delete(id)) return;
    pending.cancel();
    pending.done(outcome);
  }

  #abandon(id: number, request: { readonly method: string; readonly params: unknown }): void {
    const [oldest] = this.#givenUp.keys();
    if (this.#givenUp.size >= GIVEN_UP_MAX && oldest !== undefined) this.#givenUp.delete(oldest);
    this.#givenUp.set(id, request);
  }

  #emitLate(id: number, outcome: LateReply['outcome']): boolean {
    const request = this.#givenUp.get(id);
    if (request === undefined) return false;
    this.#late({ ...request, outcome });
    return true;
  }
}

const unsent = (method: string, why: string, cause?: unknown): MillraceError =>
  new MillraceError('unreachable', fullStop(`${method} was not sent: ${why}`), { cause });

const unknown = (method: string, why: string, cause?: unknown): MillraceError =>
  new MillraceError(
    'outcome-unknown',
    fullStop(`${method} was sent and may have been done: ${why}`),
    {
      cause,
    },
  );
