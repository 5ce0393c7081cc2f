import { MillraceError } from '../../model/errors.ts';
import { jsonIn, writeJson } from '../../wire/json.ts';
import { canonicalBody, type SignedParts } from '../../wire/swaps/canonical.ts';
import { ClockWaits } from '../http/clock-waits.ts';
import type { ServiceErrorBody } from '../http/service-error.ts';
import type { ResolvedHttpSettings } from '../http/settings.ts';
import { HttpTransport, type HttpOutcome } from '../http/transport.ts';
import {
  classifyOutcome,
  rejected,
  repeated,
  verdictOn,
  type JudgedCall,
  type Reading,
  type RequestOutcome,
} from '../http/request-outcome.ts';

/** A call of a client. */
export interface SwapCall {
  /** As the program calls it: `createIntent`. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Percent-encoded, from the root. */
  readonly path: string;
  /** Percent-encoded, without `?`. */
  readonly query?: string;
  /** Written as JSON; absent if there is none. */
  readonly body?: unknown;
}

/** Authentication and errors of a surface. */
export interface SwapSurface {
  /** The headers that authenticate a request. */
  headers(parts: SignedParts): Readonly<Record<string, string>>;
  /** Names of the headers with secret values. */
  readonly secretHeaders: readonly string[];
  words(status: number, body: string): ServiceErrorBody;
}

/** Makes calls of one surface: writes, signs, sends, judges, and repeats reads. */
export class SwapCaller {
  readonly #settings: ResolvedHttpSettings;
  readonly #door: SwapSurface;
  readonly #transport: HttpTransport;
  readonly #pauses: ClockWaits;

  constructor(settings: ResolvedHttpSettings, door: SwapSurface) {
    this.#settings = settings;
    this.#door = door;
    this.#transport = new HttpTransport(settings.origin, settings.scheduler, settings);
    this.#pauses = new ClockWaits(settings.scheduler);
  }

  /** Makes a call; only a GET is repeated if it is not answered. */
  async call<T>(call: SwapCall, read: (json: unknown) => Reading<T>): Promise<T> {
    return repeated(this.#settings, this.#pauses, call.method === 'GET', async () => {
      const { outcome, judged } = await this.#send(call);
      return this.#judge(judged, outcome, (body) => {
        const json = jsonIn(body);
        return verdictOn(judged, json === undefined ? NO_JSON : read(json));
      });
    });
  }

  /** Checks once that the service is well: true for 2xx, false for 5xx. Throws for all others. */
  async isWell(name: string, path: string): Promise<boolean> {
    const call = { name, method: 'GET', path } as const;
    const { outcome, judged } = await this.#send(call);
    if (outcome.kind === 'answered' && outcome.status >= 500) return false;
    const verdict = this.#judge(judged, outcome, () => ({ kind: 'answer', value: true }));
    if (verdict.kind === 'failure') throw verdict.error;
    return verdict.value;
  }

  async close(): Promise<void> {
    this.#pauses.close(
      new MillraceError('unreachable', 'The call was not sent: the client is closed.'),
    );
    await this.#transport.close();
  }

  #judge<T>(
    judged: JudgedCall,
    outcome: HttpOutcome,
    read: (body: string) => RequestOutcome<T>,
  ): RequestOutcome<T> {
    return classifyOutcome(judged, outcome, ({ status, headers, body }) =>
      status >= 200 && status < 300
        ? read(body)
        : rejected(judged, this.#door.words(status, body), headers),
    );
  }

  /** Sends what was signed, byte for byte. */
  async #send({ name, method, path, query = '', body: given }: SwapCall): Promise<{
    readonly outcome: HttpOutcome;
    readonly judged: JudgedCall;
  }> {
    const body = given === undefined ? '' : sorted(given);
    const keys = this.#door.headers({ method, path, query, body });
    const secrets = this.#door.secretHeaders.flatMap((header) => keys[header] ?? []);
    const judged = { name, reads: method === 'GET', redact: redaction(secrets) };
    const outcome = await this.#transport.send({
      method,
      target: query === '' ? path : `${path}?${query}`,
      headers: {
        accept: 'application/json',
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
        ...keys,
      },
      body,
    });
    return { outcome, judged };
  }
}

const NO_JSON = { kind: 'fault', why: 'it is no JSON' } as const;

/** JSON with sorted keys, as signatures cover it. */
const sorted = (body: unknown): string => {
  const text = writeJson(body);
  return canonicalBody(text) ?? text;
};

/** Removes secrets from foreign text. */
const redaction =
  (secrets: readonly string[]) =>
  (text: string): string =>
    secrets.reduce((reported, secret) => reported.replaceAll(secret, '[secret]'), text);
