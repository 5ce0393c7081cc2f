import type { MarginGateway } from '../engine/account/margin-gateway.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { MarginAccountView, PositionView } from '../exchange/margin/views.ts';
import type {
  Cover,
  MarginReport as ExchangeReport,
  PositionState,
} from '../exchange/positions/report.ts';
import type { ContractModel } from '../model/contract-model.ts';
import { ZERO, type Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type {
  ForcedTrade,
  MarginAccountState,
  MarginReport,
  PositionEnd,
  VenuePosition,
} from '../model/margin-account.ts';
import type { MarginRequest } from '../model/order-request.ts';
import { isRejection, type Rejection } from '../model/rejections.ts';
import type { Lots, Ticks } from '../model/units.ts';
import { micros, type Micros } from '../platform/time.ts';
import type { EndedPosition } from './venue-account.ts';

/** Identifies a margin account in a report. */
type Reported = Pick<Cover, 'symbol' | 'mode' | 'isContract' | 'currency' | 'leverage'>;

/** Dependencies of a simulated venue's margin. */
export interface SimulatedMarginSetup {
  readonly exchange: Exchange;
  readonly account: number;
  readonly instruments: readonly Instrument[];
  readonly now: () => Micros;
  /** Initial derivatives balance, by currency: it belongs to no setting. */
  readonly kept?: ReadonlyMap<string, Decimal> | undefined;
  /** Runs a task when a request has reached the exchange, and when a report has come back. */
  arrive(task: () => void): void;
  comeBack(task: () => void): void;
  /** Receives every report when it happens, without the report latency: for the metrics of a run. */
  readonly observer?: ((report: MarginReport) => void) | undefined;
}

/**
 * The margin accounts of a simulated venue. At the exchange, funds of futures come from the derivatives
 * balance; here they come from the spot balance and go back to it, by a transfer with each change.
 */
export class SimulatedMargin implements MarginGateway {
  readonly #setup: SimulatedMarginSetup;
  #emit: ((report: MarginReport) => void) | undefined;

  constructor(setup: SimulatedMarginSetup) {
    this.#setup = setup;
  }

  connect(listener: (report: MarginReport) => void): readonly MarginAccountState[] {
    this.#emit = listener;
    return this.accounts();
  }

  /** The margin accounts as the exchange has them now, oldest first. */
  accounts(): readonly MarginAccountState[] {
    const { exchange, account } = this.#setup;
    return exchange.margin.accounts(account).map((view) => this.#state(view));
  }

  /** Positions that have ended since a time, oldest first; of them the last thousand. */
  endedSince(since: Micros): readonly EndedPosition[] {
    const { exchange, account } = this.#setup;
    return exchange.margin
      .ended(account)
      .filter(({ updatedAt }) => updatedAt >= since)
      .map(({ id, symbol, mode, realizedPnl, feeCumulative, end, updatedAt }) => ({
        id,
        symbol,
        mode,
        realizedPnl,
        fees: feeCumulative,
        end,
        at: micros(updatedAt),
      }));
  }

  markPrice(symbol: string): Decimal | undefined {
    const { exchange } = this.#setup;
    const index = exchange.instrument(symbol);
    return index < 0 ? undefined : exchange.margin.price(index);
  }

  contract(symbol: string): ContractModel | undefined {
    const { exchange } = this.#setup;
    const view = exchange.margin.contract(exchange.instrument(symbol));
    if (view === undefined) return undefined;
    const { markPrice, indexPrice, fundingRate, nextFundingAt, fundingPeriodUs } = view;
    const isFunded = view.contractType === 'perpetual';
    return {
      markPrice,
      indexPrice,
      nextFundingAt,
      fundingPeriodUs,
      fundingRate: isFunded ? fundingRate : undefined,
    };
  }

  set(request: MarginRequest): void {
    this.#setup.arrive(() => {
      const rejection = this.#set(request);
      if (rejection === undefined) return;
      const { symbol, mode } = request;
      const at = this.#setup.now();
      if (isReportedAgain(request, rejection)) {
        const account = this.#present(request);
        this.#report({ kind: 'marginAccount', at, reason: 'marginChanged', account });
        return;
      }
      this.#report({ kind: 'marginRejected', at, symbol, mode, rejection });
    });
  }

  /** Reports what happened to a margin account of the exchange. */
  reported(report: ExchangeReport): void {
    const { trader, reason, isContract, currency, carry } = report;
    if (trader !== this.#setup.account) return;
    const position = report.position && this.#ended(report.position);
    const state = this.#accountOf(report);
    // The balance is reported before the account that it came from.
    if (isContract) this.#release(currency);
    this.#report({
      kind: 'marginAccount',
      at: micros(report.at),
      reason,
      account: state,
      position,
      ...endOf(report),
      ...forcedOf(report),
      ...(carry === undefined ? {} : { carry }),
    });
  }

  /** Reports what was paid for a margin account of the exchange. */
  covered(cover: Cover): void {
    if (cover.trader !== this.#setup.account) return;
    const at = micros(cover.at);
    const account = this.#accountOf(cover);
    this.#report({ kind: 'marginAccount', at, reason: 'updated', account, covered: cover.amount });
  }

  #report(report: MarginReport): void {
    this.#setup.observer?.(report);
    this.#setup.comeBack(() => this.#emit?.(report));
  }

  /** The present account of a request, empty if there is none. */
  #present({ symbol, mode }: MarginRequest): MarginAccountState {
    const { exchange, account, instruments } = this.#setup;
    const found = exchange.margin.account(account, symbol, mode);
    if (found !== undefined) return this.#state(found);
    const { isContract, quoteCurrency } = instruments[exchange.instrument(symbol)];
    return {
      isOpen: false,
      mode,
      isContract,
      symbol: mode === 'isolated' ? symbol : undefined,
      currency: quoteCurrency,
      balance: ZERO,
      reservedOrders: ZERO,
      reservedPositions: ZERO,
      isCalled: false,
      positions: [],
    };
  }

  #set({ symbol, mode, balance, leverage }: MarginRequest): Rejection | undefined {
    const { exchange, account, now } = this.#setup;
    const present = exchange.margin.account(account, symbol, mode);
    const marginBalance = balance ?? present?.marginBalance ?? ZERO;
    const instrument = this.#setup.instruments[exchange.instrument(symbol)] as
      | Instrument
      | undefined;
    if (instrument?.isContract === true) {
      const more = marginBalance.minus(present?.marginBalance ?? ZERO);
      const rejection = more.greaterThan(0)
        ? this.#fund(instrument.quoteCurrency, more)
        : undefined;
      if (rejection !== undefined) return rejection;
    }
    const setting = {
      mode,
      symbol,
      marginBalance,
      leverage,
    };
    const rejection = exchange.margin.set(account, setting, now());
    if (instrument?.isContract === true) this.#release(instrument.quoteCurrency);
    return rejection;
  }

  /** Moves funds of futures from the spot balance. */
  #fund(currency: string, amount: Decimal): Rejection | undefined {
    const { exchange, account, now } = this.#setup;
    const request = { currency, amount, source: 'spot', destination: 'derivatives' } as const;
    const done = exchange.wallet.transfer(account, request, now());
    return isRejection(done) ? done : undefined;
  }

  /** Moves free funds of a futures account back to the spot balance. */
  #release(currency: string): void {
    const { exchange, account, now } = this.#setup;
    const { derivatives } = exchange;
    const there = derivatives.available(account, derivatives.currency(currency));
    const amount = there.minus(this.#setup.kept?.get(currency) ?? ZERO);
    if (!amount.greaterThan(0)) return;
    const request = { currency, amount, source: 'derivatives', destination: 'spot' } as const;
    exchange.wallet.transfer(account, request, now());
  }

  /** The reported account as it is, or as closed. */
  #accountOf({ symbol, mode, isContract, currency, leverage }: Reported): MarginAccountState {
    const { exchange, account } = this.#setup;
    const found = exchange.margin
      .accounts(account)
      .find(
        (one) =>
          one.mode === mode &&
          one.isContract === isContract &&
          one.symbol === symbol &&
          one.currency === currency,
      );
    if (found !== undefined) return this.#state(found);
    return {
      mode,
      isContract,
      symbol,
      currency,
      leverage,
      balance: ZERO,
      reservedOrders: ZERO,
      reservedPositions: ZERO,
      isOpen: false,
      isCalled: false,
      positions: [],
    };
  }

  #state(view: MarginAccountView): MarginAccountState {
    const { mode, isContract, symbol, currency, leverage, marginBalance } = view;
    const { reservedOrders, reservedPositions, isCalled, positions } = view;
    return {
      mode,
      isContract,
      symbol,
      currency,
      leverage,
      balance: marginBalance,
      isOpen: true,
      reservedOrders,
      reservedPositions,
      isCalled,
      positions: positions.map((one) => this.#position(one)),
    };
  }

  #position(view: PositionView): VenuePosition {
    const { priceMarginCall, priceLiquidation } = view;
    return {
      ...this.#ended(view),
      ...(priceMarginCall.isZero() ? {} : { marginCallPrice: priceMarginCall }),
      ...(priceLiquidation.isZero() ? {} : { liquidationPrice: priceLiquidation }),
    };
  }

  #ended(state: PositionState): VenuePosition {
    const { id, symbol, quantity, priceEntry, realizedPnl, feeCumulative, carry } = state;
    const { exchange, instruments } = this.#setup;
    return {
      id,
      symbol,
      lots: instruments[exchange.instrument(symbol)].lots(quantity, 'near'),
      entryPrice: priceEntry,
      entryValue: state.entryValue,
      realizedPnl,
      fees: feeCumulative,
      carry,
      createdAt: micros(state.createdAt),
      updatedAt: micros(state.updatedAt),
    };
  }
}

/** How a position has ended, or why it became smaller without an order of its holder. */
function endOf({ position, trade }: ExchangeReport): { readonly end?: PositionEnd } {
  if (trade === undefined || position === undefined) return {};
  return position.quantity.isZero() || trade.end !== 'closed' ? { end: trade.end } : {};
}

/** The trade of a report without an order of its holder. */
function forcedOf({ trade }: ExchangeReport): { readonly forced?: ForcedTrade } {
  if (trade === undefined || trade.end === 'closed' || trade.end === 'flipped') return {};
  const { id, clientOrderId, ticks, lots, fee } = trade;
  const side = lots > 0 ? 'buy' : 'sell';
  const size = Math.abs(lots) as Lots;
  return { forced: { id, clientOrderId, side, ticks: ticks as Ticks, lots: size, fee } };
}

/** True if the account has the requested setting already: a setting is absolute and may be repeated. */
const isReportedAgain = ({ balance }: MarginRequest, { code }: Rejection): boolean =>
  code === 'position-unchanged' ||
  (code === 'margin-account-unknown' && balance?.isZero() === true);
