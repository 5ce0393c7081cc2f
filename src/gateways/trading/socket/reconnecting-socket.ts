import { MillraceError } from '../../../model/errors.ts';
import { fullStop } from '../../../model/full-stop.ts';
import type { Cancel } from '../../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type { ErrorMember } from '../../../wire/trading/error-body.ts';
import { requestFrame, type RpcId } from '../../../wire/trading/rpc.ts';
import type { OptionTable } from '../../http/unknown-members.ts';
import { Backoff } from './backoff.ts';
import { connectionsOf } from './connections.ts';
import { PendingRequests } from './pending-requests.ts';
import { loginFailure, type LoginParams } from './login.ts';
import type { ResolvedSetup } from './options.ts';
import { rejection } from './rejection.ts';
import type { RpcCall } from './requests.ts';
import type { SocketState } from './state.ts';
import { Transport } from './transport.ts';
import type { SafeListener } from './safe-listener.ts';
import { SocketSubscriptions, type SubscriptionRequest } from './subscriptions.ts';

export interface ReconnectingSocketSetup extends ResolvedSetup {
  /** Absent without a login. */
  readonly login?: LoginParams | undefined;
  readonly voice: SafeListener;
  /** Reads a frame, and reports it by `result`, `error` or to the listener. */
  receive(frame: string, receivedAt: Micros): void;
}

export interface OpenOptions {
  /** Closes the socket if it is not live after this time; microseconds, unlimited if absent. */
  readonly timeoutUs?: number | undefined;
}

export const OPEN_OPTIONS: OptionTable<OpenOptions> = { timeoutUs: 'span' };

interface Opener {
  readonly resolve: () => void;
  readonly reject: (why: MillraceError) => void;
}

/**
 * A socket that is kept open: it connects, logs in, subscribes, and reconnects when it is lost, until it is
 * closed.
 */
export class ReconnectingSocket {
  readonly #setup: ReconnectingSocketSetup;
  readonly #backoff: Backoff;
  readonly #pending: PendingRequests;
  readonly #managedOrders: SocketSubscriptions;
  #state: SocketState = 'idle';
  #transport: Transport | undefined;
  /** True where requests can be written, though what was subscribed may not all come yet. */
  #isLoggedIn = false;
  #liveSince: Micros | undefined;
  #retry: Cancel | undefined;
  #why: MillraceError | undefined;
  #openers: Opener[] = [];
  #closed: (() => void)[] = [];

