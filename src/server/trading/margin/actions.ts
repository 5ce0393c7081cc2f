import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarginAccountView } from '../../../exchange/margin/views.ts';
import type { MarginSetting } from '../../../exchange/margin/account-setting.ts';
import { Decimal, ZERO } from '../../../model/decimal.ts';
import type { MarginMode } from '../../../model/margin-terms.ts';
import { AMOUNT_PLACES } from '../../../rules/margin/quotient.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import { rejectionFault } from '../../../wire/trading/rejections.ts';
import type { RequestContext } from '../orders/actions.ts';
import type { HistoryQuery } from '../orders/series.ts';
import { isTradedOn, symbolNotTraded } from '../orders/symbols.ts';
import type { TradingService } from '../service.ts';
import { pageFrom } from './page-from.ts';
import {
  closedPosition,
  openPosition,
  type ClosedPositionRecord,
  type PositionRecord,
} from './position-record.ts';

/** A margin account: the one in which a symbol is traded, or the cross account of a currency. */
export type MarginAccountRef =
  | { readonly mode: MarginMode; readonly symbol: string }
  | { readonly mode: 'cross'; readonly currency: string };

/** Target state of an account; a balance of 0 closes it. */
export interface MarginAccountRequest {
  readonly marginBalance: Decimal;
  readonly leverage?: Decimal | undefined;
  /** False rounds the balance to 12 decimals (half down); true rejects more decimals. */
  readonly strictValidate: boolean;
}

/** How a position is closed: at the market, or by an order at a price that only reduces it. */
export interface ClosePositionRequest {
  readonly price?: Decimal | undefined;
  readonly strictValidate: boolean;
}

/** The margin accounts of a trader's market, margin or futures, oldest first. */
export function marginAccounts(
  service: TradingService,
  trader: RequestContext,
): readonly MarginAccountView[] {
  const accounts = service.act(({ margin }) => margin.accounts(trader.account));
  return accounts.filter(({ isContract }) => isContract === (trader.market === 'futures'));
}

export function marginAccount(
  service: TradingService,
  trader: RequestContext,
  name: MarginAccountRef,
): Decoded<MarginAccountView> {
  const symbol = symbolOf(service.exchange, trader, name);
  if (symbol.kind === 'fault') return symbol;
  const found = service.act(({ margin }) =>
    margin.account(trader.account, symbol.value, name.mode),
  );
  if (found !== undefined) return decoded(found);
  const what = 'symbol' in name ? name.symbol : name.currency;
  return undecoded(fault(20032, `There is no ${name.mode} margin account for ${what}`));
}

/** Opens, funds or closes a margin account; returns its new state, or its last one if closed. */
export function setMarginAccount(
  service: TradingService,
  trader: RequestContext,
  name: MarginAccountRef,
  { marginBalance, leverage, strictValidate }: MarginAccountRequest,
): Decoded<MarginAccountView> {
  const { account, version } = trader;
  const symbol = symbolOf(service.exchange, trader, name);
  if (symbol.kind === 'fault') return symbol;
  const setting: MarginSetting = {
    mode: name.mode,
    symbol: symbol.value,
    marginBalance: strictValidate ? marginBalance : onGrid(marginBalance),
    leverage,
  };
  return service.act((exchange, at) => {
    const { margin } = exchange;
    const before = margin.account(account, symbol.value, name.mode);
    const rejection = margin.set(account, setting, at);
    if (rejection !== undefined) return undecoded(rejectionFault(rejection, version));
    const after = margin.account(account, symbol.value, name.mode) ?? emptied(before, at);
    return after === undefined ? undecoded(fault(500)) : decoded(after);
  });
}

/** Closes a position; returns its new state: ended, or still open if it was not all filled. */
export function closePosition(
  service: TradingService,
  trader: RequestContext,
  position: { readonly symbol: string; readonly mode: MarginMode },
  { price, strictValidate }: ClosePositionRequest,
): Decoded<PositionRecord> {
  const { exchange } = service;
  const known = symbolOf(exchange, trader, { mode: 'isolated', symbol: position.symbol });
  if (known.kind === 'fault') return known;
  return service.act((_, at) => {
    const before = findPosition(exchange, trader.account, position);
    const exit = { ...position, strictValidate, ...(price === undefined ? {} : { price }) };
    const rejection = exchange.margin.close(trader.account, exit, at);
    if (rejection !== undefined) return undecoded(rejectionFault(rejection, trader.version));
    if (before === undefined) return undecoded(fault(500));
    return decoded(currentRecord(exchange, trader.account, before));
  });
}

