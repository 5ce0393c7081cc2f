import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName, type HoldingKey } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type {
  TransferRoute,
  TransferChange,
  TransferRecord,
  Offer,
  Step,
} from '../../swaps/execution/transfer-route.ts';
import { DepositPath } from './account/deposit.ts';
import type { Balance } from './account/funds.ts';
import type { TradeLimits } from './account/limits.ts';
import type { AccountPath } from './account/path.ts';
import type { AccountService } from './account/service.ts';
import { TradePath } from './account/trade.ts';
import { WithdrawalPath } from './account/withdrawal.ts';
import { AccountPayer } from './account/withdrawing.ts';
import type { PayAddress, Payer } from './payments/payment.ts';

/** An asset that is transferred between the account and an own wallet on a chain. */
export interface AccountChain {
  readonly asset: string;
  /** The location of the wallet: `ethereum`. */
  readonly location: string;
  /** The code of the network at the trading service. */
  readonly network: string;
  readonly wallet: PayAddress;
  /** Pays out of the wallet; without it money only comes from the account. */
  readonly payer?: Payer;
}

/** A market on which two assets of the account are traded for each other, both ways. */
export interface AccountSymbol {
  readonly symbol: string;
  /** Assets, by their codes in the portfolio. */
  readonly base: string;
  readonly quote: string;
}

/** Options of a route through a trading account. */
export interface AccountRouteOptions {
  readonly name: string;
  readonly rest: AccountService;
  readonly scheduler: Scheduler;
  /** The location of the account: `trading`. */
  readonly location: string;
  readonly chains: readonly AccountChain[];
  readonly symbols: readonly AccountSymbol[];
  /** Codes of assets that the trading service calls otherwise. */
  readonly currencies?: Readonly<Record<string, string>>;
  /** How far a trade's limit may be from the best price, as a fraction. */
  readonly tolerance: Decimal;
  /** Largest size of one order; unlimited if absent. */
  readonly limits?: TradeLimits | undefined;
  /** The balance of the account's inventory, which incoming amounts are moved to. */
  readonly home: Balance;
}

/**
 * Transfers inventory between a trading account and chains, and between the assets of the account: by
 * withdrawals, deposits and trades. The planner combines them.
 */
export class AccountRoute implements TransferRoute {
  readonly name: string;
  readonly kind = 'account';
  readonly #scheduler: Scheduler;
  readonly #paths: ReadonlyMap<string, AccountPath>;

  constructor(options: AccountRouteOptions) {
    this.name = options.name;
    this.#scheduler = options.scheduler;
    const paths = [...chainPaths(options), ...tradePaths(options)];
    this.#paths = new Map(paths.map((path) => [keyOf(path.from, path.to), path]));
  }

  pairs(): readonly (readonly [HoldingKey, HoldingKey])[] {
    return [...this.#paths.values()].map(({ from, to }) => [from, to]);
  }

  async offer(from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection> {
    const path = this.#paths.get(keyOf(from, to));
    if (path === undefined) return noPath(this.name, from, to);
    const offer = await path.offer(send);
    if (isRejection(offer)) return offer;
    const { validUs, ...terms } = offer;
    const expiresAt = micros(this.#scheduler.now() + validUs);
    return { route: this.name, kind: this.kind, from, to, expiresAt, ...terms };
  }

  next(transfer: TransferRecord, now: Micros): Step | undefined {
    return this.#path(transfer).next(transfer, now);
  }

  async perform(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    return this.#path(transfer).perform(transfer, step);
  }

  async recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    return this.#path(transfer).recall(transfer, step);
  }

  async observe(transfer: TransferRecord): Promise<TransferChange | undefined> {
    return this.#path(transfer).observe(transfer);
  }

  #path({ from, to }: TransferRecord): AccountPath {
    const path = this.#paths.get(keyOf(from, to));
    if (path !== undefined) return path;
    const sentence = `${this.name} does not transfer ${holdingName(from)} to ${holdingName(to)} any more.`;
    throw new MillraceError('config-invalid', sentence, { field: this.name });
  }
}

const keyOf = (from: HoldingKey, to: HoldingKey): string =>
  `${holdingName(from)} ${holdingName(to)}`;

function chainPaths(options: AccountRouteOptions): readonly AccountPath[] {
  const { rest, location, home } = options;
  return options.chains.flatMap(
    ({ asset, location: chain, network, wallet, payer }): AccountPath[] => {
      const account = { asset, location };
      const outside = { asset, location: chain };
      const coin = { currency: currencyOf(options, asset), network };
      const out = new WithdrawalPath(account, outside, new AccountPayer(rest, coin), wallet);
      if (payer === undefined) return [out];
      return [out, new DepositPath(outside, account, rest, coin, payer, home)];
    },
  );
}

function tradePaths(options: AccountRouteOptions): readonly AccountPath[] {
  const { rest, location, tolerance, home, limits = {} } = options;
  return options.symbols.flatMap(({ symbol, base, quote }) => {
    const inBase = { asset: base, location };
    const inQuote = { asset: quote, location };
    const [ofBase, ofQuote] = [currencyOf(options, base), currencyOf(options, quote)];
    const sale = { symbol, side: 'sell', pays: ofBase, gets: ofQuote, tolerance, limits } as const;
    const purchase = {
      symbol,
      side: 'buy',
      pays: ofQuote,
      gets: ofBase,
      tolerance,
      limits,
    } as const;
    return [
      new TradePath(inBase, inQuote, rest, sale, home),
      new TradePath(inQuote, inBase, rest, purchase, home),
    ];
  });
}

const currencyOf = ({ currencies = {} }: AccountRouteOptions, asset: string): string =>
  Object.hasOwn(currencies, asset) ? (currencies[asset] ?? asset) : asset;

const noPath = (name: string, from: HoldingKey, to: HoldingKey): Rejection => ({
  code: 'pair-unavailable',
  message: `${name} does not transfer ${holdingName(from)} to ${holdingName(to)}.`,
});
