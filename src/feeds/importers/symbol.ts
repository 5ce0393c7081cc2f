import { basename } from 'node:path';

/** The currencies that a symbol's text shows, if any. */
export interface SymbolParts {
  readonly baseCurrency: string;
  readonly quoteCurrency: string;
  readonly type: 'spot' | 'futures';
}

/** Quote currencies that venues append to a base, those that end in another one before it. */
const QUOTES = [
  ...['FDUSD', 'USDT', 'USDC', 'BUSD', 'TUSD', 'USDP', 'USDS', 'USD1', 'USDE'],
  ...['DAI', 'EUR', 'GBP', 'TRY', 'BRL', 'JPY', 'AUD', 'CHF', 'CAD', 'UAH', 'ZAR', 'PLN', 'MXN'],
  ...['USD', 'BTC', 'XBT', 'ETH', 'BNB', 'SOL', 'TRX', 'XRP'],
];
/** Kind or expiry of a contract: `240628`, `28JUN24`. */
const CONTRACT = /^(?:PERP|PERPETUAL|SWAP|FUT|FUTURES|\d{6}|\d{1,2}[A-Z]{3}\d{2})$/;
const SEPARATOR = /[-_/:.\s]+/;

/** Splits a symbol such as `BTCUSDT`, `XRP_ETH` or `BTC-PERP`; `undefined` when the text does not show it. */
export function splitSymbol(symbol: string): SymbolParts | undefined {
  const parts = symbol
    .toUpperCase()
    .split(SEPARATOR)
    .filter((part) => part !== '');
  const type = parts.some((part) => CONTRACT.test(part)) ? 'futures' : 'spot';
  const names = parts.filter((part) => !CONTRACT.test(part));
  const [first = '', second, third] = names;
  if (second !== undefined) {
    if (!CURRENCY.test(first) || !CURRENCY.test(second) || isPair(second)) return undefined;
    if (third === undefined || !/^[A-Z]/.test(third)) {
      return { baseCurrency: first, quoteCurrency: second, type };
    }
    // A third currency is the settlement currency of a contract, as in BTC/USDT:USDT.
    const isSettled = third === first || third === second;
    return isSettled ? { baseCurrency: first, quoteCurrency: second, type: 'futures' } : undefined;
  }
  // Bases of three letters and more first: XBTUSD is XBT in USD, not XB in TUSD.
  const quote = quoteOf(first, 3) ?? quoteOf(first, 1);
  if (quote !== undefined) {
    return { baseCurrency: first.slice(0, -quote.length), quoteCurrency: quote, type };
  }
  return type === 'futures' && first !== ''
    ? { baseCurrency: first, quoteCurrency: 'USD', type }
    : undefined;
}

const quoteOf = (symbol: string, baseMin: number): string | undefined =>
  QUOTES.find((known) => symbol.endsWith(known) && symbol.length >= known.length + baseMin);

/** A word such as 1 or YF-1 is no currency. */
const CURRENCY = /^(?=.*[A-Z])[A-Z0-9]{2,}$/;

/** True for BTCUSDT, which after another word is no quote currency, but not for FDUSD. */
const isPair = (word: string): boolean => !QUOTES.includes(word) && quoteOf(word, 3) !== undefined;

const ENDING = /(?:\.(?:gz|zip|zst|feather|csv|tsv|txt|json|jsonl|parquet))+$/i;
/** Words of a file's name for its content and time, not for the instrument. */
const NOT_A_NAME =
  /^(?:\d+|\d{4,}.*|\d+(?:[a-z]|min|hour|day|week)|aggtrades|bookticker|candlesticks?|trades?|candles?|klines?|bars?|ohlcv|spot|quotes?|book|yf|um|cm|m\d+|h\d+)$/i;
/** Venues whose files begin with their name. */
const VENUES =
  /^(?:binance|bitfinex|bitget|bitmex|bitstamp|bybit|coinbase|deribit|gateio|gemini|htx|huobi|kraken|kucoin|okx|poloniex)$/i;

/**
 * The symbol at the beginning of a file's name: `btc-perp-20211231_1m.csv.gz` has `BTC-PERP`. `undefined`
 * if its words may be something else: any two words could be a pair, so the second must be a quote currency
 * of venues.
 */
export function symbolOfFile(file: string): string | undefined {
  const stem = basename(file).replace(ENDING, '');
  const words: string[] = [];
  for (const word of stem.split(SEPARATOR)) {
    if (words.length === 0 && VENUES.test(word)) continue;
    if (!NOT_A_NAME.test(word)) words.push(word);
    else if (words.length > 0) break;
  }
  const symbol = words.join('-').toUpperCase();
  const parts = splitSymbol(symbol);
  return parts !== undefined && QUOTES.includes(parts.quoteCurrency) ? symbol : undefined;
}

/** Symbol and currencies of a pair that is written as `BTC/USDT` or `BTC_USDT`. */
export function namedMarket(pair: string | undefined): {
  readonly symbol: string | undefined;
  readonly parts: SymbolParts | undefined;
} {
  const parts = pair === undefined ? undefined : splitSymbol(pair);
  const symbol = parts?.type === 'spot' ? `${parts.baseCurrency}${parts.quoteCurrency}` : pair;
  return { symbol, parts };
}