/**
 * Closes all positions of a market, or those of a mode, at market price; returns their new states.
 * Positions that cannot close stay open; fails only if none can.
 */
export function closePositions(
  service: TradingService,
  trader: RequestContext,
  mode?: MarginMode,
): Decoded<readonly PositionRecord[]> {
  const given = positions(service, trader).filter(
    (position) => mode === undefined || position.mode === mode,
  );
  const outcomes = given.map(({ instrument: { symbol }, mode }) =>
    closePosition(service, trader, { symbol, mode }, { strictValidate: false }),
  );
  const [first] = outcomes;
  if (first?.kind === 'fault' && outcomes.every(({ kind }) => kind === 'fault')) return first;
  return decoded(given.map((before) => currentRecord(service.exchange, trader.account, before)));
}

/** The open positions of a trader's market, oldest first. */
export function positions(
  service: TradingService,
  trader: RequestContext,
): readonly PositionRecord[] {
  return marginAccounts(service, trader)
    .flatMap((account) =>
      account.positions.map((position) => openPosition(service.exchange, account, position)),
    )
    .toSorted((a, b) => a.id - b.id);
}

/** A page of the positions of a trader's market that have ended, by number or by the time of their end. */
export function closedPositions(
  { exchange }: TradingService,
  { account, market }: RequestContext,
  { symbols, page }: HistoryQuery,
): readonly ClosedPositionRecord[] {
  const fitting = exchange.margin
    .ended(account)
    .filter(
      ({ isContract, symbol }) =>
        isContract === (market === 'futures') && (symbols.length === 0 || symbols.includes(symbol)),
    );
  return pageFrom(fitting, page, ({ updatedAt }) => updatedAt).map((position) =>
    closedPosition(exchange, position),
  );
}

/** A position of a symbol, undefined if there is none. */
function findPosition(
  exchange: Exchange,
  account: number,
  { symbol, mode }: { readonly symbol: string; readonly mode: MarginMode },
): PositionRecord | undefined {
  const found = exchange.margin.account(account, symbol, mode);
  const position = found?.positions.find((one) => one.symbol === symbol);
  if (found === undefined || position === undefined) return undefined;
  return openPosition(exchange, found, position);
}

/** The present state of a position, open or ended. */
function currentRecord(
  exchange: Exchange,
  account: number,
  before: PositionRecord,
): PositionRecord {
  const { id, mode, instrument } = before;
  const now = findPosition(exchange, account, { symbol: instrument.symbol, mode });
  if (now?.id === id) return now;
  const ended = exchange.margin.ended(account).findLast((one) => one.id === id);
  return ended === undefined ? before : closedPosition(exchange, ended);
}

/** The symbol by which the exchange finds an account: of a cross account any that it can trade. */
function symbolOf(
  exchange: Exchange,
  { market }: RequestContext,
  name: MarginAccountRef,
): Decoded<string> {
  const { instruments, ledger } = exchange;
  if ('symbol' in name) {
    const { symbol } = name;
    const index = exchange.instrument(symbol);
    if (index >= 0 && isTradedOn(market, instruments[index])) return decoded(symbol);
    return symbolNotTraded(instruments, market, symbol);
  }
  const { currency } = name;
  const traded = instruments.filter(
    (one) =>
      isTradedOn(market, one) && one.quoteCurrency === currency && one.margin.cross !== undefined,
  );
  const [first] = traded;
  const best = traded.find(({ margin }) => margin.cross?.enabled === true) ?? first;
  if (best !== undefined) return decoded(best.symbol);
  return ledger.find(currency) === undefined
    ? undecoded(
        fault(
          2002,
          `There is no currency ${JSON.stringify(currency)}; a cross account is named by the currency that it settles in`,
          'currency',
        ),
      )
    : undecoded(fault(20040, `Nothing is traded on cross margin in ${currency}`, 'currency'));
}

/** An amount on the exchange's grid; too small an amount is left unrounded, so that it is rejected. */
function onGrid(amount: Decimal): Decimal {
  const brought = amount.toDecimalPlaces(AMOUNT_PLACES, Decimal.ROUND_HALF_DOWN);
  return brought.isZero() ? amount : brought;
}

/** An account that was closed, as it was closed. */
const emptied = (
  before: MarginAccountView | undefined,
  updatedAt: number,
): MarginAccountView | undefined =>
  before === undefined
    ? undefined
    : {
        ...before,
        marginBalance: ZERO,
        reservedOrders: ZERO,
        reservedPositions: ZERO,
        positions: [],
        updatedAt,
      };
