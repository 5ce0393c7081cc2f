import { Amount, NOTHING } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type {
  MarginAccountReport,
  MarginAccountState,
  PositionEnd,
  VenuePosition,
} from '../../model/margin-account.ts';
import type { Lots } from '../../model/units.ts';
import { isoTime, type Micros } from '../../platform/time.ts';
import type {
  MarginAccountRecord,
  MarginRecord,
  MarginSide,
  PaymentKind,
  PaymentRow,
} from '../result.ts';
import { RowTable } from '../tables/row-table.ts';
import type { RoundTrip } from './round-trips.ts';
import { Sum } from './sum.ts';
import { valued } from './valuation.ts';

/** Prices that margin accounts are measured by. */
export interface MarginPrices {
  /** The price that positions in a symbol are checked by; `undefined` while it is unknown. */
  markPrice(symbol: string): Decimal | undefined;
  /** Value of a unit of a currency in the equity currency now. */
  rate(currency: string): Amount;
}

interface Payment {
  readonly kind: PaymentKind;
  readonly amount: Decimal;
  readonly symbol: string | undefined;
  readonly price?: Decimal | undefined;
  readonly rate?: Decimal | undefined;
}

/** Results of the positions of a side. */
class Side {
  count = 0;
  wins = 0;
  readonly net = new Sum();
  readonly fees = new Sum();

  add(trip: RoundTrip): void {
    const net = valued(trip.net, trip.rate);
    this.count += 1;
    if (net.sign > 0) this.wins += 1;
    this.net.add(net);
    this.fees.add(valued(trip.fees, trip.rate));
  }

  get record(): MarginSide {
    const { count, wins } = this;
    return {
      count,
      wins,
      winRate: count === 0 ? null : wins / count,
      net: this.net.amount.toFixed(),
      fees: this.fees.amount.toFixed(),
    };
  }
}

/** Margin accounts of a run, with their reports. */
export class MarginBooks {
  readonly #instruments: ReadonlyMap<string, Instrument>;
  readonly #prices: MarginPrices;
  #accounts: ReadonlyMap<string, MarginAccountState> = new Map();
  readonly #funding = new Sum();
  readonly #interest = new Sum();
  readonly #long = new Side();
  readonly #short = new Side();
  /** Positions that were closed by force, in part or full, by kind. */
  readonly #forced = new Map<PositionEnd, Set<number>>();
  readonly #insurance = new Sum();
  readonly #payments: PaymentRow[] = [];
  /** PnL of open positions, less the fees of their entries. */
  unrealized = NOTHING;
  /** Fills without an order of the strategy. */
  forcedFills = 0;
  #calls = 0;
  #maxUse: number | undefined;
  #maxFunds = NOTHING;

  constructor(instruments: readonly Instrument[], prices: MarginPrices) {
    this.#instruments = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    this.#prices = prices;
  }

  /** False in a run with only spot trading. */
  get isUsed(): boolean {
    return this.#accounts.size > 0;
  }

  /** Current accounts; the map is immutable. */
  get present(): ReadonlyMap<string, MarginAccountState> {
    return this.#accounts;
  }

  take(report: MarginAccountReport): void {
    const { at, account, carry, end, covered, position } = report;
    const key = `${account.mode} ${account.isContract} ${account.symbol ?? account.currency}`;
    const before = this.#accounts.get(key);
    this.#accounts = new Map([...this.#accounts, [key, account]]);
    if (account.isCalled && before?.isCalled !== true) this.#calls += 1;
    if (end !== undefined && position !== undefined) {
      const ids = this.#forced.get(end) ?? new Set<number>();
      this.#forced.set(end, ids.add(position.id));
    }
    const symbol = position?.symbol ?? account.symbol;
    if (carry !== undefined) this.#pay(at, account, { ...carry, symbol });
    if (covered !== undefined) {
      this.#pay(at, account, { kind: 'insurance', amount: covered, symbol });
    }
    this.#measure();
  }

