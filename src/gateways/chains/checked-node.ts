import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import { REJECTIONS, type Rejection, type RejectionCode } from '../../model/rejections.ts';
import { micros } from '../../platform/time.ts';
import type { ChainTransaction, Output } from '../../swaps/chains/chain-world.ts';
import type { OwnTransfer } from '../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';
import { networkMessage, tokenMessage } from '../../wire/chains/messages.ts';
import type {
  Approval,
  ChainFee,
  ChainNode,
  PaymentLimits,
  PaymentOutcome,
  PreparedTransaction,
  SentTransaction,
  SignDigest,
} from './node.ts';

const lots = z.bigint({ error: 'must be a bigint of smallest units' }).min(0n);
const count = z.int().min(0);
const text = z.string();

const rejection = z.object({
  code: z.custom<RejectionCode>(
    (code) => typeof code === 'string' && Object.hasOwn(REJECTIONS, code),
    'must be a code of a refusal',
  ),
  message: text,
  field: z.optional(text),
});

const transaction = z.object({
  hash: text,
  index: count,
  network: text,
  token: count,
  from: text,
  to: text,
  lots,
  memo: z.optional(text),
  at: z.int().transform(micros),
  confirmations: count,
});

const networks = z.array(networkMessage);
const tokens = z.array(tokenMessage);
const outputs = z.array(z.object({ txid: text, index: count, lots }));
const fee = z.object({ lots, expectedLots: z.optional(lots), coin: z.optional(count) });
const limits = z.object({ least: lots, reserve: lots });
const prepared = z.object({
  id: text.min(1),
  raw: text.min(1),
  uses: text.min(1),
  lifetime: z.optional(text),
  feeLots: lots,
});
const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['unseen', 'waiting', 'stuck']) }),
  z.object({ kind: z.literal('made'), transaction, isFinal: z.boolean(), fee: z.optional(fee) }),
  z.object({
    kind: z.literal('failed'),
    id: text,
    reason: text,
    isFinal: z.boolean(),
    fee: z.optional(fee),
  }),
  z.object({ kind: z.literal('dead'), reason: text, mayFollow: z.optional(z.boolean()) }),
]);

/** A rejection has a code; no other answer of a node has one. */
const orRejection = <S extends z.ZodType>(schema: S) =>
  z.unknown().transform((given, context): z.output<S> | Rejection => {
    const isNo = typeof given === 'object' && given !== null && 'code' in given;
    const read = (isNo ? rejection : schema).safeParse(given);
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues) {
      context.addIssue({ code: 'custom', path, message });
    }
    return z.NEVER;
  });

const preparedOrNot = orRejection(prepared);
const sent = orRejection(z.object({ id: text.min(1) }));

/**
 * Checks the answers of a user's node: an amount that is no `bigint`, or a network without its terms, is
 * `answer-invalid` and never a holding.
 */
export class CheckedNode implements ChainNode {
  readonly #path: string;
  readonly #node: ChainNode;

  constructor(path: string, node: ChainNode) {
    this.#path = path;
    this.#node = node;
  }

  async networks(): Promise<readonly NetworkTerms[]> {
    return this.#read('networks', networks, await this.#node.networks());
  }

  async tokens(): Promise<readonly TokenTerms[]> {
    return this.#read('tokens', tokens, await this.#node.tokens());
  }

  async balance(token: number, address: string): Promise<bigint> {
    return this.#read('balance', lots, await this.#node.balance(token, address));
  }

  async outputs(network: string, address: string): Promise<readonly Output[]> {
    return this.#read('outputs', outputs, await this.#node.outputs(network, address));
  }

  async transaction(network: string, hash: string): Promise<ChainTransaction | undefined> {
    const found = await this.#node.transaction(network, hash);
    return this.#read('transaction', transaction.optional(), found);
  }

  async allowance(token: number, owner: string): Promise<bigint> {
    return this.#read('allowance', lots, await this.#node.allowance(token, owner));
  }

  async fee(token: number): Promise<ChainFee> {
    return this.#read('fee', fee, await this.#node.fee(token));
  }

  async limits(token: number): Promise<PaymentLimits> {
    const found = (await this.#node.limits?.(token)) ?? { least: 1n, reserve: 0n };
    return this.#read('limits', limits, found);
  }

  async prepare(
    order: OwnTransfer | Approval,
    sign: SignDigest,
    earlier: readonly PreparedTransaction[] = [],
  ): Promise<PreparedTransaction | Rejection> {
    const made = await this.#node.prepare(order, sign, earlier);
    const read = this.#read('prepare', preparedOrNot, made);
    if ('code' in read || earlier.every(({ uses }) => uses === read.uses)) return read;
    const what = `a transaction that does not exclude ${earlier.map(({ id }) => id).join(', ')}`;
    throw new MillraceError('answer-invalid', `The node by ${this.#path} prepares ${what}.`, {
      where: this.#path,
    });
  }

  async send(network: string, raw: string): Promise<SentTransaction | Rejection> {
    return this.#written('send', sent, await this.#node.send(network, raw));
  }

  async outcome(
    network: string,
    candidates: readonly PreparedTransaction[],
  ): Promise<PaymentOutcome> {
    return this.#read('outcome', outcome, await this.#node.outcome(network, candidates));
  }

  async close(): Promise<void> {
    await this.#node.close?.();
  }

  #read<S extends z.ZodType>(method: string, schema: S, answer: unknown): z.output<S> {
    const read = schema.safeParse(answer);
    if (read.success) return read.data;
    throw new MillraceError('answer-invalid', this.#amiss(method, read.error), { where: this.#path }); // prettier-ignore
  }

  /** Whatever the answer, the transaction may be on its chain. */
  #written<S extends z.ZodType>(method: string, schema: S, answer: unknown): z.output<S> {
    const read = schema.safeParse(answer);
    if (read.success) return read.data;
    const sentence = `${this.#amiss(method, read.error)} What it sent may be on its chain.`;
    throw new MillraceError('outcome-unknown', sentence, { where: this.#path });
  }

  #amiss(method: string, { issues: [issue] }: z.ZodError): string {
    const member = issue?.path.join('.') ?? '';
    const subject = member === '' ? '' : `${member}: `;
    const what = sanitize(`${subject}${issue?.message ?? 'it does not fit'}`);
    return `What ${method} of the node by ${this.#path} answers is none of a ChainNode: ${what}.`;
  }
}
