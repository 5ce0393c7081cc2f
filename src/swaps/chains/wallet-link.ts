import type { Exchange } from '../../exchange/exchange.ts';
import type { AddressMaker } from '../../exchange/wallet/addresses.ts';
import type { Transaction } from '../../exchange/wallet/transaction.ts';
import type { Settlement } from '../../exchange/wallet/withdrawals.ts';
import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { isRejection } from '../../model/rejections.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { amountOf, type TokenTerms } from '../tokens.ts';
import type { ChainTransaction, ChainWorld } from './chain-world.ts';

/** Owner of the trading service's withdrawable money on each chain. */
export const OMNIBUS = 'trading omnibus';

/** Networks of the trading service by their codes, such as `ETH`, and the chains that they are. */
export type LinkedNetworks = Readonly<Record<string, string>>;

/** The trading service whose wallets are linked. */
export interface LinkedTrading {
  readonly exchange: Exchange;
  readonly scheduler: Scheduler;
  readonly news: { followTransactions(listener: (transaction: Transaction) => void): Cancel };
  /** Its own chains, which leave the linked networks alone. */
  readonly chains?: {
    leave(isElsewhere: (currency: string, network: string | undefined) => boolean): void;
  };
  act<T>(act: (exchange: Exchange, at: Micros) => T): T;
}

/** Delays and failures of a service's transfers over a network. */
export interface TransferRules {
  /** From the commit of a withdrawal to the chain transaction that carries it. */
  readonly sendUs: number;
  /** From the confirmations that a deposit needs to its credit. */
  readonly creditUs: number;
  /** True if the next withdrawal fails, or the next deposit is given up. */
  readonly failsToSend: boolean;
  readonly failsToCredit: boolean;
}

const DEFAULT_RULES: TransferRules = {
  sendUs: 2 * US_PER_SECOND,
  creditUs: 0,
  failsToSend: false,
  failsToCredit: false,
};

/** Options of a link. */
export interface LinkOptions {
  /** Called at each withdrawal and each deposit; a withdrawal is sent after two seconds if absent. */
  readonly rules?: (network: string) => TransferRules;
  readonly bring?: Bring;
}

/**
 * Makes deposit addresses that are real addresses of their chains, with their own keys, for the exchange of
 * a trading service whose wallets are linked.
 */
export const depositAddresses =
  (chains: ChainWorld, networks: LinkedNetworks): AddressMaker =>
  (currency, network, number) => {
    const token = linkedToken(chains, networks, currency, network);
    return token === undefined
      ? undefined
      : chains.addressOf(token.network, `trading deposit ${number}`);
  };

/**
 * Links the wallets of a trading service with chains. A withdrawal moves money from the omnibus
 * address to its target, and is done with the first confirmation; its fee stays at the omnibus
 * address, where the house owns it. A transfer to a deposit address is a deposit, which is credited
 * once it has the confirmations of its network, or all that its chain gives, and the money has moved
 * on to the omnibus address; it fails where that cannot be, for the money was taken away again.
 *
 * A withdrawal that the omnibus address has not the money for, even after `bring` was asked for what
 * is missing, fails, and its money comes back. Its amount is rounded down to the smallest unit of the
 * token. Currencies that no token of the chain is of go on as before. Throws `config-invalid` if
 * networks are linked that cannot be.
 */
export function linkWallets(
  trading: LinkedTrading,
  chains: ChainWorld,
  networks: LinkedNetworks,
  options: LinkOptions = {},
): Cancel {
  check(trading, chains, networks);
  const link = new WalletLink(trading, chains, networks, options);
  return () => {
    link.close();
  };
}

/**
 * Adds an amount of a token to an address if it can: purchases from a market that is no account have no
 * deposit behind them.
 */
export type Bring = (token: TokenTerms, address: string, lots: bigint) => void;

/** A deposit that is not credited yet. */
interface UnderWay {
  readonly txId: string;
  /** Confirmations that its network requires. */
  readonly needed: number;
}

class WalletLink {
  readonly #trading: LinkedTrading;
  readonly #chains: ChainWorld;
  readonly #networks: LinkedNetworks;
  readonly #bring: Bring;
  readonly #rules: (network: string) => TransferRules;
  /** Deposits by payment, and withdrawals by the hash of what carries them. */
  readonly #deposits = new Map<string, UnderWay>();
  readonly #withdrawals = new Map<string, string>();
  readonly #leaves: readonly Cancel[];
  readonly #timers = new Set<Cancel>();

