import { MillraceError } from '../../../model/errors.ts';
import type { Call, EncodedRequest } from '../../../wire/trading/call.ts';
import type { Quota } from '../../../wire/sliding-window.ts';
import { V3_CALLS } from '../../../wire/trading/v3/calls/table.ts';
import { RETRY_AFTER_US_MAX } from '../../http/backoff.ts';
import { extraArgumentFault } from '../../http/extra-arguments.ts';
import { readClock, type ClockReading } from './clock.ts';
import { CallLimiter } from '../../http/call-limiter.ts';
import { ClockWaits } from '../../http/clock-waits.ts';
import { invalid } from '../../http/invalid.ts';
import { writeRequest } from './request.ts';
import type { RestCalls } from './rest.ts';
import { redaction } from './secrets.ts';
import type { ResolvedSettings } from './settings.ts';
import { signer, type Signer } from './signer.ts';
import { HttpTransport, type HttpOutcome, type HttpRequest } from '../../http/transport.ts';
import { repeated } from '../../http/request-outcome.ts';
import { isRead, judge } from './verdict.ts';

/** Differences between the two versions of the service. */
export interface Version {
  readonly number: 2 | 3;
  readonly limits: Readonly<Record<string, Quota>>;
  /** The limits that a call counts in. */
  readonly limitsOf: (call: Call) => readonly string[];
}

/** How long calls of a limit wait after a 429 without a time. */
const HOLD_US = 1_000_000;

/**
 * Makes the calls of one version: writes, limits their rate, signs, sends, evaluates, and repeats reads.
 */
export class RestCaller {
  readonly #version: Version;
  readonly #settings: ResolvedSettings;
  readonly #transport: HttpTransport;
  readonly #pacing: CallLimiter;
  readonly #pauses: ClockWaits;
  readonly #sign: Signer | undefined;
  readonly #redact: (text: string) => string;

  constructor(version: Version, settings: ResolvedSettings) {
    const { credentials, scheduler, origin } = settings;
    this.#version = version;
    this.#settings = settings;
    this.#transport = new HttpTransport(origin, scheduler, settings);
    this.#pacing = new CallLimiter(version.limits, scheduler);
    this.#pauses = new ClockWaits(scheduler);
    this.#redact = redaction(credentials);
    this.#sign =
      credentials === undefined ? undefined : signer(credentials, version.number, scheduler);
  }

  /** Every row of a table as a function. */
  calls<Table extends Readonly<Record<string, Call>>>(table: Table): RestCalls<Table> {
    const calls: Record<string, (...given: unknown[]) => Promise<unknown>> = {};
    for (const [name, call] of Object.entries(table)) {
      const limits = this.#limitsOf(call);
      calls[name] = async (...given) => {
        const fault = extraArgumentFault(name, 1, given);
        if (fault !== undefined) throw fault;
        return this.#call(name, call, limits, given[0]);
      };
    }
    return Object.freeze(calls) as RestCalls<Table>;
  }

  /**
   * Reads the time of the service from a call that it rejects: the answer to a public call has the time at
   * which the market moved, a rejection the time of the answer.
   */
  async clock(): Promise<ClockReading> {
    const name = 'clockSkewUs';
    const call = V3_CALLS.getSymbol;
    const limits = this.#limitsOf(call);
    const path = `${this.#settings.prefix}/public/symbol/-`;
    const request = { method: 'GET', path, query: '', body: '' } as const;
    return readClock(this.#pauses, async () => {
      const outcome = await this.#send(name, limits, () => this.#complete(request, false));
      if (outcome.kind === 'answered') return outcome;
      const verdict = judge({ name, call, redact: this.#redact }, outcome);
      throw verdict.kind === 'failure' ? verdict.error : new MillraceError('internal', name);
    });
  }

  async close(): Promise<void> {
    const over = new MillraceError('unreachable', 'The call was not sent: the client is closed.');
    this.#pacing.close(over);
    this.#pauses.close(over);
    await this.#transport.close();
  }

  #limitsOf(call: Call): readonly string[] {
    return this.#settings.paced ? this.#version.limitsOf(call) : [];
  }

  async #call(
    name: string,
    call: Call,
    limits: readonly string[],
    given: unknown,
  ): Promise<unknown> {
    const request = writeRequest(name, call, this.#settings.prefix, given);
    const signed = call.access !== 'public';
    if (signed && this.#sign === undefined) {
      throw invalid(name, 'it needs credentials, and the client has none', 'credentials');
    }
    return repeated(this.#settings, this.#pauses, isRead(call), async () => {
      const outcome = await this.#send(name, limits, () => this.#complete(request, signed));
      const verdict = judge({ name, call, redact: this.#redact }, outcome);
      if (verdict.kind === 'failure' && verdict.error.code === 'rate-limited') {
        // Everything else of the limits waits too.
        this.#pacing.pause(limits, Math.min(verdict.notBeforeUs ?? HOLD_US, RETRY_AFTER_US_MAX));
      }
      return verdict;
    });
  }

  async #send(
    name: string,
    limits: readonly string[],
    make: () => HttpRequest,
  ): Promise<HttpOutcome> {
    const release = await this.#pacing.acquire(limits, name);
    try {
      // Signed after waiting: a signature has a time, which ages.
      return await this.#transport.send(make());
    } finally {
      release();
    }
  }

  #complete(request: EncodedRequest, signed: boolean): HttpRequest {
    const { method, path, query, body } = request;
    const authorization = signed ? this.#sign?.(request) : undefined;
    return {
      method,
      target: query === '' ? path : `${path}?${query}`,
      headers: {
        accept: 'application/json',
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      body,
    };
  }
}
