import type { MissedReport } from '../../engine/account/margin-gateway.ts';
import type { MarginStore } from '../../engine/account/margin-store.ts';
import type { VenueMargin } from '../../gateways/venue-account.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { marginPlaceOf, movedToMargin, type MarginReport } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { AccountRequest, OrderRequest } from '../../model/order-request.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';
import type { MarginView } from '../../risk/view.ts';
import type { Journal } from '../journal/journal.ts';
import type { AccountInstruments } from './instruments.ts';
import type { MarketHub } from './market-hub.ts';

export interface AccountMarginOptions {
  /** A venue knows what it has when it is open. */
  readonly venue: () => VenueMargin | undefined;
  readonly journal: Journal;
  readonly instruments: Pick<AccountInstruments, 'find' | 'known'>;
  /** Tells a strategy of its margin account; false where it is not there yet. */
  readonly tell: (strategy: string, report: MarginReport) => boolean;
  /** Told what went from the balances to a margin account, negative for what came back. */
  readonly moved: (currency: string, amount: Decimal) => void;
}

/** The margin accounts of an account: whose they are, what is told of them, by which prices they are judged. */
export class AccountMargin {
  readonly store: MarginStore;
  readonly #options: AccountMarginOptions;
  /** What a strategy has not been told, as it was not there yet. */
  readonly #missed = new Map<string, MissedReport[]>();
  #hub: MarketHub | undefined;

  constructor(options: AccountMarginOptions) {
    this.store = options.journal.margin;
    this.#options = options;
  }

  /** Where something can be traded on margin. */
  get venue(): VenueMargin | undefined {
    return this.#options.venue();
  }

  /** Sets the market data of the account. */
  trade(hub: MarketHub): void {
    this.#hub = hub;
  }

  /** The price that positions in a symbol are judged by; `undefined` while it is unknown. */
  markPrice(symbol: string): Decimal | undefined {
    const { venue } = this;
    if (venue?.prices !== undefined) return venue.prices.markPrice(symbol);
    return this.#hub?.states.get(symbol)?.markPrice();
  }

  instrument(symbol: string): Instrument | undefined {
    return this.#options.instruments.find(symbol);
  }

  /** True where an account on margin bears what is traded of a symbol. */
  isUsed(symbol: string, mode: MarginMode): boolean {
    const instrument = this.#options.instruments.find(symbol);
    return instrument !== undefined && this.store.bearing(instrument, mode) !== undefined;
  }

  /** The margin accounts of a strategy, or of all. */
  view(strategy?: string): MarginView | undefined {
    if (this.venue === undefined) return undefined;
    const accounts =
      strategy === undefined
        ? this.store.all().flatMap(({ state }) => (state?.isOpen === true ? [state] : []))
        : this.store.of(strategy);
    return {
      accounts,
      find: (instrument, mode) => {
        const kept = this.store.bearing(instrument, mode);
        const isSeen = strategy === undefined || kept?.strategy === strategy;
        return isSeen && kept?.state?.isOpen === true ? kept.state : undefined;
      },
      markPrice: (symbol) => this.markPrice(symbol),
    };
  }

  /** Why a strategy may not trade where a request says: the margin account is another strategy's. */
  refusal(strategy: string, request: AccountRequest): Refusal | undefined {
    for (const { symbol, mode } of placesOf(request)) {
      const instrument = this.#options.instruments.known(symbol);
      const owner = this.store.bearing(instrument, mode)?.strategy;
      if (owner !== undefined && owner !== strategy) return taken(instrument, mode, owner);
    }
    return undefined;
  }

  /** What a strategy has not been told, oldest first; it is told of what comes next as it comes. */
  missed(strategy: string): readonly MissedReport[] {
    const missed = this.#missed.get(strategy) ?? [];
    this.#missed.delete(strategy);
    return missed;
  }

  /** Receives a report: the journal first, then the strategy whose account it is. */
  receive(report: MarginReport, at: Micros): void {
    const { journal, tell, moved } = this.#options;
    const isAccount = report.kind === 'marginAccount';
    const before = isAccount ? this.store.find(report.account)?.state : undefined;
    const owner = journal.heardMargin(report, at);
    if (isAccount) {
      const amount = movedToMargin(report, before);
      if (!amount.isZero()) moved(report.account.currency, amount);
    }
    // An account that was not there may need market data from here on.
    if (before === undefined) this.#hub?.used();
    if (owner === undefined) return;
    const isHeard = tell(owner, report);
    if (!isHeard && isAccount) this.#keep(owner, { report, before });
  }

  #keep(strategy: string, missed: MissedReport): void {
    const before = this.#missed.get(strategy);
    if (before === undefined) this.#missed.set(strategy, [missed]);
    else before.push(missed);
  }
}

/** The symbols and margins that a request is about; none for one on spot, or a cancel, which is always let go. */
function placesOf(
  request: AccountRequest,
): readonly { readonly symbol: string; readonly mode: MarginMode }[] {
  switch (request.kind) {
    case 'setMargin':
      return [request];
    case 'cancel':
      return [];
    case 'replace':
      return request.margin === undefined ? [] : [{ symbol: request.symbol, mode: request.margin }];
    default:
      return ordersOf(request).flatMap(({ symbol, margin }) =>
        margin === undefined ? [] : [{ symbol, mode: margin.mode }],
      );
  }
}

const ordersOf = (request: Extract<OrderRequest, { kind: 'place' | 'placeList' }>) =>
  request.kind === 'place' ? [request] : request.orders;

function taken(instrument: Instrument, mode: MarginMode, owner: string): Refusal {
  const { currency, symbol } = marginPlaceOf(instrument, mode);
  const what = symbol ?? `${currency} ${instrument.isContract ? 'futures' : 'spot'}`;
  return {
    code: 'margin-account-taken',
    field: 'margin',
    message: `The ${mode} margin account of ${what} is that of strategy ${owner}; each margin account of an account is traded by one strategy. Use the other margin mode, or an account of its own.`,
  };
}
