import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import { REJECTIONS, type Rejection, type RejectionCode } from '../../model/rejections.ts';
import { micros } from '../../platform/time.ts';
import type { ChainTransaction, Output } from '../../swaps/chains/chain-world.ts';
import { permitDigest, type OwnTransfer } from '../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';
import {
  balanceMessage,
  CHAINS_PATHS,
  CHAINS_PREFIX,
  chainsErrorMessage,
  networkMessage,
  outputMessage,
  rawTransactionMessage,
  signedPermitMessage,
  signedTransferMessage,
  tokenMessage,
  transactionMessage,
} from '../../wire/chains/messages.ts';
import { jsonIn } from '../../wire/json.ts';
import { ClockWaits } from '../http/clock-waits.ts';
import {
  resolveHttpSettings,
  type HttpSettings,
  type ResolvedHttpSettings,
} from '../http/settings.ts';
import { wordless } from '../http/service-error.ts';
import { HttpTransport } from '../http/transport.ts';
import {
  answerInvalid,
  failure,
  classifyOutcome,
  rejected,
  repeated,
  type Answered,
  type JudgedCall,
  type RequestOutcome,
} from '../http/request-outcome.ts';
import type {
  Approval,
  ChainFee,
  ChainNode,
  PaymentOutcome,
  PreparedTransaction,
  SentTransaction,
  SignDigest,
} from './node.ts';
import {
  prepareSimulated,
  readSimulated,
  simulatedOutcome,
  WHOLE_ALLOWANCE,
} from './simulated-bytes.ts';

type Path = (typeof CHAINS_PATHS)[keyof typeof CHAINS_PATHS];

/** A call: its name for errors, its path, and the schemas of its input and answer. */
interface Call<Answer extends z.ZodType> {
  readonly name: string;
  readonly path: Path;
  readonly members?: Readonly<Record<string, string | number>>;
  readonly answer: Answer;
  /** Absent if it only reads. */
  readonly body?: unknown;
}

/** The outputs of a Bitcoin transaction; each has the hash of all. */
const transactions = z.tuple([transactionMessage], transactionMessage);
const nothing = z.object({});

/** The node of simulated chains over HTTP. Reads are repeated if that may help, writes never. */
export class SimulatedNode implements ChainNode {
  readonly #settings: ResolvedHttpSettings;
  readonly #transport: HttpTransport;
  readonly #pauses: ClockWaits;

  /** Throws `config-invalid` for settings of no use. */
  constructor(settings: HttpSettings) {
    this.#settings = resolveHttpSettings(settings);
    const { origin, scheduler } = this.#settings;
    this.#transport = new HttpTransport(origin, scheduler, this.#settings);
    this.#pauses = new ClockWaits(scheduler);
  }

  async networks(): Promise<readonly NetworkTerms[]> {
    const path = CHAINS_PATHS.networks;
    return this.#read({ name: 'networks', path, answer: z.array(networkMessage) });
  }

  async tokens(): Promise<readonly TokenTerms[]> {
    const path = CHAINS_PATHS.tokens;
    return this.#read({ name: 'tokens', path, answer: z.array(tokenMessage) });
  }

  async balance(token: number, address: string): Promise<bigint> {
    return (await this.#balance('balance', token, address)).lots;
  }

  async outputs(network: string, address: string): Promise<readonly Output[]> {
    const members = { network, address };
    const path = CHAINS_PATHS.outputs;
    return this.#read({ name: 'outputs', path, members, answer: z.array(outputMessage) });
  }

  async transaction(network: string, hash: string): Promise<ChainTransaction | undefined> {
    const members = { network, hash };
    const path = CHAINS_PATHS.transaction;
    const call = { name: 'transaction', path, members, answer: transactionMessage };
    const read = await this.#ask(call);
    if (!isNo(read)) return timed(read);
    if (read.rejection.code === 'transaction-unknown') return undefined;
    throw read.error;
  }

  async allowance(token: number, owner: string): Promise<bigint> {
    return (await this.#balance('allowance', token, owner)).permitted ? WHOLE_ALLOWANCE : 0n;
  }

  fee(): Promise<ChainFee> {
    return Promise.resolve({ lots: 0n });
  }

  async prepare(
    order: OwnTransfer | Approval,
    sign: SignDigest,
  ): Promise<PreparedTransaction | Rejection> {
    return prepareSimulated(await this.networks(), order, sign);
  }

  async send(network: string, raw: string): Promise<SentTransaction | Rejection> {
    const signed = readSimulated(raw);
    if ('rejection' in signed) return signed.rejection;
    if ('transfer' in signed) {
      const body = z.encode(signedTransferMessage, signed.transfer);
      const call = { name: 'send', path: CHAINS_PATHS.transfers, body, answer: transactionMessage };
      const sent = await this.#ask(call);
      return isNo(sent) ? sent.rejection : { id: sent.hash };
    }
    if ('permit' in signed) {
      const body = z.encode(signedPermitMessage, signed.permit);
      const call = { name: 'send', path: CHAINS_PATHS.permits, body, answer: nothing };
      const sent = await this.#ask(call);
      return isNo(sent) ? sent.rejection : { id: permitDigest(signed.permit) };
    }
    const body = z.encode(rawTransactionMessage, { transaction: signed.bitcoin });
    const path = CHAINS_PATHS.transactions;
    const call = { name: 'send', path, members: { network }, body, answer: transactions };
    const sent = await this.#ask(call);
    return isNo(sent) ? sent.rejection : { id: sent[0].hash };
  }

  async outcome(
    network: string,
    candidates: readonly PreparedTransaction[],
  ): Promise<PaymentOutcome> {
    return simulatedOutcome(this, network, candidates);
  }

  /** Ends running calls, and all connections. */
  async close(): Promise<void> {
    this.#pauses.close(
      new MillraceError('unreachable', 'The node was closed before it was asked.'),
    );
    await this.#transport.close();
  }

  async #balance(
    name: string,
    token: number,
    address: string,
  ): Promise<z.output<typeof balanceMessage>> {
    const members = { token, address };
    return this.#read({ name, path: CHAINS_PATHS.balance, members, answer: balanceMessage });
  }

