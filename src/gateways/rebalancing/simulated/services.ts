import type { Instrument } from '../../../model/instrument.ts';
import { Decimal, ZERO } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import {
  holdingName,
  type Holding,
  type PriceOf,
  type HoldingKey,
} from '../../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { Random } from '../../../platform/random.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import type { SignedApproval } from '../../../swaps/approvals/approval.ts';
import type { SignedPermit, SignedTransfer } from '../../../swaps/chains/signed-transfer.ts';
import { SimulatedChains } from '../../../swaps/chains/simulated-chains.ts';
import {
  depositAddresses,
  linkWallets,
  OMNIBUS,
  type TransferRules,
} from '../../../swaps/chains/wallet-link.ts';
import { SwapIntents, type IntentRequest } from '../../../swaps/intents/swap-intents.ts';
import type { SwapRequest } from '../../../swaps/intents/quote.ts';
import type {
  ExchangeOrderService,
  FixedOrderRequest,
  FloatOrderRequest,
} from '../../../swaps/orders/service.ts';
import { amountOf, lotsOf, type TokenTerms } from '../../../swaps/tokens.ts';
import type { TransferOrder } from '../../simulated.ts';
import type { TradeRow } from '../account/service.ts';
import type { PortfolioModel } from './settings.ts';
import { currenciesOf, networkOf, orderService, rulesOf, swapTerms, tokensOf } from './terms.ts';
import type { LocalVenue } from './venue.ts';
import { SimulatedWallet } from './wallet.ts';

/** The owner of the wallets, who calls the services. */
export const OWNER = 'own wallet';
export const CLIENT = { name: 'millrace', extraFee: ZERO } as const;

/** A service's payout stock of each asset, in whole units: more than anybody moves. */
const STOCK = new Decimal('1e18');
/** Trades that can be looked up; a transfer's executor reads them long before. */
const TRADES_MAX = 256;

export interface ServicesSetup {
  readonly model: PortfolioModel;
  readonly scheduler: Scheduler;
  /** Of keys. */
  readonly seed: number;
  /** Seed of ids and chance; the settings' one if absent. */
  readonly chance?: number;
  /** The account of the run, that the wallet of the trading service is filled from. */
  readonly venue: ServicesVenue;
  readonly priceOf: PriceOf;
  /** Initial holdings of the wallets, and of the trading service's wallet. */
  readonly holdings: OutsideHoldings;
  /** Called after a change, with the assets whose amount outside of the account has changed. */
  readonly changed: (assets: readonly string[]) => void;
  /** Receives each input, for a log that repeats them. */
  readonly input?: (name: InputName, given: readonly unknown[], take: () => unknown) => unknown;
}

export type InputName = keyof SimulatedServices['inputs'];

/** Holdings outside the account of a run: in wallets, and in the wallet of the trading service. */
export interface OutsideHoldings {
  readonly wallets: readonly Holding[];
  readonly account: ReadonlyMap<string, Decimal>;
}

/** Initial holdings outside the account, by a model. */
export const initialHoldings = ({ wallets }: Pick<PortfolioModel, 'wallets'>): OutsideHoldings => ({
  wallets: [...wallets].flatMap(([location, assets]) =>
    [...assets].map(([asset, amount]) => ({ asset, location, amount })),
  ),
  account: new Map(),
});

/**
 * The services that transfer inventory, in this process: chains, the wallet of a trading service on them,
 * swap intents and exchange orders, with the same code that a venue serves over the network. No amount
 * appears or vanishes: the total of account, wallets, transfers and services stays the same.
 */
export class SimulatedServices {
  readonly chains: SimulatedChains;
  readonly wallet: SimulatedWallet;
  readonly swaps: ReadonlyMap<string, SwapIntents>;
  readonly orders: ReadonlyMap<string, ExchangeOrderService>;
  readonly #setup: ServicesSetup;
  readonly #ends: readonly Cancel[];
  /** Balances of service addresses beyond their initial ones are earned. */
  readonly #served = new Map<number, ReadonlySet<string>>();
  readonly #stocked = new Map<number, bigint>();
  #held: ReadonlyMap<string, Decimal> = new Map();
  readonly #trades = new Map<string, SimulatedTrade>();
  #tradeId = 0;

