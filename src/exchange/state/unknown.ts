import type { Instrument } from '../../model/instrument.ts';
import type { Refusal } from '../../model/refusals.ts';
import { NONE } from '../orders/orders.ts';
import type { Symbols } from './symbols.ts';
import { quoted } from '../../rules/quoted.ts';

export const unknownSymbol = (symbol: string, instruments: readonly Instrument[]): Refusal => ({
  code: 'symbol-unknown',
  field: 'symbol',
  message: `There is no symbol ${quoted(symbol)} here; there are ${instruments.map((i) => i.symbol).join(', ')}.`,
});

/** The instruments of the orders of a list, or why one of them has none. */
export function instrumentsOf(
  orders: readonly { readonly symbol: string }[],
  symbols: Symbols,
  instruments: readonly Instrument[],
): readonly number[] | Refusal {
  const found = orders.map(({ symbol }) => symbols.index(symbol));
  const unknown = found.indexOf(NONE);
  if (unknown < 0) return found;
  const refusal = unknownSymbol(orders[unknown].symbol, instruments);
  return { ...refusal, field: `orders[${unknown}].symbol` };
}

export const unknownOrder = (clientOrderId: string): Refusal => ({
  code: 'order-unknown',
  field: 'clientOrderId',
  message: `No active order has the client order id ${quoted(clientOrderId)}.`,
});