  constructor(
    trading: LinkedTrading,
    chains: ChainWorld,
    networks: LinkedNetworks,
    { bring = () => undefined, rules = () => DEFAULT_RULES }: LinkOptions,
  ) {
    this.#trading = trading;
    this.#chains = chains;
    this.#networks = networks;
    this.#bring = bring;
    this.#rules = rules;
    trading.chains?.leave((currency, network) => this.#token(currency, network) !== undefined);
    this.#leaves = [
      trading.news.followTransactions((transaction) => {
        this.#asked(transaction);
      }),
      chains.follow((transaction) => {
        this.#seen(transaction);
      }),
    ];
  }

  close(): void {
    for (const leave of [...this.#leaves, ...this.#timers]) leave();
    this.#timers.clear();
    this.#trading.chains?.leave(() => false);
  }

  #token(currency: string, network: string | undefined): TokenTerms | undefined {
    return linkedToken(this.#chains, this.#networks, currency, network);
  }

  /** Sends a withdrawal once it is committed, after its delay. */
  #asked({ type, subtype, status, hash, currency, network, account, txId }: Transaction): void {
    if (type !== 'WITHDRAW' || subtype !== 'BLOCKCHAIN') return;
    if (status !== 'PENDING' || hash !== undefined) return;
    const token = this.#token(currency, network);
    if (token === undefined) return;
    const { sendUs, failsToSend } = this.#rules(network ?? '');
    this.#after(sendUs, () => {
      if (failsToSend) this.#settle(txId, { kind: 'failed' });
      else this.#send(token, account, txId);
    });
  }

  #after(us: number, act: () => void): void {
    const { scheduler } = this.#trading;
    const cancel = scheduler.at(micros(scheduler.now() + us), () => {
      this.#timers.delete(cancel);
      act();
    });
    this.#timers.add(cancel);
  }

  #send(token: TokenTerms, account: number, txId: string): void {
    const withdrawal = this.#trading.act(({ wallet }) => wallet.transaction(account, txId));
    if (isRejection(withdrawal) || withdrawal.status !== 'PENDING') return;
    const { amount, address = '', paymentId } = withdrawal;
    const from = this.#chains.addressOf(token.network, OMNIBUS);
    const lots = lotsBelow(amount, token.decimals);
    const missing = lots - this.#chains.balance(token.id, from);
    const isPayable = this.#chains.isAddress(token.network, address);
    if (missing > 0n && isPayable) this.#bring(token, from, missing);
    const sent = this.#chains.transfer({
      token: token.id,
      from,
      to: address,
      lots,
      memo: paymentId,
    });
    if (isRejection(sent)) {
      const error = sent.code === 'address-invalid' ? ({ error: 'INVALID_ADDRESS' } as const) : {};
      this.#settle(txId, { kind: 'failed', ...error });
      return;
    }
    this.#withdrawals.set(nameOf(sent), txId);
    this.#trading.act(({ wallet }, at) => wallet.attempt(txId, sent.hash, at));
  }

  #seen(transaction: ChainTransaction): void {
    const { network: chain, token, confirmations, hash } = transaction;
    const found = Object.entries(this.#networks).find(([, code]) => code === chain);
    const terms = this.#chains.tokens.find(({ id }) => id === token);
    if (found === undefined || terms === undefined) return;
    const [network] = found;
    if (this.#token(terms.asset, network)?.id !== token) return;
    const name = nameOf(transaction);
    const txId = this.#withdrawals.get(name);
    if (txId !== undefined && confirmations > 0) {
      this.#withdrawals.delete(name);
      this.#settle(txId, { kind: 'sent', hash });
    }
    if (confirmations === 0) this.#arrived(transaction, terms, network);
    else this.#confirmed(transaction);
  }

  /** Processes a payment to a deposit address; others are ignored. */
  #arrived(transaction: ChainTransaction, token: TokenTerms, network: string): void {
    const { to, from, lots, hash, memo } = transaction;
    this.#trading.act((exchange, at) => {
      const found = exchange.wallet.network(token.asset, network);
      if (isRejection(found)) return;
      const { payinPaymentId, payinConfirmations: needed } = found.terms;
      const txId = exchange.wallet.receive(
        {
          currency: token.asset,
          network,
          address: to,
          ...(payinPaymentId && memo !== undefined ? { paymentId: memo } : {}),
          amount: amountOf(lots, token.decimals),
          hash,
          senders: [from],
        },
        at,
      );
      if (!isRejection(txId)) this.#deposits.set(nameOf(transaction), { txId, needed });
    });
    // A network may require no confirmation; then the money cannot have been taken back.
    if (this.#deposits.get(nameOf(transaction))?.needed === 0) this.#moveOn(transaction);
  }

  #confirmed(transaction: ChainTransaction): void {
    const deposit = this.#deposits.get(nameOf(transaction));
    if (deposit === undefined) return;
    const { txId, needed } = deposit;
    const network = this.#chains.networks.find(({ code }) => code === transaction.network);
    const isLast = transaction.confirmations >= (network?.confirmations ?? 0);
    const confirmations = isLast
      ? Math.max(transaction.confirmations, needed)
      : transaction.confirmations;
    if (confirmations < needed) {
      this.#trading.act(({ wallet }, at) => wallet.confirm(txId, confirmations, at));
      return;
    }
    this.#deposits.delete(nameOf(transaction));
    const code = Object.keys(this.#networks).find((one) => this.#networks[one] === network?.code);
    const { creditUs, failsToCredit } = this.#rules(code ?? '');
    const credit = (): void => {
      const isHere = !failsToCredit && this.#moveOn(transaction);
      this.#trading.act(({ wallet }, at) =>
        isHere ? wallet.confirm(txId, confirmations, at) : wallet.dismiss(txId, at),
      );
    };
    if (creditUs === 0) credit();
    else this.#after(creditUs, credit);
  }

  /**
   * Moves a deposit to the omnibus address, so that it can be credited. False if the money is gone: whoever
   * knows the seed of the chains has the keys of all derived addresses.
   */
  #moveOn(transaction: ChainTransaction): boolean {
    this.#deposits.delete(nameOf(transaction));
    const { token, to, lots, network } = transaction;
    const moved = this.#chains.transfer({
      token,
      from: to,
      to: this.#chains.addressOf(network, OMNIBUS),
      lots,
    });
    return !isRejection(moved);
  }

  #settle(txId: string, settlement: Settlement): void {
    this.#trading.act(({ wallet }, at) => wallet.settleWithdrawal(txId, settlement, at));
  }
}