  /** Throws `config-invalid` for a network without wallets, and a wallet finer than its token. */
  constructor(setup: ServicesSetup) {
    const { model, scheduler, seed, chance = seed, priceOf, venue } = setup;
    const random = new Random(chance);
    checkNetworks(model);
    this.#setup = setup;
    const networks = [...model.wallets.keys()].map(networkOf);
    this.chains = new SimulatedChains({ networks, tokens: tokensOf(model), scheduler, seed });
    const linked = Object.fromEntries(
      [...model.networks.keys()].map((location) => [location, location]),
    );
    const { chains } = this;
    const currencies = currenciesOf(model, venue);
    this.wallet = new SimulatedWallet(currencies, depositAddresses(chains, linked), scheduler);
    const on = { chains, scheduler, seed: chance, priceOf };
    this.swaps = new Map(
      [...model.services].flatMap(([name, one]) =>
        one.kind === 'swap' ? [[name, new SwapIntents({ ...on, terms: swapTerms(one) })]] : [],
      ),
    );
    this.orders = new Map(
      [...model.services].flatMap(([name, one]) =>
        one.kind === 'exchangeOrder' ? [[name, orderService(one, on)]] : [],
      ),
    );
    this.#fill();
    const rules = (location: string): TransferRules => rulesOf(model, location, random);
    this.#ends = [
      linkWallets(this.wallet, chains, linked, {
        rules,
        bring: ({ id }, address, lots) => void chains.mint(id, address, lots),
      }),
      chains.follow(({ confirmations }) => {
        if (confirmations === 0) this.#changed();
      }),
      this.wallet.news.followTransactions(() => this.#changed()),
    ];
    this.#held = this.#outside();
  }

  /** Holdings of the own wallets, in the order of the settings. */
  get wallets(): readonly Holding[] {
    return this.chains.tokens.map(({ id, asset, network: location, decimals }) => {
      const lots = this.chains.balance(id, this.chains.addressOf(location, OWNER));
      return { asset, location, amount: amountOf(lots, decimals) };
    });
  }

  /** Initial state for a restart: wallets, and the balance in the trading service's wallet. */
  get holdings(): OutsideHoldings {
    const { currencies } = this.wallet.exchange.wallet;
    const account = new Map(currencies.map(({ code }) => [code, this.wallet.available(code)]));
    return { wallets: this.wallets, account };
  }

  /** Amounts in transit to a wallet or the account of the run, by asset. */
  get onWay(): ReadonlyMap<string, Decimal> {
    const amounts = new Map<string, Decimal>();
    for (const { code } of this.wallet.exchange.wallet.currencies) {
      amounts.set(code, this.wallet.owned(code));
    }
    for (const token of this.chains.tokens) {
      const own = this.chains.addressOf(token.network, OWNER);
      const served = this.#servedBy(token);
      for (const [address, lots] of this.chains.holders(token.id)) {
        if (address !== own && !served.has(address)) add(amounts, token, lots);
      }
    }
    return amounts;
  }

  /** Amount of an asset in wallets and transfers. */
  held(asset: string): Decimal {
    return this.#held.get(asset) ?? ZERO;
  }

