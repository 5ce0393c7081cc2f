import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { lots as asLots, ticks as asTicks } from '../../model/units.ts';
import { entryPrice } from '../../rules/margin/position-value.ts';
import type { Fees } from '../ledger/fees.ts';
import { FUND, HOUSE, POOL, TAPE } from '../ledger/ledger.ts';
import { AVAILABLE } from '../ledger/balances.ts';
import type { Orders } from '../orders/orders.ts';
import { BUY } from '../orders/side.ts';
import { type MarginAccount, amountOf, Position } from '../positions/account.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Chronicle } from './reports.ts';
import { LIQUIDATION, REDUCE_ONLY } from '../positions/flags.ts';
import type { FullCarry, MarginReason, PositionEnd } from '../../model/margin-account.ts';
import type { Vault } from './funds.ts';

/** A change of a position: so many lots at a price, negative where sold. */
interface Change {
  readonly account: MarginAccount;
  readonly instrument: number;
  readonly lots: number;
  readonly ticks: number;
  readonly fee: Decimal;
  readonly tradeId: number;
  readonly clientOrderId: string | undefined;
  /** How a position ends that it closes. */
  readonly end: PositionEnd;
}

/**
 * Settles executions of margin orders. The pool is the other side of every position: it pays for
 * what is bought and holds it, and brings what is sold; so its balance of a base currency is the sum
 * of the positions, and that of a quote currency what they cost. Results are paid when lots close.
 */
