import {
  EXCHANGE_METHODS,
  type ExchangeMethod,
  type ReadResult,
} from '../../wire/exchange-orders/methods.ts';
import { refuseExtraArguments } from '../http/extra-arguments.ts';
import { paramsOf, type ArgumentsOfMethod, type MethodOfArguments } from './arguments.ts';
import { ExchangeOrdersCaller } from './caller.ts';
import { followed, type FollowTransactionOptions } from './following.ts';
import {
  readResult,
  withPayin,
  type CreatedFixTransaction,
  type CreatedPrivateSend,
  type CreatedTransaction,
  type ExchangeTransaction,
  type PrivateSend,
} from './records.ts';
import { resolveExchangeOrdersSettings } from './resolve-settings.ts';
import type { ExchangeOrdersSettings } from './settings.ts';

type Given<M extends MethodOfArguments> = ArgumentsOfMethod<M>;

const OF_PRIVATE_SENDS: ReadonlySet<ExchangeMethod> = new Set<ExchangeMethod>([
  'estimatePrivateSend',
  'createPrivateSendTransaction',
  'getPrivateSendTransactions',
]);

/**
 * The exchange order service. Every request is signed by a private key that stays here, and leaves
 * within the limit of requests per second. What reads is repeated where it is not answered; what
 * creates never is: `outcome-unknown` then says that it may have been done. What the service refuses is
 * an `ExchangeOrderError`, whose `fault` says what it means.
 *
 * Money goes to the `payin` of what was created: its `address`, and with it its `extraId` where
 * there is one, without which the money is lost to the service.
 */
export class ExchangeOrdersClient {
  static {
    refuseExtraArguments(ExchangeOrdersClient, {
      getCurrencies: 0,
      getCurrenciesFull: 0,
      getPairs: 1,
      getPairsParams: 1,
      getMinAmount: 1,
      getExchangeAmount: 1,
      getFixRate: 1,
      getFixRateForAmount: 1,
      createTransaction: 1,
      createFixTransaction: 1,
      getStatus: 1,
      getTransactions: 1,
      validateAddress: 1,
      estimatePrivateSend: 1,
      createPrivateSendTransaction: 1,
      getPrivateSendTransactions: 1,
      follow: 2,
      close: 0,
    });
  }

  readonly #caller: ExchangeOrdersCaller;
  readonly #url: string;

  /** Opens no connection yet. Throws `config-invalid` for settings of no use. */
  constructor(settings: ExchangeOrdersSettings) {
    const resolved = resolveExchangeOrdersSettings(settings);
    this.#url = resolved.origin;
    this.#caller = new ExchangeOrdersCaller(resolved);
  }

  /** Address of the service. */
  get url(): string {
    return this.#url;
  }

  /** Tickers of the currencies that are exchanged now. */
  async getCurrencies(): Promise<ReadResult<'getCurrencies'>> {
    return this.#call('getCurrencies', {});
  }

  /** All currencies with their properties, disabled ones too. */
  async getCurrenciesFull(): Promise<ReadResult<'getCurrenciesFull'>> {
    return this.#call('getCurrenciesFull', {});
  }

  /** Currency pairs at float or fixed rates. */
  async getPairs(given: Given<'getPairs'> = {}): Promise<ReadResult<'getPairs'>> {
    return this.#ask('getPairs', given);
  }

  /** Smallest and largest amounts of pairs; deprecated by the service. */
  async getPairsParams(given: Given<'getPairsParams'>): Promise<ReadResult<'getPairsParams'>> {
    return this.#ask('getPairsParams', given);
  }

  /** The smallest amount of a pair; deprecated by the service. */
  async getMinAmount(given: Given<'getMinAmount'>): Promise<ReadResult<'getMinAmount'>> {
    return this.#ask('getMinAmount', given);
  }

  /** Estimated amounts at the present float rates; of many, pairs that are not exchanged are left out. */
  async getExchangeAmount(
    given: Given<'getExchangeAmount'>,
  ): Promise<ReadResult<'getExchangeAmount'>> {
    return this.#ask('getExchangeAmount', given);
  }

  /** Fixed rates of pairs; deprecated by the service. The payout is the amount times `result`, less `networkFee`. */
  async getFixRate(given: Given<'getFixRate'>): Promise<ReadResult<'getFixRate'>> {
    return this.#ask('getFixRate', given);
  }

  /** Fixed rates for amounts, each valid for one transaction within a minute. */
  async getFixRateForAmount(
    given: Given<'getFixRateForAmount'>,
  ): Promise<ReadResult<'getFixRateForAmount'>> {
    return this.#ask('getFixRateForAmount', given);
  }

  /** Creates an exchange at the float rate of its execution. */
  async createTransaction(given: Given<'createTransaction'>): Promise<CreatedTransaction> {
    return withPayin(await this.#ask('createTransaction', given));
  }

  /** Creates an exchange at a fixed rate, to be paid until `payTill`. */
  async createFixTransaction(given: Given<'createFixTransaction'>): Promise<CreatedFixTransaction> {
    return withPayin(await this.#ask('createFixTransaction', given));
  }

  /** The status of a transaction, as the service calls it; see `isFinalStatus`. */
  async getStatus(given: Given<'getStatus'>): Promise<ReadResult<'getStatus'>> {
    return this.#ask('getStatus', given);
  }

  /** Transactions, the newest first, ten if no `limit` is given. */
  async getTransactions(
    given: Given<'getTransactions'> = {},
  ): Promise<readonly ExchangeTransaction[]> {
    return (await this.#ask('getTransactions', given)).map((record) => withPayin(record));
  }

  /** Whether an address can be paid out to. */
  async validateAddress(given: Given<'validateAddress'>): Promise<ReadResult<'validateAddress'>> {
    return this.#ask('validateAddress', given);
  }

  /** The cost of a private send. */
  async estimatePrivateSend(
    given: Given<'estimatePrivateSend'>,
  ): Promise<ReadResult<'estimatePrivateSend'>> {
    return this.#ask('estimatePrivateSend', given);
  }

  /** Creates a private send: one currency, without a sender that its receiver could find. */
  async createPrivateSendTransaction(
    given: Given<'createPrivateSendTransaction'>,
  ): Promise<CreatedPrivateSend> {
    return withPayin(await this.#ask('createPrivateSendTransaction', given));
  }

  /** Private sends, the newest first. */
  async getPrivateSendTransactions(
    given: Given<'getPrivateSendTransactions'> = {},
  ): Promise<readonly PrivateSend[]> {
    const found = await this.#ask('getPrivateSendTransactions', given);
    return found.map((record) => withPayin(record));
  }

  /**
   * Polls the status of a transaction until it is final, and returns it. A transaction that is held for a
   * check is not final: `held` is called, as its user has to act.
   */
  async follow(id: string, options: FollowTransactionOptions = {}): Promise<string> {
    return followed(async () => this.getStatus({ id }), this.#caller.pauses, options);
  }

  /** Ends unfinished calls, and all connections. */
  async close(): Promise<void> {
    await this.#caller.close();
  }

  async #ask<M extends MethodOfArguments>(method: M, given: Given<M>): Promise<ReadResult<M>> {
    return this.#call(method, paramsOf(method, given));
  }

  async #call<M extends ExchangeMethod>(method: M, params: unknown): Promise<ReadResult<M>> {
    const key = OF_PRIVATE_SENDS.has(method) ? 'privateSend' : 'main';
    const call = { method, params, reads: EXCHANGE_METHODS[method].reads, key } as const;
    return this.#caller.call(call, (result) => readResult(method, result));
  }
}
