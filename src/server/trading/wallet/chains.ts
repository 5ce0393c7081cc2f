import { createHash } from 'node:crypto';
import type { Exchange } from '../../../exchange/exchange.ts';
import type { Arrival } from '../../../exchange/wallet/deposits.ts';
import type { CommitRisk, Transaction } from '../../../exchange/wallet/transaction.ts';
import type { Settlement } from '../../../exchange/wallet/withdrawals.ts';
import type { Network } from '../../../model/currency.ts';
import type { Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type { News } from '../news.ts';

/** Timing of the external world, in microseconds. */
export interface ChainTiming {
  /** From the commit of a withdrawal to the chain transaction that carries it. */
  readonly sendUs: number;
  /** Block time: a withdrawal is in the first block, a deposit waits for several. */
  readonly blockUs: number;
}

/** Automatic timing, or `byHand`: the venue's operator decides. */
export type ChainRule = ChainTiming | 'byHand';

/** A withdrawal is done after seven seconds, a deposit with two confirmations after ten. */
export const DEFAULT_TIMING: ChainTiming = {
  sendUs: 2 * US_PER_SECOND,
  blockUs: 5 * US_PER_SECOND,
};

export interface ChainsOptions {
  /** Networks by their codes. */
  readonly networks?: Readonly<Record<string, ChainRule>>;
  /** For all others; default timing if absent. */
  readonly others?: ChainRule;
}

/** Money sent to an account from outside. */
export interface Incoming {
  readonly currency: string;
  readonly amount: Decimal;
  /** The default network of the currency if absent. */
  readonly network?: string;
  /** Its senders; an address of nobody here if absent. */
  readonly senders?: readonly string[];
  readonly commitRisk?: CommitRisk;
}

/** The service as the chains use it. */
export interface ChainsService {
  readonly scheduler: Scheduler;
  readonly news: News;
  readonly act: <T>(act: (exchange: Exchange, at: Micros) => T) => T;
}

/** True if another part decides about a currency on a network. */
export type IsElsewhere = (currency: string, network: string | undefined) => boolean;

/** Risk of a deposit that can still be rolled back: none is assumed. */
const NO_RISK: CommitRisk = { score: 0, rbf: false, lowFee: false };

/** Hexadecimal digits of a hash in an address's number. */
const ADDRESS_DIGITS = 12;

/**
 * The external chains. They carry withdrawals and confirm deposits, each network with its own timing or on
 * demand. Money sent by a chain to an address of another account here arrives there.
 */
export class Chains {
  readonly #service: ChainsService;
  readonly #options: ChainsOptions;
  readonly #waiting = new Set<Cancel>();
  readonly #leave: Cancel;
  #isElsewhere: IsElsewhere = () => false;
  #count = 0;

  constructor(service: ChainsService, options: ChainsOptions = {}) {
    this.#service = service;
    this.#options = options;
    this.#leave = service.news.followTransactions((transaction) => {
      this.#received(transaction);
    });
  }

  /**
   * Leaves some networks to another part that credits money and changes the wallets itself: nothing happens
   * there by time any more, and nobody can decide here what does.
   */
  leave(isElsewhere: IsElsewhere): void {
    this.#isElsewhere = isElsewhere;
  }

  /** Why nobody can decide here about a network; nothing if it is possible. */
  whyNot(currency: string, network: string | undefined): Rejection | undefined {
    if (!this.#isElsewhere(currency, network)) return undefined;
    const message = `${currency} moves on a chain of its own there: what happens on it decides.`;
    return { code: 'request-invalid', field: 'network', message };
  }

  /** Sends money to the deposit address of an account; returns the id of the transaction. */
  send(account: number, incoming: Incoming): string | Rejection {
    const { currency, network, amount, commitRisk = NO_RISK } = incoming;
    const hash = this.#hash('in');
    return this.#service.act((exchange, at) => {
      const found = exchange.wallet.network(currency, network);
      if (isRejection(found)) return found;
      const rejection = this.whyNot(currency, found.code);
      if (rejection !== undefined) return rejection;
      // A sub-account needs no leave for it: its super account may always have the address.
      const owner = exchange.subAccounts.superOf(account);
      const to =
        owner === undefined
          ? exchange.wallet.address(account, currency, at, network)
          : exchange.subAccounts.address(owner, account, currency, at, network);
      if (isRejection(to)) return to;
      const senders = incoming.senders ?? [stranger(found, hash)];
      return exchange.wallet.receive({ ...to, amount, hash, senders, commitRisk }, at);
    });
  }

  /** Confirms a deposit: it has that many confirmations now. */
  confirm(txId: string, confirmations: number): Rejection | undefined {
    return this.#service.act(({ wallet }, at) => wallet.confirm(txId, confirmations, at));
  }

  /** Dismisses a deposit. */
  dismiss(txId: string): Rejection | undefined {
    return this.#service.act(({ wallet }, at) => wallet.dismiss(txId, at));
  }

  /** Tries a committed withdrawal by a transaction on its chain, which is not in a block yet. */
  attempt(txId: string): Rejection | undefined {
    const hash = this.#hash('out');
    return this.#service.act(({ wallet }, at) => wallet.attempt(txId, hash, at));
  }

  /** Puts a committed withdrawal into a block, by the transaction that was tried last if any was. */
  carry(account: number, txId: string): Rejection | undefined {
    return this.#service.act((exchange, at) => {
      const withdrawal = exchange.wallet.transaction(account, txId);
      if (isRejection(withdrawal)) return withdrawal;
      const hash = withdrawal.hash ?? this.#hash('out');
      const settlement: Settlement = { kind: 'sent', hash };
      const rejection = exchange.wallet.settleWithdrawal(txId, settlement, at);
      if (rejection === undefined) deliver(exchange, { ...withdrawal, hash }, at);
      return rejection;
    });
  }

  /** Fails a committed withdrawal, whose money comes back. */
  fail(txId: string, error?: Transaction['errorCode']): Rejection | undefined {
    const settlement: Settlement = { kind: 'failed', error };
    return this.#service.act(({ wallet }, at) => wallet.settleWithdrawal(txId, settlement, at));
  }

  /** Stops: nothing happens by time any more. */
  close(): void {
    this.#leave();
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  /** Schedules the next step of a transaction, if it depends on time. */
  #received(transaction: Transaction): void {
    const { subtype, type, status, account, txId, hash, confirmations = 0 } = transaction;
    if (subtype !== 'BLOCKCHAIN') return;
    const limiter = this.#limiter(transaction);
    if (limiter === undefined) return;
    if (type === 'DEPOSIT' && (status === 'CREATED' || status === 'PENDING')) {
      this.#in(limiter.blockUs, transaction, () => this.confirm(txId, confirmations + 1));
    } else if (type === 'WITHDRAW' && status === 'PENDING') {
      if (hash === undefined) this.#in(limiter.sendUs, transaction, () => this.attempt(txId));
      else this.#in(limiter.blockUs, transaction, () => this.carry(account, txId));
    }
  }

  #limiter({ currency, network = '' }: Transaction): ChainTiming | undefined {
    if (this.#isElsewhere(currency, network)) return undefined;
    const { networks = {}, others = DEFAULT_TIMING } = this.#options;
    const rule = Object.hasOwn(networks, network) ? networks[network] : others;
    return rule === 'byHand' ? undefined : rule;
  }

  /** Does the next step later, unless it was decided by then. */
  #in(us: number, { account, txId, index }: Transaction, step: () => unknown): void {
    const { scheduler } = this.#service;
    const cancel = scheduler.at(micros(scheduler.now() + us), () => {
      this.#waiting.delete(cancel);
      const now = this.#service.act(({ wallet }) => wallet.transaction(account, txId));
      if (!isRejection(now) && now.index === index) step();
    });
    this.#waiting.add(cancel);
  }

  /** A hash of a counter, so that the same run has the same ones. */
  #hash(direction: 'in' | 'out'): string {
    this.#count += 1;
    return createHash('sha256').update(`${direction} ${this.#count}`).digest('hex');
  }
}

/** Delivers money sent to an address of an account here; otherwise it is gone. */
function deliver(exchange: Exchange, sent: Transaction & { hash: string }, at: Micros): void {
  const { currency, address = '', paymentId, amount, hash } = sent;
  const network = exchange.wallet.network(currency, sent.network);
  if (isRejection(network)) {
    throw new MillraceError('internal', `The withdrawal ${sent.txId} went nowhere.`);
  }
  const arrival: Arrival = {
    currency,
    network: network.code,
    address,
    amount,
    hash,
    paymentId,
    confirmations: 1,
    // The accounts here have addresses from 1 on.
    senders: [network.address(0)],
    commitRisk: NO_RISK,
  };
  exchange.wallet.receive(arrival, at);
}

/** An external address: accounts here have addresses of small numbers. */
const stranger = (network: Network, hash: string): string =>
  network.address(Number.parseInt(hash.slice(0, ADDRESS_DIGITS), 16));
