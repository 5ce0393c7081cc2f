import type { z } from 'zod';
import { ZERO, type Decimal } from '../../../../model/decimal.ts';
import { MillraceError, type Warn } from '../../../../model/errors.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import {
  marginAccountKey,
  type MarginAccountId,
  type MarginAccountState,
  type VenuePosition,
} from '../../../../model/margin-account.ts';
import type { Micros } from '../../../../platform/time.ts';
import { entryPrice } from '../../../../rules/margin/position-value.ts';
import type {
  clearing,
  marginAccount,
  position,
} from '../../../../wire/trading/v3/records/margin.ts';
import type { MarginMarket } from '../market.ts';
import type { RecordReader } from '../records.ts';
import { KnownPosition } from './known-position.ts';

export type WireAccount = z.output<typeof marginAccount>;
export type WirePosition = z.output<typeof position>;
export type WireClearing = z.output<typeof clearing>;

/** An account as its record shows it. */
export interface ReadAccount {
  readonly key: string;
  readonly state: MarginAccountState;
  /** Positions that the record shows as ended: without lots. */
  readonly ended: readonly VenuePosition[];
  readonly at: Micros;
}

export interface AccountReading {
  readonly records: RecordReader;
  readonly warn: Warn;
  /** Known facts of a present or past position in a symbol of an account. */
  readonly known: (key: string, symbol: string, id: number) => KnownPosition | undefined;
  readonly know: (key: string, symbol: string, known: KnownPosition) => void;
}

/**
 * Reads a record of a margin account. One of a symbol without an instrument here, or without the currency
 * of its funds, is left out with a warning (`undefined`); so is a position of it.
 */
export function readAccount(
  given: WireAccount,
  market: MarginMarket,
  reading: AccountReading,
): ReadAccount | undefined {
  const marginAccount = marginAccountId(given, market, reading);
  if (marginAccount === undefined) return undefined;
  const key = marginAccountKey(marginAccount);
  const funds = given.currencies.find(({ code }) => code === marginAccount.currency);
  const positions = (given.positions ?? []).flatMap((one) => readPosition(one, key, reading) ?? []);
  const state: MarginAccountState = {
    ...marginAccount,
    isOpen: true,
    leverage: given.leverage,
    balance: funds?.margin_balance ?? ZERO,
    reservedOrders: funds?.reserved_orders ?? ZERO,
    reservedPositions: funds?.reserved_positions ?? ZERO,
    isCalled: given.margin_call,
    positions: positions.filter(({ lots }) => lots !== 0),
  };
  const ended = positions.filter(({ lots }) => lots === 0);
  return { key, state, ended, at: given.updated_at };
}

function marginAccountId(
  { type: mode, symbol, currency, currencies }: WireAccount,
  market: MarginMarket,
  { records, warn }: AccountReading,
): MarginAccountId | undefined {
  const isContract = market === 'futures';
  if (mode === 'isolated') {
    if (symbol === undefined) {
      warn(unreadable('an isolated margin account without its symbol', 'symbol'));
      return undefined;
    }
    const instrument = records.instrument(symbol);
    if (instrument === undefined) return undefined;
    return { mode, isContract, symbol, currency: instrument.quoteCurrency };
  }
  const named = currency ?? currencies[0]?.code;
  if (named === undefined) {
    warn(unreadable('a cross margin account without its currency', 'currency'));
    return undefined;
  }
  return { mode, isContract, symbol: undefined, currency: named };
}

function readPosition(
  given: WirePosition,
  key: string,
  { records, warn, known: find, know }: AccountReading,
): VenuePosition | undefined {
  const instrument = records.instrument(given.symbol);
  if (instrument === undefined) return undefined;
  const { id, symbol, price_entry: price } = given;
  const lots = instrument.lotsExactly(given.quantity);
  const before = find(key, symbol, id);
  if (lots === undefined || (price === undefined && before?.lots !== lots)) {
    warn(unreadable(`position ${id} in ${symbol} with a quantity off the grid or without an entry price`, 'quantity')); // prettier-ignore
    return undefined;
  }
  if (lots === 0) return endedPosition(given, before);
  const known = before?.copy() ?? new KnownPosition(id);
  known.id = id;
  if (lots * known.lots > 0 && Math.abs(lots) < Math.abs(known.lots)) known.shrink(lots);
  if (price !== undefined && !known.fits(lots, price, instrument)) {
    known.take(lots, price, instrument);
  }
  known.updatedAt = given.updated_at;
  if (given.fee_cumulative !== undefined) known.fees = given.fee_cumulative;
  know(key, symbol, known);
  return positionOf(given, known, instrument);
}

function positionOf(
  given: WirePosition,
  known: KnownPosition,
  instrument: Instrument,
): VenuePosition {
  const { price_margin_call: callPrice, price_liquidation: liquidationPrice } = given;
  const entryValue = known.entryValue(instrument);
  const value = { quantity: instrument.quantityIncrement.times(known.lots), value: entryValue };
  return {
    id: given.id,
    symbol: given.symbol,
    lots: known.lots,
    entryPrice: given.price_entry ?? entryPrice(value, instrument.tickSize),
    entryValue,
    realizedPnl: known.realized,
    fees: known.fees,
    carry: known.carry,
    ...(isPrice(callPrice) ? { marginCallPrice: callPrice } : {}),
    ...(isPrice(liquidationPrice) ? { liquidationPrice } : {}),
    createdAt: given.created_at,
    updatedAt: given.updated_at,
  };
}

/** The `pnl` of an ended position's record is its result. */
const endedPosition = (given: WirePosition, known: KnownPosition | undefined): VenuePosition => ({
  id: given.id,
  symbol: given.symbol,
  lots: 0,
  entryValue: ZERO,
  entryPrice: given.price_entry ?? ZERO,
  realizedPnl: given.pnl ?? known?.realized ?? ZERO,
  fees: given.fee_cumulative ?? known?.fees ?? ZERO,
  carry: known?.carry ?? ZERO,
  createdAt: given.created_at,
  updatedAt: given.updated_at,
});

/** A price of 0 means that no price triggers it. */
const isPrice = (price: Decimal | undefined): price is Decimal => price?.greaterThan(0) === true;

const unreadable = (what: string, field: string): MillraceError =>
  new MillraceError(
    'answer-invalid',
    `The service shows ${what}; it is left out, and what it holds is not seen.`,
    { field },
  );
