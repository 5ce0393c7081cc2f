import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, type Micros } from '../../../platform/time.ts';
import type { ApprovalSigner } from '../../../swaps/approvals/approval.ts';
import type {
  RealChain,
  RealTransfer,
  TransferResult,
} from '../../../swaps/chains/real-networks.ts';
import type { Step, TransferData } from '../../../swaps/execution/transfer-route.ts';
import { amountOf, type NetworkTerms, type TokenTerms } from '../../../swaps/tokens.ts';
import type { EvmNode } from '../../chains/evm/evm-node.ts';
import { digits, LineBook } from '../../chains/line-book.ts';
import { textIn } from '../data.ts';
import { ChainPayer, type TransferNode } from './chain-payer.ts';
import type { Payment, PaymentChange } from './payment.ts';

export interface ServiceChainOptions {
  readonly node: EvmNode;
  readonly network: NetworkTerms;
  readonly tokens: readonly TokenTerms[];
  /** Signers of the service's addresses. */
  readonly signers: readonly ApprovalSigner[];
  /** File of the transfers that were begun. */
  readonly file: string;
  readonly scheduler: Scheduler;
  /** Receives why a transfer does not continue, once for each reason. */
  readonly log: (error: unknown, where: string) => void;
}

/** A started transfer, and its payer's data. */
const entryForm = z.strictObject({
  id: z.string(),
  token: z.int(),
  from: z.string(),
  to: z.string(),
  lots: digits,
  /** Signature of the permit that it goes by. */
  permit: z.optional(z.string()),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});

type Entry = z.output<typeof entryForm>;

/**
 * Makes the transfers of a service on an EVM chain, each as a payment: prepared, stored, sent, and watched
 * until it is final. A transfer out of a user's address uses permit2.
 */
export class ServiceChain implements RealChain {
  readonly #options: ServiceChainOptions;
  readonly #book: LineBook<Entry>;
  readonly #waiting = new Set<Cancel>();
  readonly #reported = new Map<string, string>();
  #isClosed = false;

  constructor(options: ServiceChainOptions) {
    this.#options = options;
    const form = { what: 'transfers', schema: entryForm, keyOf: ({ id }: Entry): string => id };
    this.#book = new LineBook(options.file, form);
  }

  async check(isNew: boolean): Promise<void> {
    this.#book.open();
    const { file, network } = this.#options;
    if (isNew && this.#book.entries().length > 0) {
      throw new MillraceError('venue-data-invalid', `${file} has transfers of a state that is gone, and the ids of a new one would be taken for theirs. Put the state back, or begin with an empty folder once nothing of ${network.name} is under way.`, { where: file }); // prettier-ignore
    }
    await this.#options.node.networks();
  }

  async balance(token: number, address: string): Promise<bigint> {
    return this.#options.node.balance(token, address);
  }

  async allowance(token: number, owner: string): Promise<bigint> {
    return this.#options.node.allowance(token, owner);
  }