  constructor(setup: ReconnectingSocketSetup) {
    const { options, random, voice } = setup;
    this.#setup = setup;
    this.#backoff = new Backoff(options.backoffUs, options.backoffMaxUs, random);
    this.#pending = new PendingRequests({
      ...setup,
      write: (frame) => this.#write(frame),
      late: (reply) => {
        voice.late(reply);
      },
    });
    this.#managedOrders = new SocketSubscriptions({
      ask: (ask, done) => {
        this.#pending.ask(ask, done);
      },
      granted: () => {
        this.#live();
      },
      rejected: (error) => {
        voice.failed(error);
      },
      failed: (error) => this.#transport?.terminate(error),
    });
  }

  get state(): SocketState {
    return this.#state;
  }

  /** Bytes that were handed over and are not yet on their way. */
  get waitingBytes(): number {
    return this.#transport?.waitingBytes ?? 0;
  }

  /**
   * Opens it and keeps it open. Resolves when it is live for the first time, and rejects if that can never
   * be, or takes longer than `timeoutUs`; the socket is closed then.
   */
  open(timeoutUs?: number): Promise<void> {
    if (this.#state === 'live') return Promise.resolve();
    if (this.#state === 'closed') return Promise.reject(this.#gone());
    const opened = new Promise<void>((resolve, reject) => {
      this.#openers.push({ resolve, reject });
    });
    if (timeoutUs !== undefined) this.#giveUpAfter(timeoutUs);
    if (this.#state === 'idle') {
      this.#state = 'connecting';
      this.#connectIn(0);
    }
    return opened;
  }

  /** Closes it for good; resolves when it is completely closed. */
  close(): Promise<void> {
    if (this.#state !== 'closed') {
      this.#close(undefined);
    }
    if (this.#transport === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closed.push(resolve);
    });
  }

  /** Terminates the present connection; the next one follows automatically. */
  renew(why: MillraceError): void {
    if (this.#state !== 'closed') this.#transport?.terminate(why);
  }

  /** Sends a request, and returns all replies. Never repeated. */
  ask(ask: RpcCall): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      if (this.#state !== 'live') {
        reject(this.#absent(ask.method));
        return;
      }
      this.#pending.ask(ask, (outcome) => {
        if (outcome.kind === 'results') resolve(outcome.results);
        else reject(outcome.error);
      });
    });
  }

  /** Subscribes, now and after every reconnect. */
  follow(managedOrder: SubscriptionRequest): Promise<unknown> {
    if (this.#state === 'closed') return Promise.reject(this.#gone());
    return this.#managedOrders.add(managedOrder);
  }

  /** The subscription is not repeated any more. */
  forget(managedOrder: SubscriptionRequest): void {
    this.#managedOrders.remove(managedOrder);
  }

  /** Unsubscribes, if there is a connection with the subscription. */
  async end(ask: RpcCall): Promise<unknown> {
    if (!this.#isLoggedIn) return undefined;
    return new Promise((resolve, reject) => {
      this.#pending.ask(ask, (outcome) => {
        if (outcome.kind === 'results') resolve(outcome.results[0]);
        else if (this.#transport === undefined) resolve(undefined);
        else reject(outcome.error);
      });
    });
  }

  /** Receives a reply. */
  result(id: RpcId | undefined, result: unknown): void {
    if (this.#pending.result(id, result)) return;
    this.invalid('it answers a request that was not made');
  }

  /** Receives an error. */
  error(id: RpcId | undefined, given: ErrorMember): void {
    const error = redacted(given, this.#setup.redact);
    if (this.#pending.error(id, error)) return;
    const reported = rejection('What was asked before', error, false);
    this.#setup.voice.failed(reported);
    // The key was revoked, or the account frozen: the next login shows whether that is for good.
    if (reported.class === 'authorization') this.#transport?.terminate(reported);
  }

  /** Receives an invalid frame. */
  invalid(why: string): void {
    const { url, voice } = this.#setup;
    voice.failed(
      new MillraceError(
        'answer-invalid',
        fullStop(`A frame of the socket ${url} cannot be used: ${why}`),
      ),
    );
  }

  /** Connects after a wait, or later if this process connects too often already. */
  #connectIn(us: number): void {
    const { url, scheduler } = this.#setup;
    const now = scheduler.now();
    const waitUs = Math.max(us, connectionsOf(scheduler, url).waitUs(now));
    if (waitUs === 0) this.#connect();
    else {
      this.#retry = scheduler.at(micros(now + waitUs), () => {
        this.#retry = undefined;
        this.#connectIn(0);
      });
    }
  }

  #connect(): void {
    const { url, scheduler } = this.#setup;
    connectionsOf(scheduler, url).take(scheduler.now());
    this.#become('connecting');
    // The listener may have closed it.
    if (this.state !== 'connecting') return;
    const transport = new Transport(this.#setup, {
      opened: () => {
        this.#login();
      },
      frame: (text, receivedAt) => {
        this.#receive(text, receivedAt);
      },
      ended: (why) => {
        this.#ended(why);
      },
    });
    this.#transport = transport;
  }

  #receive(text: string, receivedAt: Micros): void {
    try {
      this.#setup.receive(text, receivedAt);
    } catch (cause) {
      this.#setup.voice.threw(cause);
    }
  }

  #login(): void {
    const { login } = this.#setup;
    if (login === undefined) {
      this.#loggedIn();
      return;
    }
    const params = login();
    // Neither secret nor signature is kept with the request.
    const ask: RpcCall = {
      method: 'login',
      params: undefined,
      frame: (id) => requestFrame('login', params, id),
      replies: 1,
      changes: false,
    };
    this.#pending.ask(ask, (outcome) => {
      if (outcome.kind === 'results') this.#loggedIn();
      else if (this.#transport !== undefined) this.#rejected(outcome.error);
    });
  }

  #rejected(why: MillraceError): void {
    const { error, isFinal } = loginFailure(why);
    if (isFinal) this.#close(error);
    else this.#transport?.terminate(error);
  }

  #loggedIn(): void {
    this.#isLoggedIn = true;
    this.#managedOrders.ask();
  }

  #live(): void {
    if (this.#state !== 'connecting') return;
    this.#liveSince = this.#setup.scheduler.now();
    this.#become('live');
    for (const { resolve } of this.#openers.splice(0)) resolve();
  }

  #ended(why: MillraceError): void {
    const { scheduler, options, voice } = this.#setup;
    this.#transport = undefined;
    this.#isLoggedIn = false;
    this.#managedOrders.lose();
    const wasClosed = this.#state === 'closed';
    const now = scheduler.now();
    if (this.#liveSince !== undefined && now - this.#liveSince >= options.steadyUs) {
      this.#backoff.reset();
    }
    this.#liveSince = undefined;
    if (!wasClosed) {
      this.#why = why;
      this.#state = 'lost';
    }
    this.#pending.lose(why);
    if (wasClosed) {
      for (const closed of this.#closed.splice(0)) closed();
      return;
    }
    voice.state('lost', why);
    if (this.state !== 'lost') return;
    this.#connectIn(this.#backoff.next());
  }

  /** Closes it; `why` if its owner did not. */
  #close(why: MillraceError | undefined): void {
    const { voice } = this.#setup;
    this.#retry?.();
    this.#why = why ?? this.#why;
    this.#become('closed', why);
    voice.silence();
    const gone = why ?? this.#gone();
    for (const { reject } of this.#openers.splice(0)) reject(gone);
    this.#managedOrders.close(gone);
    this.#pending.dropWaiting('the socket is closed');
    this.#transport?.close();
  }

  #become(state: SocketState, why?: MillraceError): void {
    this.#state = state;
    this.#setup.voice.state(state, why);
  }

  /** Writes a frame, or returns why nothing was written. */
  #write(frame: string): string | undefined {
    const transport = this.#transport;
    if (transport === undefined) return 'there is no connection';
    if (transport.waitingBytes > this.#setup.options.waitingBytesMax) {
      return 'the service does not read what was sent before';
    }
    return transport.send(frame) ? undefined : 'the connection is closing';
  }

  #absent(method: string): MillraceError {
    if (this.#state === 'closed') return this.#gone();
    return new MillraceError(
      'unreachable',
      `${method} was not sent, as the socket ${this.#setup.url} is not live but ${this.#state}.`,
      { cause: this.#why },
    );
  }

  #gone(): MillraceError {
    const { url } = this.#setup;
    return new MillraceError('unreachable', `The socket ${url} is closed.`, { cause: this.#why });
  }

  #giveUpAfter(timeoutUs: number): void {
    const { scheduler, url } = this.#setup;
    const cancel = scheduler.at(micros(scheduler.now() + timeoutUs), () => {
      const { code, message } = this.#why ?? { code: 'unreachable' as const, message: '' };
      const words = message === '' ? '' : ` ${message}`;
      this.#close(
        new MillraceError(
          code,
          `The socket ${url} was not live within ${timeoutUs / US_PER_SECOND} s.${words}`,
          { cause: this.#why },
        ),
      );
    });
    this.#openers.push({ resolve: cancel, reject: cancel });
  }
}

const redacted = (error: ErrorMember, redact: (text: string) => string): ErrorMember => ({
  ...error,
  message: redact(error.message),
  description: error.description === undefined ? undefined : redact(error.description),
});
