import type { TradeRow } from '../../backtest/result.ts';
import { Decimal } from '../../model/decimal.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import { micros, parseIsoTime, US_PER_MINUTE, US_PER_MS } from '../../platform/time.ts';
import { rawNumber } from '../../wire/json.ts';

/** Digits of quotients, as for the average prices of a round trip. */
const QUOTIENT_DIGITS = 20;

/** A round trip as freqtrade counts it. */
export interface FreqtradeTrade {
  readonly pair: string;
  readonly net: Decimal;
  readonly ratio: number;
  readonly minutes: number;
  /** UTC day of its close. */
  readonly closedOn: string;
  /** Record for `load_backtest_data`. */
  readonly record: object;
}

/** `BTC/USDT`, for a contract `BTC/USDT:USDT` with its settlement currency. */
export function pairOf(terms: InstrumentTerms): string {
  const { baseCurrency, quoteCurrency, type, settlement } = terms;
  const pair = `${baseCurrency}/${quoteCurrency}`;
  if (type !== 'futures') return pair;
  return `${pair}:${settlement === 'inverse' ? baseCurrency : quoteCurrency}`;
}

/** A round trip as a freqtrade trade: one entry order, one exit order, exact numbers. */
export function freqtradeTrade(row: TradeRow, terms: InstrumentTerms): FreqtradeTrade {
  const pair = pairOf(terms);
  const size = new Decimal(row.size);
  const [entry, exit] = [new Decimal(row.entryPrice), new Decimal(row.exitPrice)];
  const stake = valueOf(entry, size, terms);
  const closing = valueOf(exit, size, terms);
  const feeRate = exact(quotient(new Decimal(row.fees), stake.plus(closing)));
  const [opened, closed] = [timesOf(row.openedAt), timesOf(row.closedAt)];
  const isShort = row.side === 'short';
  // The worst price of a short is its highest.
  const [worst, best] = [row.mae, row.mfe].map((excursion) => {
    const move = quotient(new Decimal(excursion), size);
    return isShort ? entry.minus(move) : entry.plus(move);
  });
  const minutes = Math.floor((closed.us - opened.us) / US_PER_MINUTE);
  const order = (isEntry: boolean, price: Decimal, cost: Decimal, ms: number): object => ({
    amount: exact(size),
    safe_price: exact(price),
    ft_order_side: isEntry === isShort ? 'sell' : 'buy',
    order_filled_timestamp: ms,
    ft_is_entry: isEntry,
    ft_order_tag: null,
    cost: exact(cost),
  });
  const net = new Decimal(row.net);
  const record = {
    pair,
    stake_amount: exact(stake),
    max_stake_amount: exact(stake),
    amount: exact(size),
    open_date: opened.text,
    close_date: closed.text,
    open_rate: exact(entry),
    close_rate: exact(exit),
    fee_open: feeRate,
    fee_close: feeRate,
    trade_duration: minutes,
    profit_ratio: row.return,
    profit_abs: exact(net),
    exit_reason: row.forced === 'liquidated' ? 'liquidation' : (row.forced ?? 'exit_signal'),
    initial_stop_loss_abs: null,
    initial_stop_loss_ratio: null,
    stop_loss_abs: null,
    stop_loss_ratio: null,
    min_rate: exact(isShort ? best : worst),
    max_rate: exact(isShort ? worst : best),
    is_open: false,
    enter_tag: null,
    leverage: exact(new Decimal(1)),
    is_short: isShort,
    open_timestamp: opened.ms,
    close_timestamp: closed.ms,
    orders: [order(true, entry, stake, opened.ms), order(false, exit, closing, closed.ms)],
    funding_fees: exact(new Decimal(0)),
  };
  return { pair, net, ratio: row.return, minutes, closedOn: row.closedAt.slice(0, 10), record };
}

/** A JSON number with all its digits, which Python reads as a float. */
export function exact(value: Decimal): unknown {
  const text = value.toFixed();
  return rawNumber(text.includes('.') ? text : `${text}.0`);
}

export const quotient = (a: Decimal, b: Decimal): Decimal =>
  b.isZero()
    ? new Decimal(0)
    : a.div(b).toSignificantDigits(QUOTIENT_DIGITS, Decimal.ROUND_HALF_EVEN);

/**
 * Value of whole ticks and lots, recovered from a rounded average price: it has no more decimals
 * than they have.
 */
function valueOf(
  price: Decimal,
  size: Decimal,
  { tickSize, quantityIncrement }: InstrumentTerms,
): Decimal {
  const places =
    new Decimal(tickSize).decimalPlaces() + new Decimal(quantityIncrement).decimalPlaces();
  return price.times(size).toDecimalPlaces(places, Decimal.ROUND_HALF_EVEN);
}

interface Times {
  readonly us: number;
  readonly ms: number;
  readonly text: string;
}

/** A time with microseconds, as pandas needs one form for every time of a column. */
export function timesOf(text: string): Times {
  const us = micros(parseIsoTime(text) ?? Number.NaN);
  const fraction = String(1_000_000 + (us % 1_000_000)).slice(1);
  return {
    us,
    ms: Math.floor(us / US_PER_MS),
    text: `${text.slice(0, 19).replace('T', ' ')}.${fraction}+00:00`,
  };
}