  /** Net income of services and networks, by asset. */
  get earned(): ReadonlyMap<string, Decimal> {
    const amounts = new Map<string, Decimal>();
    for (const { code } of this.wallet.exchange.wallet.currencies) {
      amounts.set(code, this.wallet.earned(code));
    }
    for (const token of this.chains.tokens) {
      const omnibus = this.chains.addressOf(token.network, OMNIBUS);
      for (const address of this.#servedBy(token)) {
        if (address !== omnibus) add(amounts, token, this.chains.balance(token.id, address));
      }
      add(amounts, token, -(this.#stocked.get(token.id) ?? 0n));
    }
    return amounts;
  }

  /** Inputs: all changes of the state except by time. */
  readonly inputs = this.#taken({
    quote: (service: string, request: SwapRequest) =>
      this.#swap(service).quote(CLIENT.name, request),
    createIntent: (service: string, request: IntentRequest) =>
      this.#swap(service).createIntent(CLIENT.name, request),
    approve: (service: string, intent: string, signed: SignedApproval) =>
      this.#swap(service).approve(CLIENT.name, intent, signed),
    fixRate: (service: string, from: string, to: string, amount: Decimal) => {
      const orders = this.order(service);
      const price = orders.price(CLIENT, from, to, true);
      if (isRejection(price)) return price;
      return orders.rates.check(price, amount, true) ?? orders.fix(CLIENT, price);
    },
    createFixed: (service: string, request: FixedOrderRequest) =>
      this.order(service).createFixed(CLIENT, request),
    createFloat: (service: string, request: FloatOrderRequest) =>
      this.order(service).createFloat(CLIENT, request),
    send: (transfer: SignedTransfer) => this.chains.send(transfer),
    permit: (permit: SignedPermit) => this.chains.permit(permit),
    depositAddress: (currency: string, network: string) =>
      this.wallet.act(({ wallet }, at) =>
        wallet.address(this.wallet.account, currency, at, network),
      ),
    withdraw: (request: WithdrawalInput) =>
      this.wallet.act(({ wallet }, at) =>
        wallet.withdraw(
          this.wallet.account,
          { ...request, autoCommit: false, offchain: 'never' },
          at,
        ),
      ),
    commit: (id: string) =>
      this.wallet.act(({ wallet }, at) => wallet.commit(this.wallet.account, id, at)),
    rollBack: (id: string) =>
      this.wallet.act(({ wallet }, at) => wallet.rollback(this.wallet.account, id, at)),
    transfer: (currency: string, amount: Decimal, destination: 'wallet' | 'spot') =>
      this.#transfer(currency, amount, destination),
    trade: (order: TransferOrder): SimulatedTrade | Rejection => {
      const trades = this.#setup.venue.trade(order);
      if (isRejection(trades)) return trades;
      const trade = { id: (this.#tradeId += 1), trades };
      this.#trades.set(order.clientOrderId, trade);
      for (const old of this.#trades.keys()) {
        if (this.#trades.size <= TRADES_MAX) break;
        this.#trades.delete(old);
      }
      return trade;
    },
  });

  /** The trade of an order, nothing if it was never placed; an empty one if the book had moved. */
  trade(clientOrderId: string): SimulatedTrade | undefined {
    return this.#trades.get(clientOrderId);
  }

  order(service: string): ExchangeOrderService {
    const found = this.orders.get(service);
    if (found !== undefined) return found;
    throw new MillraceError('internal', `There is no exchange order service ${service}.`);
  }

  /** Nothing happens by time any more. */
  close(): void {
    for (const end of this.#ends) end();
    for (const one of [...this.swaps.values(), ...this.orders.values()]) one.close();
    this.wallet.close();
    this.chains.close();
  }

  #swap(service: string): SwapIntents {
    const found = this.swaps.get(service);
    if (found !== undefined) return found;
    throw new MillraceError('internal', `There is no swap service ${service}.`);
  }

  #transfer(
    currency: string,
    amount: Decimal,
    destination: 'wallet' | 'spot',
  ): Rejection | undefined {
    const { venue } = this.#setup;
    if (destination === 'wallet') {
      if (!venue.pay(currency, amount)) return short(currency, amount);
      const rejection = this.wallet.deposit(currency, amount);
      if (rejection !== undefined) venue.receive(currency, amount);
      return rejection;
    }
    const rejection = this.wallet.takeOut(currency, amount);
    if (rejection !== undefined) return rejection;
    venue.receive(currency, amount);
    this.#changed();
    return undefined;
  }

  #taken<Inputs extends object>(inputs: Inputs): Inputs {
    const taken = Object.entries(inputs).map(([name, take]) => [
      name,
      (...given: readonly unknown[]): unknown => {
        const act = (): unknown => (take as (...of: readonly unknown[]) => unknown)(...given);
        const { input } = this.#setup;
        return input === undefined ? act() : input(name as InputName, given, act);
      },
    ]);
    return Object.fromEntries(taken) as Inputs;
  }

  #changed(): void {
    const before = this.#held;
    this.#held = this.#outside();
    const assets = [...this.#held].filter(([one, amount]) => !amount.equals(before.get(one) ?? ZERO)); // prettier-ignore
    this.#setup.changed(assets.map(([asset]) => asset));
  }

  #outside(): ReadonlyMap<string, Decimal> {
    const held = new Map(this.onWay);
    for (const { asset, amount } of this.wallets) {
      held.set(asset, (held.get(asset) ?? ZERO).plus(amount));
    }
    return held;
  }

