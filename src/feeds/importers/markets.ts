import { binanceContract } from './contracts.ts';
import type { Market } from './layout.ts';

/** Dated contracts end in a day: `BTCUSDT_240628`, `BTC-28JUN24`, `BTC-USDT-240628`. */
const DATED = /[-_]?(?:\d{6}|\d{1,2}[A-Z]{3}\d{2})$/;

/** Of Binance, by the folder of the archive or the form of the symbol; nothing if neither shows it. */
export function binanceMarket(
  symbol: string | undefined,
  file: string,
  hasHeader: boolean,
): Market {
  const coin = binanceContract(symbol?.replace('-', '_'));
  if (coin !== undefined) return { type: 'futures', contract: coin, ...perpetual(symbol) };
  if (/[\\/]futures[\\/]um[\\/]|-um-/.test(file)) return { type: 'futures', ...perpetual(symbol) };
  if (/[\\/]futures[\\/]cm[\\/]/.test(file)) return { type: 'futures', needsContract: true };
  if (/[\\/]spot[\\/]/.test(file)) return { type: 'spot' };
  if (symbol !== undefined && DATED.test(symbol)) return { type: 'futures' };
  return hasHeader ? { note: FUTURES_HEADER } : {};
}

const FUTURES_HEADER =
  'The archive of Binance writes a header for futures only: if these are futures, give --type futures.';

/** The same of files that only futures have. */
export function binanceFutures(symbol: string | undefined, file: string): Market {
  const market = binanceMarket(symbol, file, false);
  return market.type === 'futures' ? market : { type: 'futures', ...perpetual(symbol) };
}

const perpetual = (symbol: string | undefined): Market =>
  symbol === undefined || DATED.test(symbol) ? {} : { isPerpetual: true };

/**
 * Derivatives of Bybit: symbols in USD are inverse contracts of 1 USD, all others linear in the base
 * currency.
 */
export function bybitDerivative(symbol: string | undefined): Market {
  const isInverse = /^[A-Z0-9]+USD(?:[HMUZ]\d{2})?$/.test(symbol ?? '');
  const isDated = /(?:[HMUZ]\d{2}|-\d{1,2}[A-Z]{3}\d{2})$/.test(symbol ?? '');
  return {
    type: 'futures',
    ...(isInverse ? { contract: { contractSize: '1', settlement: 'inverse' } as const } : {}),
    ...(isDated ? {} : { isPerpetual: true }),
  };
}

/** OKX: the name shows a swap or a dated future, and its size is in contracts. */
export function okxMarket(symbol: string | undefined): Market {
  if (symbol === undefined || !/-(?:SWAP|\d{6})$/.test(symbol)) return { type: 'spot' };
  return {
    type: 'futures',
    needsContract: true,
    ...(symbol.endsWith('-SWAP') ? { isPerpetual: true } : {}),
  };
}

/** KuCoin: futures end in M after their settlement currency. */
export const kucoinMarket = (symbol: string | undefined): Market =>
  /(?:USDT|USDC|USD)M$/.test(symbol ?? '')
    ? { type: 'futures', needsContract: true, isPerpetual: true }
    : { type: 'spot' };

/** Contracts of Gate, whose size only the venue reports. */
export const gateFutures = (): Market => ({
  type: 'futures',
  needsContract: true,
  isPerpetual: true,
});