/** The token of a currency on a network; the first one if there are several. */
function linkedToken(
  chains: ChainWorld,
  networks: LinkedNetworks,
  currency: string,
  network: string | undefined,
): TokenTerms | undefined {
  if (network === undefined || !Object.hasOwn(networks, network)) return undefined;
  const chain = networks[network];
  return chains.tokens.find((token) => token.network === chain && token.asset === currency);
}

/** Smallest units of an amount, rounded down: the rest stays. */
const lotsBelow = (amount: Decimal, decimals: number): bigint =>
  BigInt(amount.times(new Decimal(10).pow(decimals)).floor().toFixed());

const nameOf = ({ network, hash, index }: ChainTransaction): string =>
  `${network} ${hash} ${index}`;

/** Throws if a chain is missing or linked twice, or its addresses are none of the network. */
function check(trading: LinkedTrading, chains: ChainWorld, networks: LinkedNetworks): void {
  const linked = Object.values(networks);
  for (const chain of linked) {
    if (!chains.networks.some(({ code }) => code === chain)) throw wrong(`no chain ${chain}`);
    if (linked.indexOf(chain) !== linked.lastIndexOf(chain)) throw wrong(`${chain} twice`);
  }
  for (const { code: currency, networks: its } of trading.exchange.wallet.currencies) {
    for (const network of its) {
      const token = linkedToken(chains, networks, currency, network.code);
      if (token === undefined) continue;
      const address = chains.addressOf(token.network, OMNIBUS);
      if (network.takesAddress(address)) continue;
      throw wrong(`${network.code}, which takes no ${address} for ${currency}`);
    }
  }
}

const wrong = (what: string): MillraceError =>
  new MillraceError('config-invalid', `Wallets cannot be linked with ${what}.`);
