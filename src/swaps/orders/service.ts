import { Decimal } from '../../model/decimal.ts';
import type { PriceOf } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { Random } from '../../platform/random.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, type Micros } from '../../platform/time.ts';
import type { ChainWorld } from '../chains/chain-world.ts';
import { amountOf } from '../tokens.ts';
import { OrderCurrencies, type OrderCurrency } from './currencies.ts';
import { addressGeneration, amountOutside, isDenial, type Denial } from './denials.ts';
import { Exchanger } from './exchanger.ts';
import { FixedRates, type FixedRate } from './fixed-rates.ts';
import { historyOf, type OrderFilter } from './history.ts';
import { OrderIds } from './identity.ts';
import type { ExchangeOrder, OrderKind, OrderParties, Payin, Stray } from './order.ts';
import { checkParties } from './parties.ts';
import { Payins } from './payins.ts';
import { Rates, yieldAt, yieldOf, type Price } from './rates.ts';
import { ExchangeOrderIndex, type OrderListener } from './order-index.ts';
import type { ExchangeOrderTerms } from './terms.ts';
import { ServiceFunds } from './service-funds.ts';

export interface ExchangeOrderSetup {
  readonly chains: ChainWorld;
  /** Present prices of assets. */
  readonly priceOf: PriceOf;
  readonly scheduler: Scheduler;
  readonly terms: ExchangeOrderTerms;
  /** Seed of ids; 0 if absent. */
  readonly seed?: number;
}

/** A client, and its own fee in percent. */
export interface OrderClient {
  readonly name: string;
  readonly extraFee: Decimal;
}

/** A request for a float transaction. */
export interface FloatOrderRequest extends OrderParties {
  readonly from: string;
  readonly to: string;
  readonly amountFrom: Decimal;
}

/** A request for a fixed one: one of the two amounts. */
export interface FixedOrderRequest extends OrderParties {
  readonly from: string;
  readonly to: string;
  readonly rateId: string;
  readonly amountFrom?: Decimal | undefined;
  /** Least received amount. */
  readonly amountTo?: Decimal | undefined;
}

/** A request for a private send. */
export interface PrivateOrderRequest extends OrderParties {
  readonly currency: string;
  /** Sent amount: fees are subtracted. */
  readonly amount: Decimal;
}

/**
 * The exchange order service without its wire. A rejected request changes nothing. A client sees only its
 * own orders and rates. Money moves on the chains.
 */
export class ExchangeOrderService {
  readonly chains: ChainWorld;
  readonly terms: ExchangeOrderTerms;
  readonly currencies: OrderCurrencies;
  readonly rates: Rates;
  /** Injected outages: of payin addresses, or of everything. */
  readonly broken = { addresses: false, inside: false };
  readonly #scheduler: Scheduler;
  readonly #identity: OrderIds;
  readonly #fixedRates: FixedRates;
  readonly #register = new ExchangeOrderIndex((id) => this.#payins.hasStray(id));
  readonly #serviceFunds: ServiceFunds;
  readonly #exchanger: Exchanger;
  readonly #payins: Payins;

