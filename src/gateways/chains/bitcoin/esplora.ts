import type { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { sanitize } from '../../../model/plain-words.ts';
import { jsonIn } from '../../../wire/json.ts';
import { backoffUs } from '../../http/backoff.ts';
import { retryAfterUs } from '../../http/request-outcome.ts';
import { ClockWaits } from '../../http/clock-waits.ts';
import {
  resolveHttpSettings,
  type HttpSettings,
  type ResolvedHttpSettings,
} from '../../http/settings.ts';
import { HttpTransport, type HttpOutcome } from '../../http/transport.ts';

/** A body, a rejection with its text, or why there is neither, and the wait that a rate limit requests. */
export type EsploraOutcome =
  | { readonly kind: 'body'; readonly body: string }
  | { readonly kind: 'refused'; readonly status: number; readonly why: string }
  | { readonly kind: 'unsent' | 'none'; readonly why: string; readonly laterUs?: number };

/** Statuses of a no that another attempt does not change. */
const REFUSED = new Set([400, 404, 410, 413, 422]);

/** One provider of Esplora's REST. */
export class Esplora {
  readonly url: string;
  readonly #settings: ResolvedHttpSettings;
  readonly #transport: HttpTransport;
  readonly #pauses: ClockWaits;
  readonly #path: string;
  readonly #query: string;

  /** Errors never hold the path of the address, which is often a key. */
  constructor(settings: HttpSettings) {
    const { origin, pathname, search } = new URL(settings.url);
    this.url = origin;
    this.#path = pathname.replace(/\/$/, '');
    this.#query = search;
    this.#settings = resolveHttpSettings({ ...settings, url: origin });
    this.#transport = new HttpTransport(origin, this.#settings.scheduler, this.#settings);
    this.#pauses = new ClockWaits(this.#settings.scheduler);
  }

  /** Reads JSON by a schema; `undefined` if the provider does not know the object. */
  async read<S extends z.ZodType>(path: string, form: S): Promise<z.output<S> | undefined> {
    return this.#body(path, form, valueIn);
  }

  /** The same of what every provider has. */
  async must<S extends z.ZodType>(path: string, form: S): Promise<z.output<S>> {
    const read = await this.read(path, form);
    if (read !== undefined) return read;
    throw this.#missing(path, 'it has none');
  }

  /** Reads plain text, such as a hash or a height. */
  async text<S extends z.ZodType>(path: string, form: S): Promise<z.output<S>> {
    const read = await this.#body(path, form, (body) => body.trim());
    if (read !== undefined) return read;
    throw this.#missing(path, 'it has none');
  }

  /** Sends raw hexadecimal once: a repetition needs a check first. */
  async send(raw: string): Promise<EsploraOutcome> {
    return this.#once('POST', '/tx', raw);
  }

  async close(): Promise<void> {
    this.#pauses.close(
      new MillraceError('unreachable', 'The node was closed before it was asked.'),
    );
    await this.#transport.close();
  }

  async #body<S extends z.ZodType>(
    path: string,
    form: S,
    parse: (body: string) => unknown,
  ): Promise<z.output<S> | undefined> {
    const { retries, random } = this.#settings;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#once('GET', path, '');
      const parsed = outcome.kind === 'body' ? parse(outcome.body) : undefined;
      if (outcome.kind === 'refused' && outcome.status === 404) return undefined;
      if (outcome.kind === 'refused') throw this.#refused(path, outcome.why);
      if (parsed !== undefined) return this.#checked(path, form, parsed);
      if (attempt >= retries.attempts) {
        throw this.#missing(path, outcome.kind === 'body' ? 'it is no JSON' : outcome.why);
      }
      const asked = outcome.kind === 'body' ? 0 : (outcome.laterUs ?? 0);
      const wait = Math.max(backoffUs(retries, attempt, random), asked);
      await this.#pauses.wait(Math.min(wait, retries.longestUs));
    }
  }

  #checked<S extends z.ZodType>(path: string, form: S, parsed: unknown): z.output<S> {
    const read = form.safeParse(parsed);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const what = sanitize(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
    throw new MillraceError('answer-invalid', `The answer to ${path} of ${this.url} cannot be read: ${what}.`, { where: this.url }); // prettier-ignore
  }

  #refused(path: string, why: string): MillraceError {
    const sentence = /too many (?:history entries|unspent outputs)/i.test(why)
      ? `${this.url} does not list the outputs of an address that has so many: gather them into one, or use an Esplora of your own with a higher limit.`
      : `${this.url} refuses ${path}: ${sanitize(why).slice(0, 120)}.`;
    return new MillraceError('service-refused', sentence, { where: this.url });
  }

  #missing(path: string, why: string): MillraceError {
    const sentence = `${path} of ${this.url} has no answer: ${sanitize(why)}.`;
    return new MillraceError('service-unavailable', sentence, { where: this.url });
  }

  async #once(method: string, path: string, body: string): Promise<EsploraOutcome> {
    const outcome = await this.#transport.send({
      method,
      target: this.#path + path + this.#query,
      headers: { 'content-type': 'text/plain' },
      body,
    });
    return outcomeOf(outcome);
  }
}

/** The value of JSON text; nothing for other text. JSON that is `null` is a value of no form. */
const valueIn = (body: string): unknown => {
  const json = jsonIn(body);
  return json === null ? 'null' : json;
};

function outcomeOf(outcome: HttpOutcome): EsploraOutcome {
  if (outcome.kind === 'unsent') return { kind: 'unsent', why: outcome.why };
  if (outcome.kind !== 'answered') return { kind: 'none', why: outcome.why };
  const { status, body } = outcome;
  if (status === 200) return { kind: 'body', body };
  if (REFUSED.has(status)) return { kind: 'refused', status, why: body };
  return { kind: 'none', why: `it answers ${status}`, laterUs: retryAfterUs(outcome.headers) ?? 0 };
}