  /** Every payment of the run; the first `limit` of them are its rows. */
  payments(limit: number): RowTable<PaymentRow> {
    return new RowTable(this.#payments.length, limit, (index) => this.#payments[index]);
  }

  #pay(at: Micros, { mode, currency }: MarginAccountState, payment: Payment): void {
    const { kind, amount, symbol, price, rate } = payment;
    const sums = { funding: this.#funding, interest: this.#interest, insurance: this.#insurance };
    sums[kind].add(valued(Amount.of(amount), this.#prices.rate(currency)));
    this.#payments.push({
      at: isoTime(at),
      kind,
      mode,
      symbol: symbol ?? null,
      currency,
      amount: amount.toFixed(),
      price: price?.toFixed() ?? null,
      rate: rate?.toFixed() ?? null,
    });
  }

  closed(trip: RoundTrip): void {
    (trip.side === 'long' ? this.#long : this.#short).add(trip);
  }

  /** Value of all accounts in the equity currency: their funds and the PnL of open positions. */
  priceOf(accounts = this.#accounts): Amount {
    let sum = NOTHING;
    for (const account of accounts.values()) {
      sum = sum.plus(valued(this.#equityOf(account), this.#prices.rate(account.currency)));
    }
    return sum;
  }

  /** Net size of all positions in a symbol, negative for a short. */
  net(instrument: Instrument, accounts = this.#accounts): Amount {
    let lots = 0;
    for (const { positions } of accounts.values()) {
      for (const position of positions)
        if (position.symbol === instrument.symbol) lots += position.lots;
    }
    return instrument.lotAmount.timesCount(lots);
  }

  /** True while a position is open. */
  get isHolding(): boolean {
    for (const { positions } of this.#accounts.values()) if (positions.length > 0) return true;
    return false;
  }

  /** The price that positions in a symbol are checked by; `undefined` while it is unknown. */
  price(symbol: string): Amount | undefined {
    const mark = this.#prices.markPrice(symbol);
    return mark === undefined ? undefined : Amount.of(mark);
  }

  /** Margin of orders and positions as a share of the accounts' equity now, if there is any. */
  sample(): number | undefined {
    return this.#measure();
  }

  /** Updates the peaks, after each change of an account and at each sample. */
  #measure(): number | undefined {
    let funds = NOTHING;
    let held = NOTHING;
    for (const {
      currency,
      balance,
      reservedOrders,
      reservedPositions,
    } of this.#accounts.values()) {
      const rate = this.#prices.rate(currency);
      funds = funds.plus(valued(Amount.of(balance), rate));
      held = held.plus(valued(Amount.of(reservedOrders.plus(reservedPositions)), rate));
    }
    if (funds.greaterThan(this.#maxFunds)) this.#maxFunds = funds;
    const value = this.priceOf();
    if (value.sign <= 0) return undefined;
    const use = held.toNumber() / value.toNumber();
    if (this.#maxUse === undefined || use > this.#maxUse) this.#maxUse = use;
    return use;
  }

  /** The margin part of a result, undefined without margin trading. */
  get record(): MarginRecord | undefined {
    if (!this.isUsed) return undefined;
    const net = this.#long.net.amount.plus(this.#short.net.amount);
    const paid = this.#funding.amount.plus(this.#interest.amount).plus(this.#insurance.amount);
    const result = net.plus(this.unrealized).plus(paid);
    const forced = (end: PositionEnd): number => this.#forced.get(end)?.size ?? 0;
    return {
      accounts: [...this.#accounts.values()].map((account) => this.#accountRecord(account)),
      long: this.#long.record,
      short: this.#short.record,
      funding: this.#funding.amount.toFixed(),
      interest: this.#interest.amount.toFixed(),
      insurance: this.#insurance.amount.toFixed(),
      unrealized: this.unrealized.toFixed(),
      liquidations: forced('liquidated'),
      deleveraged: forced('deleveraged'),
      settled: forced('settled'),
      marginCalls: this.#calls,
      forcedFills: this.forcedFills,
      maxUse: this.#maxUse ?? null,
      maxFunds: this.#maxFunds.toFixed(),
      returnOnFunds: this.#maxFunds.isZero ? null : result.toNumber() / this.#maxFunds.toNumber(),
    };
  }

  #accountRecord(account: MarginAccountState): MarginAccountRecord {
    const { mode, symbol, currency, balance, positions } = account;
    return {
      mode,
      symbol: symbol ?? null,
      currency,
      balance: balance.toFixed(),
      equity: this.#equityOf(account).toFixed(),
      positions: positions.map((position) => ({
        symbol: position.symbol,
        size: this.#sizeOf(position).toFixed(),
        entryPrice: position.entryPrice.toFixed(),
        unrealized: this.#resultOf(position).toFixed(),
      })),
    };
  }

  #equityOf({ balance, positions }: MarginAccountState): Amount {
    let sum = Amount.of(balance);
    for (const position of positions) sum = sum.plus(this.#resultOf(position));
    return sum;
  }

  /** Zero for a position without a known price. */
  #resultOf(position: VenuePosition): Amount {
    const mark = this.price(position.symbol);
    if (mark === undefined) return NOTHING;
    const now = this.#sizeOf(position).times(mark);
    const entry = Amount.of(position.entryValue);
    return position.lots > 0 ? now.minus(entry) : entry.plus(now);
  }

  #sizeOf({ symbol, lots }: VenuePosition): Amount {
    const instrument = this.#instruments.get(symbol);
    return instrument === undefined ? NOTHING : instrument.sizeAmount(lots as Lots);
  }
}