  /** Throws `config-invalid` if the terms do not fit the chains. */
  constructor({ chains, priceOf, scheduler, terms, seed = 0 }: ExchangeOrderSetup) {
    this.chains = chains;
    this.terms = terms;
    this.#scheduler = scheduler;
    this.#identity = new OrderIds(seed);
    this.#fixedRates = new FixedRates(this.#identity, terms.rateUs);
    const currencies = new OrderCurrencies(chains, terms.currencies);
    const serviceFunds = new ServiceFunds(chains);
    const inventory = (currency: OrderCurrency): Decimal => serviceFunds.held(currency);
    const rates = new Rates({ priceOf, terms, inventory });
    const register = this.#register;
    const common = { chains, currencies, register };
    const random = new Random(seed);
    const exchanger = new Exchanger({ ...common, rates, scheduler, random, serviceFunds, terms });
    this.#payins = new Payins({
      ...common,
      handler: {
        paid: (order, payin) => {
          this.#payins.assign(order, payin);
          exchanger.paid(order, payin);
        },
        paidAgain: (order, payin) => this.#repeat(order, payin),
        confirmed: (order, payin) => exchanger.confirmed(order, payin),
      },
    });
    this.currencies = currencies;
    this.rates = rates;
    this.#serviceFunds = serviceFunds;
    this.#exchanger = exchanger;
  }

  now(): Micros {
    return this.#scheduler.now();
  }

  /** Address of the payout stock; the venue fills it. */
  inventoryAt(network: string): string {
    return this.#serviceFunds.inventoryAt(network);
  }

  /** Addresses of the fees. */
  feesAt: ServiceFunds['feesAt'] = (network, of) => this.#serviceFunds.feesAt(network, of);

  /** The price of a pair for a client now. */
  price(client: OrderClient, from: string, to: string, isFixed = false): Price | Denial {
    const pair = this.currencies.pair(from, to, isFixed);
    return isDenial(pair) ? pair : this.rates.price(pair, client.extraFee);
  }

  /** The price of a currency for itself: the cost of a private send. */
  privatePrice(client: OrderClient, ticker: string): Price | Denial {
    const currency = this.currencies.alone(ticker);
    if (isDenial(currency)) return currency;
    return this.rates.price([currency, currency], client.extraFee);
  }

  /** Fixes a price for a client for a while. */
  fix(client: OrderClient, price: Price): FixedRate {
    return this.#fixedRates.issue(client.name, price, this.now());
  }

  createFloat(client: OrderClient, managedOrder: FloatOrderRequest): ExchangeOrder | Denial {
    const price = this.price(client, managedOrder.from, managedOrder.to);
    if (isDenial(price)) return price;
    return this.#create('float', client, price, managedOrder.amountFrom, managedOrder);
  }

  createFixed(client: OrderClient, managedOrder: FixedOrderRequest): ExchangeOrder | Denial {
    const { from, to, rateId, amountFrom, amountTo } = managedOrder;
    const pair = this.currencies.pair(from, to, true);
    if (isDenial(pair)) return pair;
    const rate = this.#fixedRates.find(client.name, rateId, [from, to], this.now());
    if (isDenial(rate)) return rate;
    const amount = amountFrom ?? this.rates.amountFromFor(rate.price, amountTo ?? new Decimal(0));
    const order = this.#create('fixed', client, rate.price, amount, managedOrder);
    if (!isDenial(order)) this.#fixedRates.use(rateId);
    return order;
  }

  createPrivate(client: OrderClient, managedOrder: PrivateOrderRequest): ExchangeOrder | Denial {
    const price = this.privatePrice(client, managedOrder.currency);
    if (isDenial(price)) return price;
    return this.#create('private', client, price, managedOrder.amount, managedOrder);
  }

  /** An order of a client. */
  order({ name }: OrderClient, id: string): ExchangeOrder | Rejection {
    const order = this.#register.find(id);
    if (isRejection(order) || order.client === name) return order;
    const message = `There is no exchange order ${id}.`;
    return { code: 'exchange-order-unknown', field: 'id', message };
  }

  /** Orders of a client, newest first: private sends, or all others. */
  history({ name }: OrderClient, isPrivate: boolean, filter: OrderFilter) {
    const own = this.#register
      .all()
      .filter(({ client, kind }) => client === name && (kind === 'private') === isPrivate);
    return historyOf(own, filter);
  }

  /** All orders of all clients, oldest first. */
  orders(): readonly ExchangeOrder[] {
    return this.#register.all();
  }

  /** Payments that belong to no order, oldest first. */
  strays(): readonly Stray[] {
    return this.#payins.strays();
  }

  /** Rates that can still be used. */
  openRates(): readonly FixedRate[] {
    return this.#fixedRates.all();
  }

  /** Returns a payment that belongs to no order. */
  returnStray(hash: string, address: string, memo?: string): Stray | Rejection {
    const stray = this.strays().find((known) => known.hash === hash);
    if (stray === undefined || stray.returnHash !== undefined) {
      const message = `There is no payment ${hash} to give back.`;
      return { code: 'transaction-unknown', field: 'hash', message };
    }
    const { payinAddress } = this.#register.of(stray.order);
    const made = this.#serviceFunds.giveBack(stray, payinAddress, address, memo);
    return isRejection(made) ? made : this.#payins.returned(stray, made.hash);
  }

  /** Called for each new order, and at each change with the state before. */
  follow(listener: OrderListener): Cancel {
    return this.#register.follow(listener);
  }

  /** Manual actions on an order; each returns why it cannot be done. */
  get manualActions(): Pick<Exchanger, 'hold' | 'release' | 'fail' | 'refund'> {
    return this.#exchanger;
  }

  /** Stops: nothing happens by time or by payments any more. */
  close(): void {
    this.#payins.close();
    this.#exchanger.close();
  }

  #create(
    kind: OrderKind,
    client: OrderClient,
    price: Price,
    amount: Decimal,
    parties: OrderParties,
  ): ExchangeOrder | Denial {
    const { from, to } = price;
    const isFixed = kind === 'fixed';
    const wrong =
      this.rates.check(price, amount, isFixed) ?? checkParties(this.chains, [from, to], parties);
    if (wrong !== undefined) return wrong;
    const expected = yieldOf(price, amount);
    if (!expected.amountTo.greaterThan(expected.networkFee)) {
      const limits = this.rates.limits(price, isFixed);
      return amountOutside([from.ticker, to.ticker], 'minimum', limits);
    }
    if (this.broken.addresses) return addressGeneration();
    const order = this.#record(kind, client, [from, to], parties);
    const made = { ...order, amountExpectedFrom: amount, expected };
    this.#identity.takeOrder();
    this.#add(made);
    this.#payins.watch(made);
    this.#exchanger.await(made);
    return made;
  }

  #record(
    kind: OrderKind,
    { name, extraFee }: OrderClient,
    [from, to]: readonly [OrderCurrency, OrderCurrency],
    parties: OrderParties,
  ): Omit<ExchangeOrder, 'amountExpectedFrom' | 'expected'> {
    const { serviceFee, floatUs } = this.terms;
    const id = this.#identity.nextOrder;
    const createdAt = this.now();
    const till = kind === 'fixed' ? createdAt + from.fixedTimeMs * US_PER_MS : createdAt + floatUs;
    const { payoutAddress, payoutExtraId, refundAddress, refundExtraId } = parties;
    const { fromAddress, fromExtraId, userMetadata } = parties;
    return {
      id,
      client: name,
      kind,
      from: from.ticker,
      to: to.ticker,
      payinAddress: this.#serviceFunds.payinAddress(from, id),
      ...(from.extraIdName === undefined ? {} : { payinExtraId: this.#identity.extraIdOf(id) }),
      payoutAddress,
      payoutExtraId,
      refundAddress,
      refundExtraId,
      fromAddress,
      fromExtraId,
      userMetadata,
      serviceFee,
      extraFee,
      state: 'waiting',
      createdAt,
      // Written in milliseconds, so it is rounded to one.
      payTill: micros(Math.floor(till / US_PER_MS) * US_PER_MS),
    };
  }

  /** Those that are forgotten for it are not watched any more. */
  #add(order: ExchangeOrder): void {
    for (const forgotten of this.#register.add(order)) this.#payins.forget(forgotten);
  }

  /** Makes an order of a payment to an address that was paid already, at the present rate. */
  #repeat(first: ExchangeOrder, payin: Payin): void {
    const pair = [this.currencies.of(first.from), this.currencies.of(first.to)] as const;
    const amount = amountOf(payin.lots, pair[0].terms.decimals);
    const client = { name: first.client, extraFee: first.extraFee };
    const kind = first.kind === 'private' ? 'private' : 'float';
    const { payinAddress, payinExtraId } = first;
    const again: ExchangeOrder = {
      ...this.#record(kind, client, pair, first),
      payinAddress,
      ...(payinExtraId === undefined ? {} : { payinExtraId }),
      amountExpectedFrom: amount,
      expected: yieldAt(this.rates.price(pair, first.extraFee), amount, pair[1]),
      origin: first.id,
    };
    this.#identity.takeOrder();
    this.#add(again);
    this.#payins.assign(again, payin);
    this.#exchanger.paid(again, payin);
  }
}