  /** Reads; a rejection is thrown. */
  async #read<Answer extends z.ZodType>(call: Call<Answer>): Promise<z.output<Answer>> {
    const read = await this.#ask(call);
    if (isNo(read)) throw read.error;
    return read;
  }

  async #ask<Answer extends z.ZodType>(call: Call<Answer>): Promise<z.output<Answer> | No> {
    const reads = call.body === undefined;
    const judged: JudgedCall = { name: call.name, reads, redact: (words) => words };
    return repeated(this.#settings, this.#pauses, reads, async () => {
      const outcome = await this.#transport.send({
        method: reads ? 'GET' : 'POST',
        target: CHAINS_PREFIX + filled(call),
        headers: reads ? {} : { 'content-type': 'application/json' },
        body: reads ? '' : JSON.stringify(call.body),
      });
      const verdict = classifyOutcome(judged, outcome, (answered) =>
        readAnswer(judged, call.answer, answered),
      );
      if (verdict.kind === 'answer' || reads) return verdict;
      return { ...verdict, error: unsettled(verdict.error) };
    });
  }
}

/** A rejection of the node: a value for callers that expect it, an error for the others. */
class No {
  readonly rejection: Rejection;
  readonly error: MillraceError;

  constructor(rejection: Rejection, error: MillraceError) {
    this.rejection = rejection;
    this.error = error;
  }
}

const isNo = (answer: unknown): answer is No => answer instanceof No;

function readAnswer<Answer extends z.ZodType>(
  call: JudgedCall,
  message: Answer,
  { status, headers, body }: Answered,
): RequestOutcome<z.output<Answer> | No> {
  const json = jsonIn(body);
  if (status >= 200 && status < 300) {
    const read = message.safeDecode(json as z.input<Answer>);
    if (read.success) return { kind: 'answer', value: read.data };
    const field = read.error.issues[0]?.path.join('.');
    return failure(answerInvalid(call, 'it does not fit', field));
  }
  const reported = chainsErrorMessage.safeParse(json);
  const words = wordless(status, 'node');
  const serviceMessage = reported.data?.message ?? words.serviceMessage;
  const verdict = rejected(call, { ...words, serviceMessage }, headers);
  if (verdict.kind !== 'failure' || status >= 500 || reported.data === undefined) return verdict;
  const { code, message: sentence, field } = reported.data;
  if (!isRejectionCode(code)) return verdict;
  const rejection = {
    code,
    message: sanitize(sentence),
    ...(field === undefined ? {} : { field: sanitize(field) }),
  };
  return { kind: 'answer', value: new No(rejection, verdict.error) };
}

const isRejectionCode = (code: string): code is RejectionCode => Object.hasOwn(REJECTIONS, code);

/** After any answer to a send but a rejection the transaction may be on its chain. */
const unsettled = (error: MillraceError): MillraceError =>
  error.code === 'unreachable' || error.code === 'outcome-unknown'
    ? error
    : new MillraceError('outcome-unknown', `${error.message} It is not known whether it was sent.`, { cause: error }); // prettier-ignore

/** The path of a call with its parameters filled in. */
const filled = <Answer extends z.ZodType>({ path, members = {} }: Call<Answer>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(members[name] ?? ''));

const timed = (read: z.output<typeof transactionMessage>): ChainTransaction => ({
  ...read,
  at: micros(read.at),
});