  async transfer(transfer: RealTransfer): Promise<TransferResult> {
    for (;;) {
      if (this.#isClosed) throw new MillraceError('unreachable', 'The chain was closed.');
      try {
        const result = await this.#attempt(transfer);
        if (result !== undefined) return result;
      } catch (error) {
        this.#report(transfer, error);
      }
      await this.#pause();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#waiting) wake();
    this.#book.close();
    await this.#options.node.close();
  }

  /** Executes the next step; returns the end if that is certain. */
  async #attempt(transfer: RealTransfer): Promise<TransferResult | undefined> {
    const { id, token, from, to, lots } = transfer;
    const permit = transfer.permit?.signature;
    const entry = this.#begun(transfer) ?? { id, token, from, to, lots, permit, data: {} };
    const payer = this.#payerOf(transfer);
    const payment = this.#paymentOf(transfer);
    const step = payer.next(payment, entry.data);
    if (isTooLate(transfer, entry, this.#options.scheduler.now())) return TOO_LATE;
    const change =
      step === undefined
        ? await payer.observe(payment, entry.data)
        : await performed(payer, payment, entry.data, step);
    if (change.reason !== undefined && change.stage !== 'refused') {
      this.#report(transfer, new MillraceError('service-refused', change.reason));
    }
    const data: TransferData = { ...entry.data, ...change.data };
    if (JSON.stringify(data) !== JSON.stringify(entry.data)) {
      this.#book.write({ ...entry, data: data as Entry['data'] });
    }
    return this.#resultOf(change, data);
  }

  async #resultOf(
    { stage, reason }: PaymentChange,
    data: TransferData,
  ): Promise<TransferResult | undefined> {
    if (stage === 'refused') {
      return { code: 'transfer-invalid', message: reason ?? 'The chain did not take it.' };
    }
    if (stage !== 'arrived') return undefined;
    const { node, network } = this.#options;
    const hash = textIn(data, 'payHash');
    const made = await node.transaction(network.code, hash);
    return made === undefined ? undefined : { hash, lots: made.lots };
  }

  /** The started transfer of that id. Throws if it was a different transfer: neither is made then. */
  #begun({ id, token, from, to, lots, permit }: RealTransfer): Entry | undefined {
    const entry = this.#book.entries().find((one) => one.id === id);
    if (entry === undefined) return undefined;
    const isSame =
      entry.token === token && entry.from === from && entry.to === to && entry.lots === lots;
    if (isSame && entry.permit === permit?.signature) return entry;
    throw new MillraceError('journal-invalid', `The transfer ${id} was begun with ${entry.lots} from ${entry.from} to ${entry.to}, and is asked for with ${lots} from ${from} to ${to}: look at the chain; neither is sent any more.`, { where: this.#options.file }); // prettier-ignore
  }

  #payerOf({ token: id, from, permit }: RealTransfer): ChainPayer {
    const { network, tokens, signers, node } = this.#options;
    const address = permit?.spender ?? from;
    const token = tokens.find((one) => one.id === id);
    const signer = signers.find((one) => one.address.toLowerCase() === address.toLowerCase());
    if (token === undefined || signer === undefined) {
      throw new MillraceError(
        'internal',
        `${network.name} has no token ${id}, or ${address} no key here.`,
      );
    }
    const permitted: TransferNode = {
      tokens: async () => Promise.resolve(tokens),
      fee: async (coin) => node.fee(coin),
      balance: async (coin, owner) => node.balance(coin, owner),
      send: async (code, raw) => node.send(code, raw),
      outcome: async (code, candidates) => node.outcome(code, candidates),
      transaction: async (code, hash) => node.transaction(code, hash),
      prepare: async (order, sign, earlier) => {
        if (permit === undefined || !('to' in order)) return node.prepare(order, sign, earlier);
        const { network: code, token: of, to, lots, nonce } = order;
        return node.prepare({ network: code, token: of, to, lots, nonce, owner: from, permit }, sign, earlier); // prettier-ignore
      },
    };
    return new ChainPayer(permitted, { network, token, signer });
  }

  #paymentOf({ id, token, to, lots }: RealTransfer): Payment {
    const { tokens, scheduler } = this.#options;
    const decimals = tokens.find((one) => one.id === token)?.decimals ?? 0;
    const amount = amountOf(lots, decimals);
    return { id, to: { address: to }, amount, most: amount, since: scheduler.now() };
  }

  #report({ id, network }: RealTransfer, error: unknown): void {
    if (this.#isClosed) return;
    const why = error instanceof Error ? error.message : String(error);
    if (this.#reported.get(id) === why) return;
    this.#reported.set(id, why);
    this.#options.log(error, `the transfer ${id} on ${network}`);
  }

  async #pause(): Promise<void> {
    const { scheduler, network } = this.#options;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        cancel();
        resolve();
      };
      const cancel = scheduler.at(micros(scheduler.now() + network.blockUs), wake);
      this.#waiting.add(wake);
    });
  }
}

const TOO_LATE = { code: 'transfer-invalid', message: 'Its deadline passed before anything was signed.' } as const; // prettier-ignore

/** True if nothing was signed before the deadline of a transfer; a signed one may be on its chain. */
const isTooLate = ({ notAfter }: RealTransfer, { data }: Entry, now: Micros): boolean =>
  notAfter !== undefined && now >= notAfter && data['payCandidates'] === undefined;

/** Executes a step. One that may have sent something is looked up if that is unknown. */
async function performed(
  payer: ChainPayer,
  payment: Payment,
  data: TransferData,
  step: Step,
): Promise<PaymentChange> {
  try {
    return await payer.perform(payment, data, step);
  } catch (error) {
    if (!step.pays) throw error;
    const found = await payer.recall(payment, data, step);
    if (found === 'undone') throw error;
    return found;
  }
}
