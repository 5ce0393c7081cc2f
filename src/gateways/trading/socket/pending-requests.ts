import { micros, US_PER_SECOND } from '../../../platform/time.ts';
import type { MillraceError } from '../../../model/errors.ts';
import type { ErrorMember } from '../../../wire/trading/error-body.ts';
import type { RpcId } from '../../../wire/trading/rpc.ts';
import { ServiceError } from '../../http/service-error.ts';
import type { ResolvedSetup } from './options.ts';
import { SentRequests, type RpcCall, type RpcOutcome, type Pending } from './requests.ts';
import type { LateReply } from './state.ts';
import { LimitQueue } from './limit-queue.ts';

export interface PendingRequestsSetup extends ResolvedSetup {
  /** Writes a frame, or returns why nothing was written. */
  readonly write: (frame: string) => string | undefined;
  readonly late: (reply: LateReply) => void;
}

/**
 * Requests and their replies over the present connection: each has an id, waits within the limits, and has
 * a deadline.
 */
export class PendingRequests {
  readonly #setup: PendingRequestsSetup;
  readonly #limitQueue: LimitQueue;
  readonly #requests: SentRequests;
  #id = 0;

  constructor(setup: PendingRequestsSetup) {
    this.#setup = setup;
    this.#limitQueue = new LimitQueue(setup.limiter, setup.scheduler);
    this.#requests = new SentRequests(setup.late);
  }

  /** Writes a request when its limit allows, and calls `done` with its outcome. */
  ask(ask: RpcCall, done: (outcome: RpcOutcome) => void): void {
    const { scheduler, options, limiter } = this.#setup;
    const { method, timeoutUs = options.timeoutUs } = ask;
    const limit = limiter.limitOf(method);
    this.#id += 1;
    const id = this.#id;
    const cancel = scheduler.at(micros(scheduler.now() + timeoutUs), () => {
      this.#requests.expire(id, `${timeoutUs / US_PER_SECOND} s`);
    });
    const pending: Pending = {
      ask,
      cancel,
      turn: undefined,
      isWritten: false,
      results: [],
      done: (outcome) => {
        if (limit !== undefined && pending.isWritten) limiter.answered(limit);
        if (limit !== undefined && isTooFast(outcome)) limiter.hold(limit);
        done(outcome);
      },
    };
    this.#requests.add(id, pending);
    pending.turn = this.#limitQueue.pass(method, () => {
      const why = this.#setup.write(ask.frame(id));
      pending.isWritten = why === undefined;
      if (why === undefined) return;
      if (limit !== undefined) limiter.answered(limit);
      this.#requests.refuse(id, why);
    });
  }

  /** A result arrived; false if no request has its id. */
  result(id: RpcId | undefined, result: unknown): boolean {
    const known = this.#idOf(id);
    return known !== undefined && this.#requests.result(known, result);
  }

  /** An error arrived; false if no request has its id. */
  error(id: RpcId | undefined, error: ErrorMember): boolean {
    const known = this.#idOf(id);
    return known !== undefined && this.#requests.error(known, error);
  }

  /** Nothing more is written: waiting requests fail. */
  dropWaiting(why: string): void {
    this.#limitQueue.clear();
    this.#requests.dropWaiting(why);
  }

  /** The connection is gone, and with it every answer. */
  lose(why: MillraceError): void {
    this.#limitQueue.clear();
    this.#requests.lose(why);
  }

  #idOf(id: RpcId | undefined): number | undefined {
    // Some services answer a login without its id.
    if (id === undefined) return this.#requests.only('login');
    return typeof id === 'number' ? id : undefined;
  }
}

const isTooFast = (outcome: RpcOutcome): boolean =>
  outcome.kind === 'error' &&
  outcome.error instanceof ServiceError &&
  outcome.error.class === 'rate-limit';
