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
import type { MarginAccountEcho, MarginEcho, MarginSide } from '../result.ts';
import type { RoundTrip } from './round-trips.ts';
import { Sum } from './sum.ts';
import { valued } from './valuation.ts';

/** What the margin accounts of a run are measured by. */
export interface MarginPrices {
  /** The price that positions in a symbol are judged by; `undefined` while it is unknown. */
  markPrice(symbol: string): Decimal | undefined;
  /** Worth of a unit of a currency in the equity currency now. */
  rate(currency: string): Amount;
}

/** What the positions of a side have come to. */
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

  get echo(): MarginSide {
    const { count, wins } = this;
    return {
      ...{ count, wins, winRate: count === 0 ? null : wins / count },
      ...{ net: this.net.amount.toFixed(), fees: this.fees.amount.toFixed() },
    };
  }
}

/** The margin accounts of a run, as they stand and as they were reported. */
export class MarginBooks {
  readonly #instruments: ReadonlyMap<string, Instrument>;
  readonly #prices: MarginPrices;
  #accounts: ReadonlyMap<string, MarginAccountState> = new Map();
  readonly #funding = new Sum();
  readonly #interest = new Sum();
  readonly #long = new Side();
  readonly #short = new Side();
  /** Positions that were closed by force, in part or whole, by how. */
  readonly #forced = new Map<PositionEnd, Set<number>>();
  /** Results of open positions, less the fees of their entries. */
  unrealised = NOTHING;
  #calls = 0;
  #maxUse: number | undefined;
  #maxFunds = NOTHING;

  constructor(instruments: readonly Instrument[], prices: MarginPrices) {
    this.#instruments = new Map(instruments.map((one) => [one.symbol, one]));
    this.#prices = prices;
  }

  /** False in a run that trades spot alone. */
  get isUsed(): boolean {
    return this.#accounts.size > 0;
  }

  /** The accounts as they are; the map is never changed. */
  get present(): ReadonlyMap<string, MarginAccountState> {
    return this.#accounts;
  }

  take(report: MarginAccountReport): void {
    const { account, carry, end } = report;
    const key = `${account.mode} ${account.isContract} ${account.symbol ?? account.currency}`;
    const before = this.#accounts.get(key);
    this.#accounts = new Map([...this.#accounts, [key, account]]);
    if (account.isCalled && before?.isCalled !== true) this.#calls += 1;
    if (end !== undefined && report.position !== undefined) {
      const ids = this.#forced.get(end) ?? new Set<number>();
      this.#forced.set(end, ids.add(report.position.id));
    }
    if (carry === undefined) return;
    const sum = carry.kind === 'funding' ? this.#funding : this.#interest;
    sum.add(valued(Amount.of(carry.amount), this.#prices.rate(account.currency)));
  }

  closed(trip: RoundTrip): void {
    (trip.side === 'long' ? this.#long : this.#short).add(trip);
  }

  /** Worth of all accounts in the equity currency: their funds and the results of open positions. */
  worth(accounts = this.#accounts): Amount {
    let sum = NOTHING;
    for (const account of accounts.values()) {
      sum = sum.plus(valued(this.#equityOf(account), this.#prices.rate(account.currency)));
    }
    return sum;
  }

  /** What positions in a symbol come to together, negative when more is short. */
  net(instrument: Instrument, accounts = this.#accounts): Amount {
    let lots = 0;
    for (const { positions } of accounts.values()) {
      for (const one of positions) if (one.symbol === instrument.symbol) lots += one.lots;
    }
    return instrument.lotAmount.timesCount(lots);
  }

  /** True while a position is open. */
  get isHolding(): boolean {
    for (const { positions } of this.#accounts.values()) if (positions.length > 0) return true;
    return false;
  }

  /**
   * Looks at what the accounts hold at a sample time; gives the share of their equity that orders and
   * positions hold, where there is one.
   */
  sample(): number | undefined {
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
    const worth = this.worth();
    if (worth.sign <= 0) return undefined;
    const use = held.toNumber() / worth.toNumber();
    if (this.#maxUse === undefined || use > this.#maxUse) this.#maxUse = use;
    return use;
  }

  /** The part of a result that is about margin, undefined where nothing was traded on it. */
  get echo(): MarginEcho | undefined {
    if (!this.isUsed) return undefined;
    const net = this.#long.net.amount.plus(this.#short.net.amount);
    const paid = this.#funding.amount.plus(this.#interest.amount);
    const result = net.plus(this.unrealised).plus(paid);
    const forced = (end: PositionEnd): number => this.#forced.get(end)?.size ?? 0;
    return {
      accounts: [...this.#accounts.values()].map((account) => this.#accountEcho(account)),
      long: this.#long.echo,
      short: this.#short.echo,
      funding: this.#funding.amount.toFixed(),
      interest: this.#interest.amount.toFixed(),
      liquidations: forced('liquidated'),
      deleveraged: forced('deleveraged'),
      settled: forced('cleared'),
      marginCalls: this.#calls,
      maxUse: this.#maxUse ?? null,
      maxFunds: this.#maxFunds.toFixed(),
      returnOnFunds: this.#maxFunds.isZero ? null : result.toNumber() / this.#maxFunds.toNumber(),
    };
  }

  #accountEcho(account: MarginAccountState): MarginAccountEcho {
    const { mode, symbol, currency, balance, positions } = account;
    return {
      ...{ mode, symbol: symbol ?? null, currency, balance: balance.toFixed() },
      equity: this.#equityOf(account).toFixed(),
      positions: positions.map((one) => ({
        symbol: one.symbol,
        size: this.#sizeOf(one).toFixed(),
        entryPrice: one.entryPrice.toFixed(),
        unrealized: this.#resultOf(one).toFixed(),
      })),
    };
  }

  #equityOf({ balance, positions }: MarginAccountState): Amount {
    let sum = Amount.of(balance);
    for (const one of positions) sum = sum.plus(this.#resultOf(one));
    return sum;
  }

  /** Of a position whose price is not known, none. */
  #resultOf(position: VenuePosition): Amount {
    const mark = this.#prices.markPrice(position.symbol);
    if (mark === undefined) return NOTHING;
    const now = this.#sizeOf(position).times(Amount.of(mark));
    const entry = Amount.of(position.entryValue);
    return position.lots > 0 ? now.minus(entry) : entry.plus(now);
  }

  #sizeOf({ symbol, lots }: VenuePosition): Amount {
    const instrument = this.#instruments.get(symbol);
    return instrument === undefined ? NOTHING : instrument.sizeAmount(lots as Lots);
  }
}
