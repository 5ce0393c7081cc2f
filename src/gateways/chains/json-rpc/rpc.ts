import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { sanitize } from '../../../model/plain-words.ts';
import { jsonIn } from '../../../wire/json.ts';
import { backoffUs } from '../../http/backoff.ts';
import { ClockWaits } from '../../http/clock-waits.ts';
import {
  resolveHttpSettings,
  type HttpSettings,
  type ResolvedHttpSettings,
} from '../../http/settings.ts';
import { HttpTransport, type HttpOutcome } from '../../http/transport.ts';

/** Error of a node. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Codes of a node that is behind (Solana), or that limits (EIP-1474): it answers later. */
const LATER: readonly number[] = [-32_005, -32_016];

const answer = z.union([
  z.object({
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
  z.object({ result: z.unknown() }),
]);

/** A result, a no of the node, or why there is neither. */
export type RpcOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcError }
  | { readonly kind: 'unsent' | 'none'; readonly why: string };

/** One provider of a chain by JSON-RPC over HTTP. */
export class JsonRpc {
  readonly url: string;
  readonly #settings: ResolvedHttpSettings;
  readonly #transport: HttpTransport;
  readonly #pauses: ClockWaits;
  readonly #path: string;
  #id = 0;

  /** Errors never hold the path of the address, which is often a key. */
  constructor(settings: HttpSettings) {
    const { origin, pathname, search } = new URL(settings.url);
    this.url = origin;
    this.#path = pathname + search;
    this.#settings = resolveHttpSettings({ ...settings, url: origin });
    this.#transport = new HttpTransport(origin, this.#settings.scheduler, this.#settings);
    this.#pauses = new ClockWaits(this.#settings.scheduler);
  }

  /** Calls a method; repeated if that may help. An error of the node is a value, others are thrown. */
  async read(method: string, params: readonly unknown[]): Promise<unknown> {
    const outcome = await this.ask(method, params);
    if (outcome.kind === 'result') return outcome.result;
    const why = outcome.kind === 'error' ? outcome.error.message : outcome.why;
    const sentence = `${method} of the node at ${this.url} has no answer: ${sanitize(why)}.`;
    throw new MillraceError('service-unavailable', sentence, { where: this.url });
  }

  /** The same if an error is expected. */
  async ask(method: string, params: readonly unknown[]): Promise<RpcOutcome> {
    const { retries, random } = this.#settings;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.once(method, params);
      const isAnswered = outcome.kind === 'result' || (outcome.kind === 'error' && !isLater(outcome.error)); // prettier-ignore
      if (isAnswered || attempt >= retries.attempts) return outcome;
      await this.#pauses.wait(backoffUs(retries, attempt, random));
    }
  }

  /** Calls once: for calls that must not be repeated without a check. */
  async once(method: string, params: readonly unknown[]): Promise<RpcOutcome> {
    this.#id += 1;
    const outcome = await this.#transport.send({
      method: 'POST',
      target: this.#path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }),
    });
    return outcomeOf(outcome);
  }

  async close(): Promise<void> {
    this.#pauses.close(
      new MillraceError('unreachable', 'The node was closed before it was asked.'),
    );
    await this.#transport.close();
  }
}

const isLater = ({ code, message }: RpcError): boolean =>
  LATER.includes(code) || /limit exceeded|too many requests/i.test(message);

function outcomeOf(outcome: HttpOutcome): RpcOutcome {
  if (outcome.kind === 'unsent') return { kind: 'unsent', why: outcome.why };
  if (outcome.kind !== 'answered') return { kind: 'none', why: outcome.why };
  const json = jsonIn(outcome.body);
  if (json === undefined) return { kind: 'none', why: `it answers ${outcome.status} and no JSON` };
  const read = answer.safeParse(json);
  if (!read.success) return { kind: 'none', why: `it answers ${outcome.status} and no JSON-RPC` };
  if ('result' in read.data) return { kind: 'result', result: read.data.result };
  return { kind: 'error', error: read.data.error };
}