  /** Fills wallets and services with their initial amounts. */
  #fill(): void {
    const { holdings } = this.#setup;
    for (const token of this.chains.tokens) {
      const { id, asset, network, decimals } = token;
      const address = this.chains.addressOf(network, OWNER);
      const amount = holdings.wallets.find((one) => holdingName(one) === holdingName({ asset, location: network }))?.amount ?? ZERO; // prettier-ignore
      const lots = lotsOf(amount, decimals);
      if (lots === undefined) throw finer({ asset, location: network }, amount, decimals);
      if (lots > 0n) this.chains.mint(id, address, lots);
      this.chains.approve(id, address);
      const stock = lotsOf(STOCK, decimals) ?? 0n;
      const from = new Set([
        ...[...this.swaps.values()].map((one) => one.resolverAt(network)),
        ...[...this.orders.values()].map((one) => one.inventoryAt(network)),
      ]);
      for (const service of from) this.chains.mint(id, service, stock);
      this.#stocked.set(id, stock * BigInt(from.size));
    }
    for (const [currency, amount] of holdings.account) {
      if (!amount.greaterThan(0)) continue;
      const rejection = this.wallet.deposit(currency, amount);
      if (rejection !== undefined) throw homeless(currency, amount);
    }
  }

  /** The addresses of a token that belong to services. */
  #servedBy({ id, network }: TokenTerms): ReadonlySet<string> {
    const known = this.#served.get(id);
    if (known !== undefined) return known;
    const served = new Set([
      this.chains.addressOf(network, OMNIBUS),
      ...[...this.swaps.values()].map((one) => one.resolverAt(network)),
      ...[...this.orders.values()].flatMap((one) => [
        one.inventoryAt(network),
        one.feesAt(network, 'network'),
        one.feesAt(network, 'service'),
        one.feesAt(network, { client: CLIENT.name }),
      ]),
    ]);
    this.#served.set(id, served);
    return served;
  }
}

/** Immediate trade of a transfer's order. */
export interface SimulatedTrade {
  readonly id: number;
  readonly trades: readonly TradeRow[];
}

/** The account of a run, as the services see it. */
export interface ServicesVenue extends Pick<LocalVenue, 'pay' | 'receive' | 'holds'> {
  /** Fills an order whole and at once, or not at all. */
  trade(order: TransferOrder): readonly TradeRow[] | Rejection;
}

/** The account of a run at its exchange, for the services. */
export const servicesVenue = (
  venue: LocalVenue,
  instruments: readonly Instrument[],
): ServicesVenue => ({
  pay: (currency, amount) => venue.pay(currency, amount),
  receive: (currency, amount) => venue.receive(currency, amount),
  holds: (currency) => venue.holds(currency),
  trade: (order) => {
    const fills = venue.trade(order);
    const instrument = instruments.find(({ symbol }) => symbol === order.symbol);
    if (isRejection(fills) || instrument === undefined) return isRejection(fills) ? fills : [];
    return fills.map(({ lots, ticks, fee, at }) => ({
      quantity: instrument.size(lots),
      price: instrument.price(ticks),
      fee: fee.toDecimal(),
      timestamp: at,
    }));
  },
});

function checkNetworks({ networks, wallets }: PortfolioModel): void {
  for (const location of networks.keys()) {
    if (wallets.has(location)) continue;
    const sentence = `The network ${location} has no wallets: name them in wallets, ${location}: { USDT: 0 }.`;
    throw new MillraceError('config-invalid', sentence, {
      field: `portfolio.networks.${location}`,
    });
  }
}

/** A withdrawal as an input. */
export interface WithdrawalInput {
  readonly currency: string;
  readonly network: string;
  readonly amount: Decimal;
  readonly address: string;
  readonly paymentId?: string;
  readonly publicComment: string;
}

const add = (amounts: Map<string, Decimal>, { asset, decimals }: TokenTerms, lots: bigint): void =>
  void amounts.set(asset, (amounts.get(asset) ?? ZERO).plus(amountOf(lots, decimals)));

const short = (currency: string, amount: Decimal): Rejection => ({
  code: 'funds-insufficient',
  message: `The account does not have ${amount.toFixed()} ${currency} free.`,
});

const homeless = (currency: string, amount: Decimal): MillraceError =>
  new MillraceError(
    'config-invalid',
    `${amount.toFixed()} ${currency} are in the wallet of the account, which has no symbol with it any more, or no network for it: put them back.`,
    { field: 'portfolio.networks' },
  );

const finer = (holding: HoldingKey, amount: Decimal, decimals: number): MillraceError =>
  new MillraceError(
    'config-invalid',
    `The wallet ${holdingName(holding)} begins with ${amount.toFixed()}, which is finer than the ${decimals} decimals of its token: say them in decimals.`,
    { field: `portfolio.decimals.${holding.asset}` },
  );