export class Clearing {
  /** Accounts whose funds or positions have changed and that are to be examined. */
  readonly stirred = new Set<MarginAccount>();
  /** Account and instrument of positions that have ended, whose reducing orders are to end too. */
  readonly ended: { readonly account: MarginAccount; readonly instrument: number }[] = [];
  /** Positions that are open now. */
  open = 0;
  #positions = 0;
  readonly #instruments: readonly Instrument[];
  readonly #orders: Orders;
  readonly #fees: Fees;
  readonly #accounts: MarginAccounts;
  readonly #vault: Vault;
  readonly #chronicle: Chronicle;
  readonly #now: () => number;
  readonly #tradeId: () => number;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly orders: Orders;
    readonly fees: Fees;
    readonly accounts: MarginAccounts;
    readonly vault: Vault;
    readonly chronicle: Chronicle;
    readonly now: () => number;
    readonly tradeId: () => number;
  }) {
    this.#instruments = setup.instruments;
    this.#orders = setup.orders;
    this.#fees = setup.fees;
    this.#accounts = setup.accounts;
    this.#vault = setup.vault;
    this.#chronicle = setup.chronicle;
    this.#now = setup.now;
    this.#tradeId = setup.tradeId;
  }

  /** An order comes to wait or to rest. */
  enter(order: number): void {
    if ((this.#orders.margin(order) & REDUCE_ONLY) !== 0) this.#accounts.reduces = true;
  }

  /** Settles the side of a trade that is a margin order's. */
  fill(order: number, ticks: number, lots: number, taker: boolean): void {
    const orders = this.#orders;
    const instrument = orders.instrument(order);
    const account = this.#accounts.ofOrder(order);
    const isBuy = orders.side(order) === BUY;
    this.#lend(instrument, isBuy ? lots : -lots, ticks);
    const terms = this.#instruments[instrument];
    const value = terms.value(asTicks(ticks), asLots(lots));
    const { takeRate, makeRate } = this.#fees.ofOrder(orders.tariff(order));
    const fee = value.times(taker ? takeRate : makeRate);
    this.#vault.pay(account, HOUSE, fee);
    const isLiquidation = (orders.margin(order) & LIQUIDATION) !== 0;
    const forced = isLiquidation
      ? value.times(this.#accounts.deal(account, instrument).rules.forceCloseFee)
      : ZERO;
    this.#vault.pay(account, FUND, forced);
    this.#apply({
      account,
      instrument,
      lots: isBuy ? lots : -lots,
      ticks,
      fee: fee.plus(forced),
      tradeId: this.#tradeId(),
      clientOrderId: orders.clientOrderId(order),
      end: isLiquidation ? 'liquidated' : 'closed',
    });
  }

  /** Closes lots of a position at a price without a trade, a fee or an order. */
  settle(position: Position, size: number, ticks: number, end: PositionEnd): void {
    const { account, instrument } = position;
    const lots = position.lots > 0 ? -size : size;
    this.#lend(instrument, lots, ticks);
    const none = { fee: ZERO, tradeId: 0, clientOrderId: undefined };
    this.#apply({ account, instrument, lots, ticks, ...none, end });
  }

  /**
   * Settles all positions of an instrument at a price, the tape's as well, and gives how many. At 0, where no
   * price was ever known, each ends at what it cost, to the nearest tick.
   */
  settleAll(instrument: number, price: number): number {
    const positions = [...this.#accounts.positionsOn[instrument]];
    const tariff = this.#fees.tariffs[instrument];
    for (const position of positions) {
      const { lots, size } = position;
      const ticks = price > 0 ? price : costTicks(position);
      // The tape holds the opposite of what the accounts hold together.
      if (lots > 0) tariff.quote.subtract(TAPE, AVAILABLE, ticks, size, tariff.value);
      else tariff.quote.add(TAPE, AVAILABLE, ticks, size, tariff.value);
      this.settle(position, size, ticks, 'cleared');
    }
    return positions.length;
  }

  /** Takes a charge from the account of a position, or gives it what it receives. */
  carry(position: Position, row: number, carry: FullCarry): void {
    const { account } = position;
    const { amount, kind } = carry;
    this.#vault.pay(account, row, amount.negated());
    position.carry = position.carry.plus(amount);
    position.updatedAt = this.#now();
    this.stirred.add(account);
    const reason = kind === 'interest' ? 'interestTaken' : 'updated';
    this.#chronicle.report(account, reason, { position, carry });
  }

  /** Adds a position that is made with the number that it gets. */
  add(instrument: number, make: (id: number, terms: Instrument) => Position): Position {
    this.#positions += 1;
    const position = make(this.#positions, this.#instruments[instrument]);
    this.#accounts.addPosition(position);
    this.open += 1;
    return position;
  }

  /** The pool pays for lots that a position takes, or brings those that it gives. */
  #lend(instrument: number, lots: number, ticks: number): void {
    const tariff = this.#fees.tariffs[instrument];
    const size = Math.abs(lots);
    if (lots > 0) {
      tariff.base.add(POOL, AVAILABLE, 1, size, tariff.lot);
      tariff.quote.subtract(POOL, AVAILABLE, ticks, size, tariff.value);
    } else {
      tariff.base.subtract(POOL, AVAILABLE, 1, size, tariff.lot);
      tariff.quote.add(POOL, AVAILABLE, ticks, size, tariff.value);
    }
  }

  #apply(change: Change): void {
    const { account, instrument, lots, ticks, fee } = change;
    this.stirred.add(account);
    const held = account.positions.get(instrument);
    if (held === undefined || held.lots > 0 === lots > 0) {
      const position = held ?? this.#open(account, instrument);
      position.open(lots, ticks);
      this.#note(position, fee);
      this.#report(change, position, 'openTrade', ZERO, position.id);
      return;
    }
    const price = entryPrice(held.value, held.terms.tickSize);
    const size = Math.min(held.size, Math.abs(lots));
    const pnl = amountOf(held.terms, held.close(size, ticks));
    this.#vault.pay(account, POOL, pnl.negated());
    held.realised = held.realised.plus(pnl);
    const rest = Math.abs(lots) - size;
    this.#note(held, fee);
    if (held.lots !== 0) {
      this.#report(change, held, 'closeTrade', pnl, held.id);
      return;
    }
    this.#close(held, price, rest > 0 ? 'flipped' : change.end);
    if (rest === 0) {
      const reason = change.end === 'liquidated' ? 'liquidated' : 'closed';
      this.#report(change, held, reason, pnl, held.id, price);
      return;
    }
    const turned = this.#open(account, instrument);
    turned.open(lots > 0 ? rest : -rest, ticks);
    this.#report(change, turned, 'flipTrade', pnl, held.id);
  }

  #open(account: MarginAccount, instrument: number): Position {
    return this.add(
      instrument,
      (id, terms) => new Position(id, account, instrument, terms, this.#now()),
    );
  }

  #close(position: Position, price: Decimal, end: PositionEnd): void {
    this.#accounts.removePosition(position);
    this.open -= 1;
    this.#chronicle.end(position, price, end);
    this.ended.push({ account: position.account, instrument: position.instrument });
  }

  #note(position: Position, fee: Decimal): void {
    position.fees = position.fees.plus(fee);
    position.updatedAt = this.#now();
  }

  #report(
    { account, tradeId, clientOrderId, ticks, lots, fee, end }: Change,
    position: Position,
    reason: MarginReason,
    pnl: Decimal,
    positionId: number,
    price?: Decimal,
  ): void {
    const trade = { id: tradeId, positionId, clientOrderId, ticks, lots, pnl, fee, end };
    this.#chronicle.report(account, reason, {
      position,
      trade,
      ...(price === undefined ? {} : { price }),
    });
  }
}

/** The entry price in whole ticks, half up. */
const costTicks = ({ value, terms }: Position): number =>
  Math.max(1, entryPrice(value, terms.tickSize).div(terms.tickSize).toNumber());
