import { MillraceError } from '../../../model/errors.ts';
import { sanitize } from '../../../model/plain-words.ts';
import type { HttpSettings } from '../../http/settings.ts';
import { JsonRpc, type RpcOutcome } from './rpc.ts';

/** The providers of one chain by JSON-RPC, who must agree. */
export class RpcProviders {
  protected readonly rpcs: readonly JsonRpc[];

  constructor(urls: readonly string[], settings: Omit<HttpSettings, 'url'>) {
    this.rpcs = urls.map((url) => new JsonRpc({ ...settings, url }));
  }

  /** The one answer of all; throws `answer-invalid` if two differ. */
  async agreed(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.same(method, await this.each(method, params));
  }

  /** The common value of all answers; throws `answer-invalid` if two differ. */
  same<Answer>(method: string, answers: readonly Answer[]): Answer {
    const [first, ...others] = answers;
    const text = textOf(first);
    if (first !== undefined && others.every((one) => textOf(one) === text)) return first;
    const hosts = this.rpcs.map(({ url }) => url).join(' and ');
    throw new MillraceError('answer-invalid', `${hosts} answer ${method} with different values; nothing is done on it.`, { where: hosts }); // prettier-ignore
  }

  /** The answers of all. */
  async each(method: string, params: readonly unknown[]): Promise<readonly unknown[]> {
    return Promise.all(this.rpcs.map(async (rpc) => rpc.read(method, params)));
  }

  /** The answer of each to a call that may be rejected. */
  async outcomes(method: string, params: readonly unknown[]): Promise<readonly RpcOutcome[]> {
    return Promise.all(this.rpcs.map(async (rpc) => rpc.ask(method, params)));
  }

  /** The answer of each to a call made once to each. */
  async once(method: string, params: readonly unknown[]): Promise<readonly RpcOutcome[]> {
    return Promise.all(this.rpcs.map(async (rpc) => rpc.once(method, params)));
  }

  async close(): Promise<void> {
    await Promise.all(this.rpcs.map(async (rpc) => rpc.close()));
  }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? `${member}n` : member,
  );

export function record(given: unknown, method: string): Readonly<Record<string, unknown>> {
  if (typeof given === 'object' && given !== null)
    return given as Readonly<Record<string, unknown>>;
  throw invalid(method, given);
}

export const invalid = (method: string, given: unknown): MillraceError =>
  new MillraceError(
    'answer-invalid',
    `The answer to ${method} cannot be read: ${sanitize(JSON.stringify(given) ?? 'nothing').slice(0, 80)}.`,
  );
