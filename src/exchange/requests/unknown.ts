import type { Instrument } from '../../model/instrument.ts';
import type { Refusal } from '../../model/refusals.ts';
import { quoted } from '../../rules/quoted.ts';

export const unknownSymbol = (symbol: string, instruments: readonly Instrument[]): Refusal => ({
  code: 'symbol-unknown',
  field: 'symbol',
  message: `There is no symbol ${quoted(symbol)} here; there are ${instruments.map((i) => i.symbol).join(', ')}.`,
});

export const unknownOrder = (clientOrderId: string): Refusal => ({
  code: 'order-unknown',
  field: 'clientOrderId',
  message: `No active order has the client order id ${quoted(clientOrderId)}.`,
});
