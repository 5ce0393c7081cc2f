import type { Exchange } from '../../exchange/exchange.ts';
import { MillraceError } from '../../model/errors.ts';

/** The instrument of a symbol that a market names, and its index. Throws `symbol-unknown`. */
export function instrumentAt(exchange: Exchange, symbol: string) {
  const index = exchange.instrument(symbol);
  if (index >= 0) return { instrument: exchange.instruments[index], index };
  const known = exchange.instruments.map((instrument) => instrument.symbol).join(', ');
  throw new MillraceError(
    'symbol-unknown',
    `The market names ${symbol}, which is no symbol here; there are ${known}.`,
    { field: 'symbol' },
  );
}
