import type { SymbolStatus } from '../../../../exchange/state/symbol-status.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Micros } from '../../../../platform/time.ts';
import type { symbol as schema } from '../../../../wire/trading/v3/records/symbol.ts';
import { maxLeverage } from '../leverage.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';

/** A symbol as version 3 shows it; only futures have the contract. */
export function symbolView(instrument: Instrument, status: SymbolStatus): Writable<typeof schema> {
  const { terms, expiresAt } = instrument;
  const leverage = maxLeverage(instrument);
  return {
    type: terms.type,
    ...(terms.type === 'spot'
      ? {}
      : {
          contract_type: terms.contractType,
          expiry: Number.isFinite(expiresAt) ? (expiresAt as Micros) : null,
          underlying: terms.baseCurrency,
        }),
    base_currency: terms.type === 'spot' ? terms.baseCurrency : null,
    quote_currency: terms.quoteCurrency,
    status,
    quantity_increment: instrument.quantityIncrement,
    tick_size: instrument.tickSize,
    take_rate: instrument.takeRate,
    make_rate: instrument.makeRate,
    fee_currency: terms.feeCurrency,
    margin_trading: leverage !== undefined,
    ...(leverage === undefined ? {} : { max_initial_leverage: leverage }),
  };
}
