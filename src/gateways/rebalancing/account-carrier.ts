import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { slotName, type Slot } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type {
  Carrier,
  MoveChange,
  MoveRecord,
  Offer,
  Step,
} from '../../swaps/execution/carrier.ts';
import { DepositRoute } from './account/deposit.ts';
import type { Balance } from './account/funds.ts';
import type { TradeLimits } from './account/limits.ts';
import type { Route } from './account/route.ts';
import type { AccountService } from './account/service.ts';
import { TradeRoute } from './account/trade.ts';
import { WithdrawalRoute } from './account/withdrawal.ts';
import { AccountPayer } from './account/withdrawing.ts';
import type { PayAddress, Payer } from './payments/payment.ts';

/** An asset that moves between the account and an own wallet on a chain. */
export interface AccountChain {
  readonly asset: string;
  /** The place of the wallet: `ethereum`. */
  readonly place: string;
  /** The code of the network at the trading service. */
  readonly network: string;
  readonly wallet: PayAddress;
  /** Pays out of the wallet; without it money comes from the account and does not go there. */
  readonly payer?: Payer;
}

/** A market on which two assets of the account are traded for each other, both ways. */
export interface AccountSymbol {
  readonly symbol: string;
  /** Assets, by their codes in the portfolio. */
  readonly base: string;
  readonly quote: string;
}

/** What a carrier by a trading account is made of. */
export interface AccountCarrierOptions {
  readonly name: string;
  readonly rest: AccountService;
  readonly scheduler: Scheduler;
  /** The place of the account: `trading`. */
  readonly place: string;
  readonly chains: readonly AccountChain[];
  readonly symbols: readonly AccountSymbol[];
  /** Codes of assets that the trading service calls otherwise. */
  readonly currencies?: Readonly<Record<string, string>>;
  /** How much worse than the book the limit of a trade may be, as a fraction. */
  readonly bound: Decimal;
  /** How large one order may be; not limited where absent. */
  readonly limits?: TradeLimits | undefined;
  /** Where the account keeps its inventory, and what comes is brought. */
  readonly home: Balance;
}

/**
 * Moves inventory between a trading account and chains, and between the assets of the account: by
 * withdrawals, deposits and trades. What takes several of them the planner puts together.
 */
export class AccountCarrier implements Carrier {
  readonly name: string;
  readonly kind = 'account';
  readonly #scheduler: Scheduler;
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(options: AccountCarrierOptions) {
    this.name = options.name;
    this.#scheduler = options.scheduler;
    const routes = [...chainRoutes(options), ...tradeRoutes(options)];
    this.#routes = new Map(routes.map((route) => [keyOf(route.from, route.to), route]));
  }

  pairs(): readonly (readonly [Slot, Slot])[] {
    return [...this.#routes.values()].map(({ from, to }) => [from, to]);
  }

  async offer(from: Slot, to: Slot, send: Decimal): Promise<Offer | Rejection> {
    const route = this.#routes.get(keyOf(from, to));
    if (route === undefined) return noRoute(this.name, from, to);
    const offer = await route.offer(send);
    if (isRejection(offer)) return offer;
    const { validUs, ...terms } = offer;
    const expiresAt = micros(this.#scheduler.now() + validUs);
    return { carrier: this.name, kind: this.kind, from, to, expiresAt, ...terms };
  }

  next(move: MoveRecord, now: Micros): Step | undefined {
    return this.#route(move).next(move, now);
  }

  async perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    return this.#route(move).perform(move, step);
  }

  async recall(move: MoveRecord, step: Step): Promise<MoveChange | 'undone'> {
    return this.#route(move).recall(move, step);
  }

  async observe(move: MoveRecord): Promise<MoveChange | undefined> {
    return this.#route(move).observe(move);
  }

  #route({ from, to }: MoveRecord): Route {
    const route = this.#routes.get(keyOf(from, to));
    if (route !== undefined) return route;
    const sentence = `${this.name} does not move ${slotName(from)} to ${slotName(to)} any more.`;
    throw new MillraceError('config-invalid', sentence, { field: this.name });
  }
}

const keyOf = (from: Slot, to: Slot): string => `${slotName(from)} ${slotName(to)}`;

function chainRoutes(options: AccountCarrierOptions): readonly Route[] {
  const { rest, place, home } = options;
  return options.chains.flatMap(({ asset, place: chain, network, wallet, payer }): Route[] => {
    const account = { asset, place };
    const outside = { asset, place: chain };
    const coin = { currency: currencyOf(options, asset), network };
    const out = new WithdrawalRoute(account, outside, new AccountPayer(rest, coin), wallet);
    if (payer === undefined) return [out];
    return [out, new DepositRoute(outside, account, rest, coin, payer, home)];
  });
}

function tradeRoutes(options: AccountCarrierOptions): readonly Route[] {
  const { rest, place, bound, home, limits = {} } = options;
  return options.symbols.flatMap(({ symbol, base, quote }) => {
    const inBase = { asset: base, place };
    const inQuote = { asset: quote, place };
    const [ofBase, ofQuote] = [currencyOf(options, base), currencyOf(options, quote)];
    const sale = { symbol, side: 'sell', pays: ofBase, gets: ofQuote, bound, limits } as const;
    const purchase = { symbol, side: 'buy', pays: ofQuote, gets: ofBase, bound, limits } as const;
    return [
      new TradeRoute(inBase, inQuote, rest, sale, home),
      new TradeRoute(inQuote, inBase, rest, purchase, home),
    ];
  });
}

const currencyOf = ({ currencies = {} }: AccountCarrierOptions, asset: string): string =>
  Object.hasOwn(currencies, asset) ? (currencies[asset] ?? asset) : asset;

const noRoute = (name: string, from: Slot, to: Slot): Rejection => ({
  code: 'pair-unavailable',
  message: `${name} does not move ${slotName(from)} to ${slotName(to)}.`,
});
