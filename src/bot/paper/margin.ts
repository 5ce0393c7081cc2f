import type { RestoredMargin } from '../../exchange/margin/restoration.ts';
import type { SimulatedMargin } from '../../gateways/simulated-margin.ts';
import type { SimulatedVenue } from '../../gateways/simulated.ts';
import type { MarginSnapshot, VenueMargin } from '../../gateways/venue-account.ts';
import {
  emptyAccount,
  marginAccountKey,
  type MarginAccountReport,
  type MarginAccountState,
  type MarginReport,
  type VenuePosition,
} from '../../model/margin-account.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { Micros } from '../../platform/time.ts';
import type { RecentTrades } from './recent.ts';

/**
 * The margin accounts of a paper account. The exchange numbers positions from 1 in each process; here one
 * of a previous run keeps its id, and new ones have ids above those of all previous runs.
 */
export class PaperMargin implements VenueMargin {
  readonly prices: NonNullable<VenueMargin['prices']> = {
    markPrice: (symbol) => this.#margin().markPrice(symbol),
    contract: (symbol) => this.#margin().contract(symbol),
  };
  /** Returns the margin side of the exchange; throws before it is open. */
  readonly #margin: () => SimulatedMargin;
  readonly #recent: RecentTrades;
  #numberFrom = 0;
  /** The ids of positions of a previous run, by those that they have at the exchange. */
  #previousIds: ReadonlyMap<number, number> = new Map();

  constructor(margin: () => SimulatedMargin, recent: RecentTrades) {
    this.#margin = margin;
    this.#recent = recent;
  }

  set(request: MarginRequest): void {
    this.#margin().set(request);
  }

  /** Ids of new positions begin above that number. */
  number(from: number): void {
    this.#numberFrom = from;
  }

  /**
   * Restores the accounts of a previous run; returns reports of those, or of parts of them, that could not
   * be restored.
   */
  restore(
    venue: SimulatedVenue,
    accounts: readonly MarginAccountState[],
    at: Micros,
  ): readonly MarginReport[] {
    const restored = venue.restoreMargin(accounts);
    this.#previousIds = new Map(restored.flatMap(({ positionIds }) => [...positionIds]));
    return restored.flatMap((one, index) => this.#leftOf(one, accounts[index], at));
  }

  /** The present accounts as reports without news. */
  present(at: Micros): readonly MarginAccountReport[] {
    return this.#margin()
      .accounts()
      .map((account) => this.#known({ kind: 'marginAccount', at, reason: 'updated', account }));
  }

  /** Records an event of the exchange at its moment; returns it with the ids of this account. */
  happened(report: MarginReport): MarginReport {
    if (report.kind === 'marginRejected') return report;
    const known = this.#known(report);
    const { carry, position, at } = known;
    if (carry !== undefined && position !== undefined) {
      const { id: positionId, symbol } = position;
      this.#recent.carried({ positionId, symbol, carry, at });
    }
    return known;
  }

  snapshot(since: Micros): MarginSnapshot {
    const margin = this.#margin();
    return {
      accounts: margin.accounts().map((account) => this.#numbered(account)),
      ended: margin.endedSince(since).map((one) => ({ ...one, id: this.#id(one.id) })),
      carries: this.#recent.carriesSince(since),
    };
  }

  #leftOf({ left }: RestoredMargin, was: MarginAccountState, at: Micros): readonly MarginReport[] {
    const isGone = left.some(({ position }) => position === undefined);
    const gone = { ...emptyAccount(was), leverage: was.leverage, isCalled: false };
    const account = isGone ? gone : this.#found(was);
    const { mode, symbol: ofAccount } = was;
    return left.flatMap(({ position, rejection }) => {
      const symbol = position?.symbol ?? ofAccount ?? was.currency;
      const closed = {
        ...({ kind: 'marginAccount', at, reason: 'closed', account } as const),
        ...(position === undefined
          ? {}
          : { position: endedNow(position, at), end: 'settled' as const }),
      };
      return [{ kind: 'marginRejected', at, symbol, mode, rejection } as const, closed];
    });
  }

  /** The restored account, without the parts that were not restored. */
  #found(was: MarginAccountState): MarginAccountState {
    const found = this.#margin()
      .accounts()
      .find((one) => marginAccountKey(one) === marginAccountKey(was));
    return this.#numbered(found ?? was);
  }

  #known(report: MarginAccountReport): MarginAccountReport {
    const { account, position } = report;
    return {
      ...report,
      account: this.#numbered(account),
      ...(position === undefined ? {} : { position: this.#position(position) }),
    };
  }

  #numbered(account: MarginAccountState): MarginAccountState {
    return { ...account, positions: account.positions.map((one) => this.#position(one)) };
  }

  #position(position: VenuePosition): VenuePosition {
    return { ...position, id: this.#id(position.id) };
  }

  #id(id: number): number {
    return this.#previousIds.get(id) ?? id + this.#numberFrom;
  }
}

/** A position that ends without a result. */
const endedNow = (position: VenuePosition, updatedAt: Micros): VenuePosition => ({
  ...position,
  lots: 0,
  marginCallPrice: undefined,
  liquidationPrice: undefined,
  updatedAt,
});
