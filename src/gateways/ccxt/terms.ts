import { Decimal, parseDecimal } from '../../model/decimal.ts';
import { MillraceError, type Warn } from '../../model/errors.ts';
import { Instrument, type InstrumentTerms } from '../../model/instrument.ts';
import { suggest } from '../../model/suggest.ts';
import { isoTime, micros } from '../../platform/time.ts';
import { readingError, errorText } from './errors.ts';
import { loadMarkets, type CcxtExchange, type CcxtModule, type Given } from './exchange.ts';

/** The two kinds of fee rates of a market. */
interface Fees {
  readonly taker?: unknown;
  readonly maker?: unknown;
}

/** Decimal text of a number of ccxt: text as it is, and a float by its shortest digits. */
export function numberText(given: unknown): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  return parseDecimal(String(given))?.toFixed();
}

/** A number of ccxt as a decimal; `undefined` if it is none. */
export function decimalOf(given: unknown): Decimal | undefined {
  const text = numberText(given);
  return text === undefined ? undefined : parseDecimal(text);
}

const member = (given: unknown, name: string): unknown =>
  typeof given === 'object' && given !== null ? (given as Given)[name] : undefined;

/** The exchange objects of a gateway. */
export interface Exchanges {
  /** Its numbers are floats: some classes reckon with the numbers of markets, which text would break. */
  readonly market: CcxtExchange;
  /** Its numbers are text; it shares the other's markets. */
  readonly account: CcxtExchange;
}

/**
 * The configured symbols as instruments, with the filters of the venue as their terms and the fee rates of
 * the account if reported. Throws `symbol-unknown`, and `instrument-invalid` for a market whose steps ccxt
 * does not report.
 */
export async function readInstruments(
  ccxt: CcxtModule,
  { market: exchange, account }: Exchanges,
  symbols: readonly string[],
  { hasKey, warn }: { readonly hasKey: boolean; readonly warn: Warn },
): Promise<readonly Instrument[]> {
  try {
    await loadMarkets(exchange);
    await loadMarkets(account, exchange);
  } catch (cause) {
    const { code } = readingError(cause);
    const sentence = `ccxt cannot load the markets of ${exchange.id}: ${errorText(cause)}`;
    throw new MillraceError(code, sentence, { cause });
  }
  const markets = exchange.markets ?? {};
  const found = symbols.map((symbol) => {
    const market = Object.hasOwn(markets, symbol) ? markets[symbol] : undefined;
    if (market !== undefined) return { symbol, market };
    const near = suggest(symbol, Object.keys(markets));
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    throw new MillraceError(
      'symbol-unknown',
      `${exchange.id} has no symbol ${symbol}; symbols are those of ccxt, such as BTC/USDT.${hint}`,
      { field: 'symbols' },
    );
  });
  const rates = hasKey ? await ratesOf(account, symbols, warn) : {};
  return found.map(({ symbol, market }) =>
    instrumentOf(ccxt, exchange.precisionMode, market, rates[symbol]),
  );
}

/** The fee rates of the account; the default ones, with a warning, if the venue does not report them. */
async function ratesOf(
  exchange: CcxtExchange,
  symbols: readonly string[],
  warn: Warn,
): Promise<Readonly<Record<string, Fees>>> {
  const { has } = exchange;
  try {
    if (has.fetchTradingFees === true) return await exchange.fetchTradingFees();
    if (has.fetchTradingFee !== true) return {};
    const rates: Record<string, Fees> = {};
    for (const symbol of symbols) rates[symbol] = await exchange.fetchTradingFee(symbol);
    return rates;
  } catch (cause) {
    const sentence = `${exchange.id} does not give the fee rates of the account, so those of everybody count: ${errorText(cause)}`;
    warn(new MillraceError('service-refused', sentence, { cause }));
    return {};
  }
}

/**
 * A market of ccxt as an instrument. Throws `instrument-invalid` if it is incomplete or contradicts itself.
 */
export function instrumentOf(
  ccxt: Pick<CcxtModule, 'DECIMAL_PLACES' | 'SIGNIFICANT_DIGITS' | 'TICK_SIZE'>,
  precisionMode: number,
  market: Given,
  rates: Fees = {},
): Instrument {
  const symbol = String(market.symbol);
  const fault = (field: string, why: string): MillraceError =>
    new MillraceError('instrument-invalid', `Market ${symbol} of ccxt: ${field} ${why}.`, {
      field,
    });
  const step = (name: 'price' | 'amount'): string => {
    const given = numberText(member(market.precision, name));
    if (given === undefined) throw fault(`precision.${name}`, 'is missing');
    if (precisionMode === ccxt.TICK_SIZE) return given;
    if (precisionMode === ccxt.DECIMAL_PLACES) return tenTo(-Number(given));
    // Significant digits are no fixed step: that of the smallest amount fits all larger ones too.
    const least = numberText(member(member(market.limits, name), 'min'));
    if (least === undefined || Number(least) <= 0) {
      throw fault(`precision.${name}`, 'counts significant digits, and limits state no smallest');
    }
    return tenTo(new Decimal(least).e + 1 - Number(given));
  };
  const rate = (name: 'taker' | 'maker'): string =>
    numberText(rates[name]) ?? numberText(market[name]) ?? '0';
  const minQuantity = least(member(market.limits, 'amount'));
  const minNotional = least(member(market.limits, 'cost'));
  const quoteCurrency = String(market.quote);
  return new Instrument({
    symbol,
    ...kindOf(market, fault),
    baseCurrency: String(market.base),
    quoteCurrency,
    tickSize: step('price'),
    quantityIncrement: step('amount'),
    ...(minQuantity === undefined ? {} : { minQuantity }),
    ...(minNotional === undefined ? {} : { minNotional }),
    takeRate: rate('taker'),
    makeRate: rate('maker'),
    feeCurrency: quoteCurrency,
  });
}

/** Ten to a power, written out. */
const tenTo = (exponent: number): string => new Decimal(10).pow(exponent).toFixed();

/** The least of a limit; 0 and nothing are none. */
function least(limit: unknown): string | undefined {
  const text = numberText(member(limit, 'min'));
  return text === undefined || Number(text) <= 0 ? undefined : text;
}

/** Spot, or a contract with its size, settlement and end. */
function kindOf(
  market: Given,
  fault: (field: string, why: string) => MillraceError,
): Pick<InstrumentTerms, 'type' | 'contractSize' | 'settlement' | 'contractType' | 'expiry'> {
  if (market.type === 'spot') return { type: 'spot' };
  if (market.type !== 'swap' && market.type !== 'future') {
    throw fault('type', `is ${String(market.type)}; spot, swap and future can be traded`);
  }
  const contractSize = numberText(market.contractSize);
  if (contractSize === undefined) throw fault('contractSize', 'is missing');
  const settlement = market.inverse === true ? 'inverse' : 'linear';
  if (market.type === 'swap') {
    return { type: 'futures', contractSize, settlement, contractType: 'perpetual' };
  }
  const expiry = Number(market.expiry);
  if (!Number.isSafeInteger(expiry)) throw fault('expiry', 'is missing');
  return {
    type: 'futures',
    contractSize,
    settlement,
    contractType: 'cash_settled',
    expiry: isoTime(micros(expiry * 1_000)),
  };
}
