import { Pool, type Dispatcher } from 'undici';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';

/** A request as it goes over HTTP, complete. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if there is none. */
  readonly body: string;
}

/** Outcome of a request. Only `unsent` is sure not to have reached the service. */
export type HttpOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: HttpHeaders;
      readonly body: string;
      /** When the request began to leave. */
      readonly sentAt: Micros;
      /** When the head of the answer was here. */
      readonly answeredAt: Micros;
    }
  | { readonly kind: 'unsent'; readonly why: string; readonly cause?: unknown }
  | { readonly kind: 'unanswered'; readonly why: string; readonly cause?: unknown }
  | { readonly kind: 'too-long'; readonly status: number; readonly why: string };

export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface TransportTerms {
  /** How long a request may take, from the first attempt to connect to the last byte of its answer. */
  readonly timeoutUs: number;
  /** Most open connections; further requests wait for one. */
  readonly connections: number;
  /** The longest body that an answer may have. */
  readonly bodyBytesMax: number;
}

/**
 * Requests over connections that are kept open, one request at a time on each. A request that has begun to
 * leave and one that has not are distinguished, since only the latter may simply be sent again. Time comes
 * from the scheduler: the timeouts of the HTTP library are off.
 */
export class HttpTransport {
  readonly #pool: Pool;
  readonly #scheduler: Scheduler;
  readonly #terms: TransportTerms;
  readonly #running = new Set<Exchange>();
  #closed = false;

  constructor(origin: string, scheduler: Scheduler, terms: TransportTerms) {
    this.#scheduler = scheduler;
    this.#terms = terms;
    this.#pool = new Pool(origin, {
      connections: terms.connections,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: 0,
    });
  }

  /** Sends a request and returns its outcome; never throws. */
  async send(request: HttpRequest): Promise<HttpOutcome> {
    if (this.#closed) return { kind: 'unsent', why: CLOSED };
    return new Promise((resolve) => {
      const exchange = new Exchange(this.#scheduler, this.#terms, (outcome) => {
        this.#running.delete(exchange);
        resolve(outcome);
      });
      this.#running.add(exchange);
      try {
        this.#pool.dispatch(
          {
            method: request.method,
            path: request.target,
            headers: request.headers,
            body: request.body === '' ? null : request.body,
          },
          exchange,
        );
      } catch (cause) {
        // Thrown before anything is sent: a header or a path that HTTP does not allow.
        exchange.end({ kind: 'unsent', why: reasonOf(cause), cause });
      }
    });
  }

  /** Ends running requests, and all connections. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const exchange of [...this.#running]) exchange.abandon(CLOSED);
    await this.#pool.destroy();
  }
}

const CLOSED = 'the client is closed';

/** One request in flight and its answer, as the HTTP library reports them. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #scheduler: Scheduler;
  readonly #terms: TransportTerms;
  readonly #done: (outcome: HttpOutcome) => void;
  readonly #cancelTimer: Cancel;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: HttpHeaders = {};
  #sentAt: Micros;
  #answeredAt: Micros;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #ended = false;

  constructor(scheduler: Scheduler, terms: TransportTerms, done: (outcome: HttpOutcome) => void) {
    this.#scheduler = scheduler;
    this.#terms = terms;
    this.#done = done;
    this.#sentAt = scheduler.now();
    this.#answeredAt = this.#sentAt;
    this.#cancelTimer = scheduler.at(micros(scheduler.now() + terms.timeoutUs), () => {
      this.abandon(`no answer within ${terms.timeoutUs / 1_000_000} s`);
    });
  }

  /** The first bytes leave after this, unless it aborts. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The library may begin again when a connection ends under it; whether to is not its to decide.
    if (this.#controller !== undefined) this.abandon('its connection ended');
    this.#controller = controller;
    this.#sentAt = this.#scheduler.now();
    if (this.#ended) controller.abort(new Error('given up before it was sent'));
  }

  onResponseStart(_: unknown, status: number, headers: HttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#answeredAt = this.#scheduler.now();
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#terms.bodyBytesMax) {
      this.#chunks.push(chunk);
      return;
    }
    const why = `its body has more than ${this.#terms.bodyBytesMax} bytes`;
    this.end({ kind: 'too-long', status: this.#status, why });
    this.#controller?.abort(new Error(why));
  }

  onResponseEnd(): void {
    this.end({
      kind: 'answered',
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks).toString('utf8'),
      sentAt: this.#sentAt,
      answeredAt: this.#answeredAt,
    });
  }

  onResponseError(_: unknown, cause: Error): void {
    this.end({ kind: this.#lostKind, why: reasonOf(cause), cause });
  }

  /** Ends it from here. */
  abandon(why: string): void {
    this.end({ kind: this.#lostKind, why });
    this.#controller?.abort(new Error(why));
  }

  end(outcome: HttpOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelTimer();
    this.#done(outcome);
  }

  get #lostKind(): 'unsent' | 'unanswered' {
    return this.#controller === undefined ? 'unsent' : 'unanswered';
  }
}

/** A network error in a few words; some have nothing but a code. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  if (!(cause instanceof Error)) return 'the request could not be sent';
  return cause.message === '' ? cause.name : cause.message;
}
